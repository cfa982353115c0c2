"""Types that requests and pushes share: names, ids, keys, the description of a table.

All structs are frozen and refuse unknown fields. `Annotated[..., Meta]` bounds are enforced when a frame is
decoded.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from protocol import limits

# Control characters, zero-width and direction-changing characters, variation selectors, tags, line
# separators: they could rewrite somebody's terminal or make two names look the same.
UNPRINTABLE = (
    "\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff"
)
UNPRINTABLE_RE = re.compile(f"[{UNPRINTABLE}]")
_TEXT = rf"\A[^{UNPRINTABLE}]*\Z"
_NAME = rf"\A(?!\s)[^{UNPRINTABLE}]+(?<!\s)\Z"

SeatName = Literal["red", "blue", "green", "yellow", "purple"]
Party = Literal["host", "red", "blue", "green", "yellow", "purple"]
"""Who contributes to a seed."""
Presence = Literal["here", "away", "gone", "bot"]
"""here: answers pings; away: silent for a while; gone: left or was dropped; bot: a bot plays this seat."""
Absent = Literal["wait", "bot", "vote"]
"""What a table does when a player does not come back in time: wait on; let a bot play; as the others vote."""
Choice = Literal["wait", "bot"]
"""A vote about a player who is gone."""
Until = Literal["turn", "encounter", "phase", "off"]
"""How long a standing pass holds: until one's own next turn, the end of this encounter or phase, or not."""
ErrorCode = Literal[
    "illegal-answer",
    "not-your-turn",
    "stale",
    "bad-frame",
    "unknown-type",
    "too-fast",
    "full",
    "version",
    "not-seated",
    "refused",
    "hello-first",
    "superseded",
    "passphrase",
]
"""Why a request was refused; `docs/protocol.md` explains each."""

RequestId = Annotated[int, Meta(ge=1, le=limits.MAX_ID)]
ReplyId = Annotated[int, Meta(ge=0, le=limits.MAX_ID)]
"""The id of the request that is answered; 0 when it could not be read."""
PushNumber = Annotated[int, Meta(ge=0, le=limits.MAX_ID)]
"""Counts a player's pushes from 1; 0 for what concerns a connection only and is never sent again."""
Number = Annotated[int, Meta(ge=0, le=limits.MAX_ID)]
DecisionId = Annotated[int, Meta(ge=0, le=limits.MAX_ID)]
GameId = Annotated[str, Meta(min_length=1, max_length=limits.GAME_ID_LENGTH, pattern=r"\A[a-z0-9-]+\Z")]
Key = Annotated[bytes, Meta(min_length=limits.KEY_BYTES, max_length=limits.KEY_BYTES)]
Digest = Annotated[bytes, Meta(min_length=limits.DIGEST_BYTES, max_length=limits.DIGEST_BYTES)]
Hash = Annotated[bytes, Meta(min_length=limits.HASH_BYTES, max_length=limits.HASH_BYTES)]
Nonce = Annotated[bytes, Meta(min_length=limits.NONCE_BYTES, max_length=limits.NONCE_BYTES)]
SeedValue = Annotated[bytes, Meta(min_length=limits.SEED_BYTES, max_length=limits.SEED_BYTES)]
Signature = Annotated[bytes, Meta(min_length=limits.SIGNATURE_BYTES, max_length=limits.SIGNATURE_BYTES)]
Session = Annotated[bytes, Meta(min_length=limits.SESSION_BYTES, max_length=limits.SESSION_BYTES)]
Value = Annotated[bytes, Meta(min_length=1, max_length=limits.ANSWER_BYTES)]
"""A packed answer: `codec.pack_value`."""
WhisperData = Annotated[bytes, Meta(max_length=limits.WHISPER_SIZES[-1] + 64)]
"""Nonce and ciphertext; `whisper.DATA_BYTES` are the lengths that it can have."""
SetupBytes = Annotated[bytes, Meta(min_length=1, max_length=limits.SETUP_BYTES)]
Packed = Annotated[bytes, Meta(min_length=1, max_length=limits.PUSH.binary)]
"""What all are told in an update, packed and deflated."""
Entry = Annotated[bytes, Meta(min_length=1, max_length=limits.ENTRY_BYTES)]
Entries = Annotated[list[Entry], Meta(max_length=limits.ENTRIES_PER_PUSH)]
PlayerName = Annotated[str, Meta(min_length=1, max_length=limits.NAME_LENGTH, pattern=_NAME)]
ShownName = Annotated[str, Meta(max_length=limits.NAME_LENGTH, pattern=_TEXT)]
"""A player's name, or "" for an empty seat."""
TableName = Annotated[str, Meta(max_length=limits.TABLE_NAME_LENGTH, pattern=_TEXT)]
SaidText = Annotated[str, Meta(min_length=1, max_length=limits.SAY_LENGTH, pattern=_TEXT)]
Text = Annotated[str, Meta(max_length=limits.TEXT_LENGTH)]
Program = Annotated[str, Meta(max_length=limits.PROGRAM_LENGTH, pattern=_TEXT)]
WindowName = Annotated[str, Meta(min_length=1, max_length=limits.WINDOW_LENGTH)]
WindowNames = Annotated[list[WindowName], Meta(max_length=limits.WINDOW_NAMES)]
Features = Annotated[
    list[Annotated[str, Meta(min_length=1, max_length=limits.FEATURE_LENGTH)]],
    Meta(max_length=limits.FEATURES),
]
Versions = Annotated[list[Annotated[int, Meta(ge=1, le=1000)]], Meta(min_length=1, max_length=16)]
Options = Annotated[dict[str, Any], Meta(max_length=limits.OPTION_FIELDS)]
"""The engine's options as plain data (`Options.to_data()`), `ask` included; the engine checks them."""
CardId = Annotated[int, Meta(ge=0, le=limits.MAX_ID)]
Face = Annotated[str, Meta(min_length=1, max_length=80)]
RunningClocks = Annotated[
    dict[Annotated[int, Meta(ge=0, le=limits.MAX_ID)], Annotated[int, Meta(ge=0, le=limits.CLOCK_MS)]],
    Meta(max_length=limits.TIMERS),
]
"""Timer number -> milliseconds left when the push was sent. Timers that are not in it do not run."""
ChangedClocks = Annotated[
    dict[Annotated[int, Meta(ge=0, le=limits.MAX_ID)], Annotated[int, Meta(ge=0, le=limits.CLOCK_MS)] | None],
    Meta(max_length=limits.TIMERS),
]
"""Timer number -> milliseconds left of a timer that has been set; None: it stands from now on."""
Data = dict[str, Any]
"""Plain data of the engine (a view, an event): str, int, bool, None, bytes, lists and maps with str keys."""


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Base of what is nested in messages."""


class Clocks(Shape, frozen=True, kw_only=True):
    """How long a table waits, in seconds. 0 means without limit where it is allowed (decision, away)."""

    reaction_s: Annotated[float, Meta(ge=limits.REACTION_SECONDS[1], le=limits.REACTION_SECONDS[2])] = (
        limits.REACTION_SECONDS[0]
    )
    """One beat: every window that opens without a new public fact between shares it."""
    decision_s: Annotated[float, Meta(ge=limits.DECISION_SECONDS[1], le=limits.DECISION_SECONDS[2])] = (
        limits.DECISION_SECONDS[0]
    )
    opening_s: Annotated[float, Meta(ge=limits.OPENING_SECONDS[1], le=limits.OPENING_SECONDS[2])] = (
        limits.OPENING_SECONDS[0]
    )
    """To open a sealed card; then that side forfeits."""
    deal_s: Annotated[float, Meta(ge=limits.DEAL_SECONDS[1], le=limits.DEAL_SECONDS[2])] = limits.DEAL_SECONDS[0]
    """For both negotiators together; then the deal fails."""
    away_s: Annotated[float, Meta(ge=limits.AWAY_SECONDS[1], le=limits.AWAY_SECONDS[2])] = limits.AWAY_SECONDS[0]
    """How long a missing player is waited for before a bot plays the seat."""


class House(Shape, frozen=True, kw_only=True):
    """The customs of a table, beside the options of the game and the clocks."""

    absent: Absent = "vote"
    watch_delay_s: Annotated[float, Meta(ge=limits.WATCH_DELAY_SECONDS[1], le=limits.WATCH_DELAY_SECONDS[2])] = (
        limits.WATCH_DELAY_SECONDS[0]
    )
    """How much later those who look on see the game."""
    whispers: bool = False
    """Whether players may whisper to each other."""


class WhisperKey(Shape, frozen=True, kw_only=True):
    """The key that a player's program takes whispers with, signed by the player: `whisper.vouch`."""

    sign_key: Key
    """The player's Ed25519 key."""
    key: Key
    """X25519, drawn by the program when it starts."""
    signature: Signature


class Box(Shape, frozen=True, kw_only=True):
    """An encrypted whisper: `whisper.seal`."""

    key: Key
    """The X25519 key of the program that it comes from."""
    number: Annotated[int, Meta(ge=1, le=limits.MAX_ID)]
    """Counts the whispers of that program to this one."""
    data: WhisperData


class SeatInfo(Shape, frozen=True, kw_only=True):
    """One seat of a table; the seat's name is its colour. An empty seat has the name ""."""

    seat: SeatName
    name: ShownName = ""
    ready: bool = False
    bot: bool = False
    """Taken by a bot from the start. (A bot that plays for a missing person shows as presence "bot".)"""
    owner: bool = False
    """The player whose program runs the host: may change options, add bots, start."""
    presence: Presence = "gone"
    whisper: WhisperKey | None = None
    """With what this seat's player takes whispers, where they are allowed."""


class Absence(Shape, frozen=True, kw_only=True):
    """A seat of a running game whose player is gone."""

    seat: SeatName
    left_ms: Annotated[int, Meta(ge=0, le=limits.CLOCK_MS)] | None
    """How long he is still waited for; None: without end."""
    wait: Annotated[list[SeatName], Meta(max_length=limits.SEATS)] = []
    bot: Annotated[list[SeatName], Meta(max_length=limits.SEATS)] = []
    """Who has voted for what."""
    coming: bool = False
    """A bot takes over as soon as no card of this seat lies sealed."""


class Table(Shape, frozen=True, kw_only=True):
    """A table as everybody may see it, in the lobby and during the game."""

    name: TableName
    phase: Literal["lobby", "seeding", "playing", "over"]
    seats: Annotated[list[SeatInfo], Meta(max_length=limits.SEATS)]
    """In clockwise order."""
    watchers: Annotated[list[PlayerName], Meta(max_length=limits.WATCHERS)]
    options: Options
    clocks: Clocks
    practice: bool = False
    """The seed was given, not drawn together: whoever knows it knows every card."""
    game: GameId | None = None
    house: House = House()
    away: Annotated[list[Absence], Meta(max_length=limits.SEATS)] = []
    invites: Annotated[
        list[Annotated[str, Meta(max_length=limits.INVITE_LENGTH)]], Meta(max_length=limits.INVITES)
    ] = []
    """Join codes and invites to this table, likeliest first."""


class You(Shape, frozen=True, kw_only=True):
    """What a table is to the one who reads this."""

    seat: SeatName | None = None
    owner: bool = False


class Head(Shape, frozen=True, kw_only=True):
    """A head of the transcript, signed by the host: after `count` entries the chain's head is `head`."""

    count: Number
    head: Hash
    signature: Signature


class SealContext(Shape, frozen=True, kw_only=True):
    """What a commitment is bound to; the engine's sealing context."""

    v: Annotated[int, Meta(ge=0, le=1000)]
    game: GameId
    encounter: Number
    attempt: Number
    seat: SeatName
    key: Key

    def data(self) -> dict[str, Any]:
        """The context as the engine's sealing functions take it."""
        return msgspec.structs.asdict(self)


class SealedCard(Shape, frozen=True, kw_only=True):
    """A commitment on the table, with its maker's signature."""

    seat: SeatName
    context: SealContext
    commitment: Hash
    signature: Signature


class Shared(Shape, frozen=True, kw_only=True):
    """The part of an update that all are told."""

    events: Annotated[list[Data], Meta(max_length=limits.EVENTS_PER_PUSH)] = []
    """New events, oldest first, as the whole table may see them."""
    patch: Any = None
    """The change of what all may see of the view: `patch.apply`; None if nothing changed."""
    entries: Entries = []
    """New transcript entries, oldest first."""
    signature: Signature | None = None
    """Of the head after the last entry whose number, from 1, is a multiple of `limits.ENTRIES_PER_SIGNATURE`."""
    clocks: ChangedClocks = {}
    """Timers that have been set. The others run on; those of decisions that are not open any more have ended."""


class Own(Shape, frozen=True, kw_only=True):
    """The part of an update that one player alone is told."""

    events: Annotated[list[Data], Meta(max_length=limits.EVENTS_PER_PUSH)] = []
    """Events of which this player sees more than the table: instead of the shared one with the same `n`, if any."""
    patch: Any = None
    """The change of the rest of the view, without `prompts`."""
    asked: Annotated[list[Data], Meta(max_length=limits.DECISIONS)] = []
    """The prompts that are new or have changed, without what stands in `waiting` of the same decision."""


class SignedSeed(Shape, frozen=True, kw_only=True):
    """A seat's commitment to its share of the seed."""

    commitment: Hash
    signature: Signature


class StandingPass(Shape, frozen=True, kw_only=True):
    """A seat that is passing until something happens, except in the windows that it keeps."""

    seat: SeatName
    until: Until
    keep: WindowNames = []


class Error(Shape, frozen=True, kw_only=True):
    """Why a request was refused: a code for programs, a text for people."""

    code: ErrorCode
    text: Text


class Welcome(Shape, frozen=True, kw_only=True):
    """The body of the reply to `hello`."""

    version: Annotated[int, Meta(ge=1, le=1000)]
    """The version that both speak from now on."""
    features: Features
    """The features that both have."""
    program: Program
    sign_key: Key
    """The host's Ed25519 key, which signs heads."""
    proof: Signature
    """By that key, over the host's CURVE key: see `identity.prove_host`."""
    next: PushNumber
    """The number of the next push. Unless it is `seen` + 1, some are gone, and a snapshot follows."""
    seat: SeatName | None
    game: GameId | None
    """The game that is being played at the table, if any."""


class Page(Shape, frozen=True, kw_only=True):
    """The body of the reply to `record`: entries start, start + 1, ... of a game's transcript."""

    start: Number
    total: Number
    """How many entries the transcript has now."""
    entries: Annotated[list[Entry], Meta(max_length=limits.ENTRIES_PER_PAGE)]
    opened: Annotated[list[bytes], Meta(max_length=limits.ENTRIES_PER_PAGE)] = []
    """Only after the game: for each entry its opening (`transcript.opening`), b"" where there is none."""
