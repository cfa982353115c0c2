"""What a table agrees on before the game: who sits where, which variants, which aliens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

SEATS = ("red", "blue", "green", "yellow", "purple")
ALIEN_CHOICES = ("flares", "choice", "random", "fixed")
ALERTS = ("green", "yellow", "red")
NO_ALIEN = "none"


class BadSetup(ValueError):
    """A setup that no game can be played with; the message says what to change."""


@dataclass(frozen=True)
class Options:
    """The variants that a table chooses.

    planets: home planets a player, 5 or 4 (Q01). ships: ships on each at the start. goal: foreign colonies that win;
    None means as many as there are planets. flares, artifacts: whether those cards are in the deck.
    single_encounter: one encounter a turn (Q10). aliens: how they are handed out: "flares" (two flares each, choose
    one; SU20), "choice" (free choice in seat order), "random", or "fixed" (by `fixed`: seat -> alien id or "none").
    alert: the highest alert level dealt. pool: the alien ids to deal from, () for all there are.
    ask: who is asked in a reaction window: "all" whom public facts allow to act, or the "able" only, which is quicker
    and gives away who holds nothing.
    """

    planets: int = 5
    ships: int = 4
    goal: int | None = None
    flares: bool = True
    artifacts: bool = True
    single_encounter: bool = False
    aliens: str = "flares"
    alert: str = "red"
    pool: tuple[str, ...] = ()
    fixed: Mapping[str, str] = field(default_factory=dict)
    ask: str = "all"

    def __post_init__(self) -> None:
        if self.planets not in (4, 5):
            raise BadSetup("planets must be 4 or 5")
        if not 1 <= self.ships <= 8:
            raise BadSetup("ships a planet must be 1 to 8")
        if self.goal is not None and not 1 <= self.goal <= 20:
            raise BadSetup("goal must be 1 to 20 foreign colonies")
        if self.aliens not in ALIEN_CHOICES:
            raise BadSetup(f"aliens must be one of {', '.join(ALIEN_CHOICES)}")
        if self.alert not in ALERTS:
            raise BadSetup(f"alert must be one of {', '.join(ALERTS)}")
        if self.ask not in ("all", "able"):
            raise BadSetup('ask must be "all" or "able"')

    @property
    def colonies_to_win(self) -> int:
        """How many foreign colonies win the game (Z01, Q01)."""
        return self.planets if self.goal is None else self.goal

    @property
    def homes_for_power(self) -> int:
        """With fewer home colonies than this a power is lost (W01, Q01)."""
        return 3 if self.planets == 5 else 2

    def to_data(self) -> dict[str, Any]:
        """Plain data, for the wire and the journal."""
        data = asdict(self)
        data["pool"] = list(self.pool)
        data["fixed"] = dict(self.fixed)
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Options:
        """The options from plain data. Raises BadSetup for an unknown or impossible entry."""
        known = {f.name for f in fields(cls)}
        if unknown := sorted(set(data) - known):
            raise BadSetup(f"unknown option: {', '.join(unknown)}")
        values = dict(data)
        if "pool" in values:
            values["pool"] = tuple(values["pool"])
        return cls(**values)


@dataclass(frozen=True)
class Setup:
    """A game before its first card: an id, the seats clockwise, each player's public signing key, the options.

    `position` is None for an ordinary game; a scenario gives a position to start from (see `engine.position`).
    """

    game_id: str
    seats: tuple[str, ...]
    keys: Mapping[str, bytes] = field(default_factory=dict)
    options: Options = field(default_factory=Options)
    position: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if not 3 <= len(self.seats) <= 5:
            raise BadSetup("a game needs 3 to 5 players")
        if len(set(self.seats)) != len(self.seats) or not set(self.seats) <= set(SEATS):
            raise BadSetup(f"seats must be different colours of {', '.join(SEATS)}")

    def to_data(self) -> dict[str, Any]:
        """Plain data, for the wire and the journal."""
        return {
            "game_id": self.game_id,
            "seats": list(self.seats),
            "keys": dict(self.keys),
            "options": self.options.to_data(),
            "position": dict(self.position) if self.position is not None else None,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Setup:
        """The setup from plain data. Raises BadSetup if it cannot be played."""
        return cls(
            game_id=data["game_id"],
            seats=tuple(data["seats"]),
            keys=dict(data["keys"]),
            options=Options.from_data(data["options"]),
            position=data.get("position"),
        )
