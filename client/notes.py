"""What a client tells its player: one small type for each kind of news, in the order in which it came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from protocol import messages as m


@dataclass(frozen=True)
class Happened:
    """An event of the game."""

    event: Mapping[str, Any]


@dataclass(frozen=True)
class Moved:
    """The game has moved: what is asked and of whom may be another."""


@dataclass(frozen=True)
class Before:
    """What happened before this client was shown the game: the last events, oldest first."""

    events: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Checked:
    """All openings of an encounter so far have been checked by this client itself: how many were right."""

    good: int
    of: int


@dataclass(frozen=True)
class TableChanged:
    """The table as it was (None at first) and as it is."""

    old: m.Table | None
    new: m.Table


@dataclass(frozen=True)
class PresenceChanged:
    """A seat's player is here, away or gone, or (as the record says) a bot plays."""

    seat: str
    state: m.Presence


@dataclass(frozen=True)
class Said:
    """Somebody said something."""

    seat: str | None
    name: str
    text: str


@dataclass(frozen=True)
class Whispered:
    """One seat has whispered to another: what, if it was to this player, and how many before it never came."""

    seat: str
    to: str
    text: str | None
    missed: int = 0


@dataclass(frozen=True)
class PassStands:
    """A seat's standing pass was set, or has ended ("off")."""

    seat: str
    until: m.Until


@dataclass(frozen=True)
class GameBegan:
    """A game starts (the seed is drawn), or this client is shown a running one (`running`)."""

    game: str
    practice: bool
    running: bool


@dataclass(frozen=True)
class SeedDrawn:
    """Every seat has given its share of the seed: nobody alone chose the shuffle."""

    seats: int


@dataclass(frozen=True)
class GameEnded:
    """The game is over."""

    outcome: str
    winners: tuple[str, ...]


@dataclass(frozen=True)
class LookedBack:
    """After the game this client has replayed the whole record: how many entries, how much is wrong with them."""

    entries: int
    wrong: int


@dataclass(frozen=True)
class Alarm:
    """Something is wrong that a host or player can only have done on purpose, or a defect. `fatal`: play stops."""

    text: str
    fatal: bool = False


@dataclass(frozen=True)
class Info:
    """A sentence for the player."""

    text: str


@dataclass(frozen=True)
class Connection:
    """The connection: "up", "down" or "over" (it will not come back); `text` says why."""

    state: str
    text: str = ""


Note = (
    Happened | Moved | Before | Checked | TableChanged | PresenceChanged | Said | Whispered | PassStands | GameBegan
    | SeedDrawn | GameEnded | LookedBack | Alarm | Info | Connection
)  # fmt: skip
"""Any news."""
