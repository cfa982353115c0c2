"""What the host sends: `reply`, the answer to one request, and numbered pushes.

A push's `n` counts a player's pushes from 1 without gaps. The host keeps each until it is acknowledged, and
sends it again after a reconnect. Pushes with n = 0 concern one connection only and are never sent again.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from protocol import limits
from protocol.common import (
    Box,
    Data,
    Error,
    GameId,
    Hash,
    Head,
    Own,
    Packed,
    Party,
    PlayerName,
    Presence,
    PushNumber,
    ReplyId,
    RunningClocks,
    SaidText,
    SealedCard,
    SeatName,
    SeedValue,
    SetupBytes,
    SignedSeed,
    StandingPass,
    Table,
    Text,
    Until,
    WindowNames,
    You,
)


class Base(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True, tag_field="t"):
    """Base of all that the host sends."""


class Reply(Base, frozen=True, kw_only=True, tag="reply"):
    """The one answer to the request with this id (0: a frame whose id could not be read)."""

    id: ReplyId
    ok: bool
    error: Error | None = None
    body: Data | None = None
    """What the request asked for; read it with `codec.read_body`."""


class Lobby(Base, frozen=True, kw_only=True, tag="lobby"):
    """The table, whenever anything about it has changed, in the lobby and during the game."""

    n: PushNumber
    table: Table
    you: You


class Begin(Base, frozen=True, kw_only=True, tag="begin"):
    """A game is being started. Every seat now owes a `seed` (not at practice tables)."""

    n: PushNumber
    game: GameId
    setup: SetupBytes
    """`codec.pack_value` of the setup; the transcript's first head is made from these very bytes."""
    host_commitment: Hash
    """The host's commitment to its own share of the seed."""
    practice: bool = False


class Seeds(Base, frozen=True, kw_only=True, tag="seeds"):
    """All commitments are in. Every seat now owes a `seed-open`. Entry 0 of the transcript holds the same."""

    n: PushNumber
    game: GameId
    commitments: Annotated[dict[SeatName, SignedSeed], Meta(max_length=limits.SEATS)]


class Abandoned(Base, frozen=True, kw_only=True, tag="abandoned"):
    """The start has failed: a seat sent no share in time, or a wrong one. The table is a lobby again."""

    n: PushNumber
    game: GameId
    seat: SeatName | None
    text: Text


class Snapshot(Base, frozen=True, kw_only=True, tag="snapshot"):
    """Everything that this client may see, in one frame; replaces whatever the client knew."""

    n: PushNumber
    game: GameId
    setup: SetupBytes
    host_commitment: Hash
    practice: bool = False
    view: Data
    log: Annotated[list[Data], Meta(max_length=limits.LOG_PER_SNAPSHOT)]
    """The last events, oldest first, each as this client may see it."""
    head: Head
    clocks: RunningClocks
    sealed: Annotated[list[SealedCard], Meta(max_length=limits.SEALED_CARDS)]
    """The commitments that have not been opened to this client yet."""
    passes: Annotated[list[StandingPass], Meta(max_length=limits.SEATS)]


class Update(Base, frozen=True, kw_only=True, tag="update"):
    """What one or more inputs have changed."""

    n: PushNumber
    shared: Packed
    """What all are told, the same bytes for everybody: `updates.pack` of a `Shared`."""
    own: Own | None = None
    """What this player alone is told."""


class Standing(Base, frozen=True, kw_only=True, tag="standing"):
    """A seat's standing pass has been set, or has ended (until "off")."""

    n: PushNumber
    seat: SeatName
    until: Until
    keep: WindowNames


class Said(Base, frozen=True, kw_only=True, tag="said"):
    """Somebody said something; the seat is None for one who looks on."""

    n: PushNumber
    seat: SeatName | None
    name: PlayerName
    text: SaidText


class Whispered(Base, frozen=True, kw_only=True, tag="whispered"):
    """One seat has whispered to another. Everybody gets this, the other one with what was whispered."""

    n: PushNumber
    seat: SeatName
    to: SeatName
    game: GameId | None = None
    """As in `whisper`."""
    box: Box | None = None
    """Only for the one who is meant."""


class PresencePush(Base, frozen=True, kw_only=True, tag="presence"):
    """A seat's player came, fell silent, left, or is played by a bot."""

    n: PushNumber
    seat: SeatName
    state: Presence


class Ended(Base, frozen=True, kw_only=True, tag="ended"):
    """The game is over; now everything may be checked. The whole record: `record` requests."""

    n: PushNumber
    game: GameId
    outcome: Literal["won", "stopped"]
    """stopped: ended without a winner, by the owner or because it would not end by itself."""
    winners: Annotated[list[SeatName], Meta(max_length=limits.SEATS)]
    seeds: Annotated[dict[Party, SeedValue], Meta(max_length=limits.SEATS + 1)]
    """Every share of the seed, the host's too. At a practice table {"host": the seed itself}."""
    head: Head


class Superseded(Base, frozen=True, kw_only=True, tag="superseded"):
    """The same player has connected elsewhere; this connection is not listened to any more. n is 0."""

    n: PushNumber = 0


class Closing(Base, frozen=True, kw_only=True, tag="closing"):
    """The host stops listening to this connection. n is 0."""

    n: PushNumber = 0
    reason: Literal["host-stops", "kicked", "bad-frames"]
    text: Text = ""


Push = (
    Reply | Lobby | Begin | Seeds | Abandoned | Snapshot | Update | Standing | Said | Whispered
    | PresencePush | Ended | Superseded | Closing
)  # fmt: skip
"""Anything that the host sends."""

PUSHES: tuple[type[Base], ...] = (
    Reply, Lobby, Begin, Seeds, Abandoned, Snapshot, Update, Standing, Said, Whispered,
    PresencePush, Ended, Superseded, Closing,
)  # fmt: skip
