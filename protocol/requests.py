"""What clients send to the host. Every request but `ack` has an `id` and is answered once, by a `reply`.

Ids ascend within a session. A request that is sent again with its id gets the same reply and has no second
effect.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from protocol import limits
from protocol.common import (
    Choice,
    Clocks,
    DecisionId,
    Features,
    GameId,
    Hash,
    House,
    Key,
    Number,
    Options,
    PlayerName,
    Program,
    PushNumber,
    RequestId,
    SaidText,
    SeatName,
    SeedValue,
    Session,
    Signature,
    Until,
    Value,
    Versions,
    WhisperData,
    WhisperKey,
    WindowNames,
)


class Base(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True, tag_field="t"):
    """Base of all requests."""


class Hello(Base, frozen=True, kw_only=True, tag="hello"):
    """The first request on every connection. The reply's body is a `Welcome`.

    Who the player is, the host knows from the connection's CURVE key. A later hello by the same player takes
    the player over: the older connection gets `superseded`.
    """

    id: RequestId
    versions: Versions
    """The protocol versions the client speaks, best first."""
    features: Features = []
    name: PlayerName
    kind: Literal["person", "bot"] = "person"
    program: Program = ""
    """Name and version of the client program, for people."""
    sign_key: Key
    """The player's Ed25519 key."""
    proof: Signature
    """By that key: `identity.prove`."""
    session: Session
    """Drawn by the client when it starts. Request ids belong to it: a new session starts counting anew."""
    passphrase: Hash | None = None
    """The proof that the player knows the table's passphrase: `passphrase.prove`. None: he does not say."""
    whisper: WhisperKey | None = None
    """The key that this program takes whispers with. None: it takes none."""
    seen: PushNumber = 0
    """The last push that this client had (0: none), so that the host sends what came after it."""


class Ack(Base, frozen=True, kw_only=True, tag="ack"):
    """All pushes up to this number have arrived. Has no id and no reply."""

    n: PushNumber


class Ping(Base, frozen=True, kw_only=True, tag="ping"):
    """Shows that the client lives, and acknowledges like `ack`. Body of the reply: none."""

    id: RequestId
    seen: PushNumber = 0


class Bye(Base, frozen=True, kw_only=True, tag="bye"):
    """The client goes away on purpose. The seat is kept while a game runs, and freed in the lobby."""

    id: RequestId


class Resync(Base, frozen=True, kw_only=True, tag="resync"):
    """Asks for everything anew (`lobby`, and `snapshot` if there is a game) after a gap or a doubt."""

    id: RequestId


class Sit(Base, frozen=True, kw_only=True, tag="sit"):
    """Takes a seat, or changes to another; without one, the first that is free. Body: {"seat": seat}."""

    id: RequestId
    seat: SeatName | None = None


class Leave(Base, frozen=True, kw_only=True, tag="leave"):
    """Gives up one's seat and looks on. Not in a running game: its seats are kept."""

    id: RequestId


class Ready(Base, frozen=True, kw_only=True, tag="ready"):
    """Says that one is ready to start, or not."""

    id: RequestId
    ready: bool


class SetOptions(Base, frozen=True, kw_only=True, tag="options"):
    """Owner only, in the lobby: sets options, clocks, customs or several of them. Everybody's `ready` is taken back."""

    id: RequestId
    options: Options | None = None
    clocks: Clocks | None = None
    house: House | None = None


class Bot(Base, frozen=True, kw_only=True, tag="bot"):
    """Owner only, in the lobby: puts a bot on a free seat (None: the last), or takes one away."""

    id: RequestId
    action: Literal["add", "remove"]
    seat: SeatName | None = None


class Vote(Base, frozen=True, kw_only=True, tag="vote"):
    """In a game, about a seat whose player is gone: wait on, or let a bot play. The last vote of a seat counts."""

    id: RequestId
    seat: SeatName
    choice: Choice


class Kick(Base, frozen=True, kw_only=True, tag="kick"):
    """Owner only: sends the player of a seat away; the same key is not let in again."""

    id: RequestId
    seat: SeatName


class Start(Base, frozen=True, kw_only=True, tag="start"):
    """Owner only: starts the game. `begin` follows, then `seeds`, then the first `snapshot`."""

    id: RequestId


class Rematch(Base, frozen=True, kw_only=True, tag="rematch"):
    """Owner only, after a game: back to the lobby with the same seats and options."""

    id: RequestId


class Seed(Base, frozen=True, kw_only=True, tag="seed"):
    """A seat's commitment to its share of the seed, owed after `begin`. See `fairness.seed_commitment`."""

    id: RequestId
    game: GameId
    commitment: Hash
    signature: Signature


class SeedOpen(Base, frozen=True, kw_only=True, tag="seed-open"):
    """A seat's share of the seed, owed after `seeds` if that shows this seat's own commitment unchanged."""

    id: RequestId
    game: GameId
    value: SeedValue


class Answer(Base, frozen=True, kw_only=True, tag="answer"):
    """The answer to one of the player's open decisions.

    It names the decision, never a state: what others do at the same time cannot invalidate it. Its signature is
    good for one game and one course of it only.
    Errors: "illegal-answer" (with the reason; nothing has changed, another answer may be sent), "stale" (the
    decision is no longer open, or there are not so many entries), "not-your-turn" (another seat's decision).
    """

    id: RequestId
    decision: DecisionId
    value: Value
    """`codec.pack_value` of the answer."""
    count: Number
    """How many entries of the transcript the client has: the signature is over the head after them."""
    signature: Signature
    """`signing.sign_answer`."""


class Passes(Base, frozen=True, kw_only=True, tag="passes"):
    """A standing pass, public: the host passes for this seat in every window that is not in `keep`."""

    id: RequestId
    until: Until
    keep: WindowNames = []
    count: Number
    """As in `Answer`."""
    signature: Signature
    """`signing.sign_passes`."""


class Record(Base, frozen=True, kw_only=True, tag="record"):
    """Asks for a piece of a game's transcript, from entry `start` on. The reply's body is a `Page`."""

    id: RequestId
    game: GameId
    start: Number
    count: Annotated[int, Meta(ge=1, le=limits.ENTRIES_PER_PAGE)] = limits.ENTRIES_PER_PAGE


class Say(Base, frozen=True, kw_only=True, tag="say"):
    """Something said to the table. Everybody gets `said`."""

    id: RequestId
    text: SaidText


class Whisper(Base, frozen=True, kw_only=True, tag="whisper"):
    """Something for one other player alone. All get `whispered`, and he what is in the box.

    Errors: "refused" (this table does not allow it, or that player cannot take it), "stale" (his program or the game
    is another by now: encrypt it anew), "not-seated", "too-fast".
    """

    id: RequestId
    to: SeatName
    game: GameId | None = None
    """The game that runs, from `begin` to `ended`; None: no game."""
    key: Key
    """The key of that seat for which this is encrypted."""
    number: Annotated[int, Meta(ge=1, le=limits.MAX_ID)]
    """Counts what this program has whispered to that key."""
    data: WhisperData
    """`whisper.seal`."""


Request = (
    Hello | Ack | Ping | Bye | Resync | Sit | Leave | Ready | SetOptions | Bot | Vote | Kick | Start | Rematch
    | Seed | SeedOpen | Answer | Passes | Record | Say | Whisper
)  # fmt: skip
"""Any request."""

REQUESTS: tuple[type[Base], ...] = (
    Hello, Ack, Ping, Bye, Resync, Sit, Leave, Ready, SetOptions, Bot, Vote, Kick, Start, Rematch,
    Seed, SeedOpen, Answer, Passes, Record, Say, Whisper,
)  # fmt: skip
