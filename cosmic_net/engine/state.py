"""The state of a game: plain containers, no rules.

Seats and planets are strings (`red`, `red-3`). A card in a hand has an id given when it came there, so ids tell
nothing; decks and piles hold faces only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from cosmic_net.engine.options import Options

if TYPE_CHECKING:
    from cosmic_net.engine.verbs import Alien

OFFENSE, DEFENSE = "offense", "defense"
SIDES = (OFFENSE, DEFENSE)
OFFENSIVE_ALLY, DEFENSIVE_ALLY, BYSTANDER = "offensive-ally", "defensive-ally", "bystander"
#: What a player can be in an encounter.
PARTS = (OFFENSE, DEFENSE, OFFENSIVE_ALLY, DEFENSIVE_ALLY, BYSTANDER)

#: How an encounter can end. "success" is one without winner or deal; "cut" one cut short.
RESULTS = ("offense", "defense", "both-lose", "deal", "deal-failed", "founded", "success", "cut")


class Card(NamedTuple):
    """A card in a hand, on a sheet or on the table."""

    id: int
    face: str


@dataclass(eq=False)
class Power:
    """An alien's sheet in play, with all that lies on it; it keeps its identity when it changes hands (W09).

    lent_by: whose it is, while another player has it on loan; brought_by: the sheet (uid) that brought it into play
    beside itself, and without which it is not there; id: the alien's.
    """

    uid: int
    alien: Alien
    tokens: int = 0
    cards: list[Card] = field(default_factory=list)
    lent_by: str | None = None
    brought_by: int | None = None
    id: str = field(init=False)

    def __post_init__(self) -> None:
        self.id = self.alien.sheet.id


@dataclass
class Player:
    """What one player has off the planets.

    `lifted` ships are taken up and about to be put down; cards in `aside` lie face down before the player and are not
    in the hand (H06).
    """

    seat: str
    hand: list[Card] = field(default_factory=list)
    warp: int = 0
    removed: int = 0
    lifted: int = 0
    aside: list[Card] = field(default_factory=list)
    powers: list[Power] = field(default_factory=list)
    power_lost: bool = False


@dataclass
class Sealed:
    """A card laid face down: who sealed it, what binds him, and from which sheet it comes (None: from the hand).

    `allowed` holds the ids of the cards that he might select; any other card opened is as good as none.
    """

    seat: str
    commitment: bytes | None
    context: dict[str, Any]
    allowed: frozenset[int] = frozenset()
    source: Power | None = None
    signature: bytes = b""
    opened: Card | None = None
    forfeited: bool = False


@dataclass
class EncounterCard:
    """The encounter card that stands for one side, as it counts now.

    face is what it shows (the claimed or copied face, where there is one), kind its type, value its present value;
    card is the physical card, seat the player who laid it. hidden: nobody may ever see the physical card; discarded:
    it has been put away; fetched: somebody has taken it from the pile since.
    """

    seat: str
    card: Card
    face: str
    kind: str
    value: int = 0
    hidden: bool = False
    discarded: bool = False
    fetched: bool = False


@dataclass
class Modifier:
    """A change of a number that holds until the encounter ends, and only while its power works."""

    name: str
    change: Callable[..., Any]
    power: Power | None = None


@dataclass
class Encounter:
    """One encounter: who, where, with what, and the remembered facts that effects ask for."""

    number: int
    offense: str
    nth: int
    phase: str = "regroup"
    defense: str | None = None
    system: str | None = None
    target: str | None = None
    gate: dict[str, int] = field(default_factory=dict)
    side: dict[str, int] = field(default_factory=dict)
    allies: dict[str, str] = field(default_factory=dict)
    invited: dict[str, list[str]] = field(default_factory=lambda: {OFFENSE: [], DEFENSE: []})
    has_allied: set[str] = field(default_factory=set)
    destiny: list[str] = field(default_factory=list)
    attempt: int = 0
    sealed: dict[str, Sealed] = field(default_factory=dict)
    cards: dict[str, EncounterCard] = field(default_factory=dict)
    additions: dict[str, int] = field(default_factory=lambda: {OFFENSE: 0, DEFENSE: 0})
    totals: dict[str, int] = field(default_factory=dict)
    forfeits: set[str] = field(default_factory=set)
    result: str | None = None
    margin: int | None = None
    success: bool = False
    ships_at_reveal: dict[str, int] = field(default_factory=dict)
    lost_to_warp: dict[str, int] = field(default_factory=dict)
    new_in_warp: dict[str, int] = field(default_factory=dict)
    lost_to_outcome: dict[str, int] = field(default_factory=dict)
    used: set[tuple[int, str]] = field(default_factory=set)
    zapped: set[int] = field(default_factory=set)
    flare_players: set[str] = field(default_factory=set)
    flares_played: set[str] = field(default_factory=set)
    barred_halves: set[tuple[str, str]] = field(default_factory=set)
    passed_reinforcement: set[str] = field(default_factory=set)
    modifiers: list[Modifier] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    resolving: bool = False

    def part_of(self, seat: str) -> str:
        """What a player is in this encounter, one of `PARTS`."""
        if seat == self.offense:
            return OFFENSE
        if seat == self.defense:
            return DEFENSE
        side = self.allies.get(seat)
        return BYSTANDER if side is None else OFFENSIVE_ALLY if side == OFFENSE else DEFENSIVE_ALLY

    def side_of(self, seat: str) -> str | None:
        """The side a player is on, as a main player or an ally; None for a bystander."""
        if seat == self.offense:
            return OFFENSE
        if seat == self.defense:
            return DEFENSE
        return self.allies.get(seat)

    def main_of(self, side: str) -> str:
        """The main player of a side."""
        seat = self.offense if side == OFFENSE else self.defense
        assert seat is not None
        return seat

    def winner_side(self) -> str | None:
        """The side that won, if there is one."""
        return self.result if self.result in SIDES else None


@dataclass
class State:
    """A whole game at a moment.

    spent_aliens left the game; put_by holds the sheets of players who have a lent one instead; table the cards that
    lie between being played and settled; seen what was last shown to a seat alone; due what effects have left to be
    done at the start of the next encounter.
    """

    game_id: str
    seats: tuple[str, ...]
    options: Options
    players: dict[str, Player]
    planets: dict[str, dict[str, int]]
    deck: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)
    destiny_deck: list[str] = field(default_factory=list)
    destiny_discards: list[str] = field(default_factory=list)
    pool: tuple[str, ...] = ()
    spent_aliens: list[str] = field(default_factory=list)
    put_by: dict[str, list[Power]] = field(default_factory=dict)
    table: list[tuple[str, Card]] = field(default_factory=list)
    turn: int = 0
    active: str | None = None
    encounter: Encounter | None = None
    encounters: int = 0
    seen: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    due: list[Callable[[Any], Any]] = field(default_factory=list)
    winners: list[str] = field(default_factory=list)
    over: bool = False


@cache
def owner_of(planet: str) -> str:
    """The seat in whose system a planet lies."""
    return planet.rsplit("-", 1)[0]


def other_side(side: str) -> str:
    """The opposing side."""
    return DEFENSE if side == OFFENSE else OFFENSE
