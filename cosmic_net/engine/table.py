"""The table: the state with all that the rules ask of it, passed to every phase and effect as `t`.

It knows who sits where, who is on which side, which powers work, and what numbers stand after all modifiers. It
changes nothing but the log; ships move in `engine.ships`, cards in `engine.hands`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from cosmic_net.cards import faces
from cosmic_net.engine import verbs
from cosmic_net.engine.board import Board
from cosmic_net.engine.errors import RulesError
from cosmic_net.engine.events import Event
from cosmic_net.engine.options import Setup
from cosmic_net.engine.rng import Rng
from cosmic_net.engine.state import (
    BYSTANDER,
    DEFENSE,
    DEFENSIVE_ALLY,
    OFFENSE,
    OFFENSIVE_ALLY,
    Encounter,
    Modifier,
    Player,
    Power,
    State,
    owner_of,
)
from cosmic_net.engine.verbs import Alien, Artifact, Hook, Use, Value

NONE: Mapping[str, Power] = {}

#: Which parts in an encounter each role takes in.
ROLES: Mapping[str, tuple[str, ...]] = {
    verbs.MAIN: (OFFENSE, DEFENSE),
    verbs.OFFENSE: (OFFENSE,),
    verbs.DEFENSE: (DEFENSE,),
    verbs.ALLY: (OFFENSIVE_ALLY, DEFENSIVE_ALLY),
    verbs.OFFENSIVE_ALLY: (OFFENSIVE_ALLY,),
    verbs.MAIN_OR_ALLY: (OFFENSE, DEFENSE, OFFENSIVE_ALLY, DEFENSIVE_ALLY),
    verbs.BYSTANDER: (BYSTANDER,),
    verbs.NOT_OFFENSE: (DEFENSE, OFFENSIVE_ALLY, DEFENSIVE_ALLY, BYSTANDER),
    verbs.NOT_MAIN: (OFFENSIVE_ALLY, DEFENSIVE_ALLY, BYSTANDER),
    verbs.MAIN_OR_BYSTANDER: (OFFENSE, DEFENSE, BYSTANDER),
    verbs.OFFENSE_OR_ALLY: (OFFENSE, OFFENSIVE_ALLY, DEFENSIVE_ALLY),
}


@cache
def timing_order(seats: tuple[str, ...], offense: str, defense: str | None) -> tuple[str, ...]:
    """Seats in timing order (K02): offense, defense, then clockwise from the offense's left."""
    at = seats.index(offense)
    first = (offense,) if defense in (None, offense) else (offense, defense)
    return (*first, *(seat for seat in seats[at:] + seats[:at] if seat not in first))


class Entry(NamedTuple):
    """One effect that may act in a window: of a power (with its sheet) or of a kind of card (with its face)."""

    hook: Hook
    power: Power | None
    face: str | None


class Catalog(NamedTuple):
    """All content of the game: aliens by id, artifacts by face, and the hooks of other cards by face."""

    aliens: Mapping[str, Alien]
    artifacts: Mapping[str, Artifact]
    others: Mapping[str, Artifact]


class Table:
    """A game in progress, as the rules see it."""

    def __init__(self, setup: Setup, seed: bytes, catalog: Catalog) -> None:
        self.setup = setup
        self.catalog = catalog
        self.rng = Rng(seed)
        self.events: list[Event] = []
        self.depth = 0
        self.exchange: list[tuple[str, Any]] = []
        self.committed: set[int] = set()
        options = setup.options
        planets = {f"{seat}-{i}": {seat: options.ships} for seat in setup.seats for i in range(1, options.planets + 1)}
        self.state = State(
            game_id=setup.game_id,
            seats=setup.seats,
            options=options,
            players={seat: Player(seat) for seat in setup.seats},
            planets=planets,
            seen={seat: [] for seat in setup.seats},
        )
        self.board = Board(planets, setup.seats)
        self.options_data = options.to_data()
        self._systems = {seat: [p for p in planets if owner_of(p) == seat] for seat in setup.seats}
        self._counters = {what: itertools.count(1) for what in ("card", "power", "decision", "group")}
        self._card_ids: set[int] = set()
        self._casts: dict[tuple[Any, ...], Mapping[str, list[str]]] = {}
        self._windows: dict[str, list[Entry]] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._sheets: dict[str, dict[str, Power]] = {}
        self._sources: dict[str, list[Power]] = {}
        self._values: dict[tuple[str, str], list[tuple[Power, Value]]] = {}
        self._holders: dict[int, str] = {}
        self._card_windows: dict[str, list[Entry]] = {}

    # ---- counters and log

    def count(self, what: str) -> int:
        """The next number of a counter: "card", "power", "decision" or "group"."""
        return next(self._counters[what])

    def card_id(self) -> int:
        """The id of a card that comes into a hand. Once it is opened nobody can tell by it when and whence it came."""
        card_id = self.rng.name(self.count("card"))
        while card_id in self._card_ids:
            card_id = self.rng.name(self.count("card"))
        self._card_ids.add(card_id)
        return card_id

    def say(
        self,
        kind: str,
        *,
        to: Iterable[str] = (),
        secret: Mapping[str, Any] | None = None,
        hidden: bool = False,
        **fields: Any,
    ) -> None:
        """Writes an event to the log; `secret` fields are for the seats in `to` alone."""
        enc = self.state.encounter
        data = {"phase": enc.phase if enc else "setup", **fields}
        self.events.append(Event(len(self.events), kind, data, secret, tuple(to), hidden))

    # ---- people and places

    @property
    def enc(self) -> Encounter:
        """The running encounter (or, between two, the one just ended)."""
        enc = self.state.encounter
        if enc is None:
            raise RulesError("no encounter is running")
        return enc

    def player(self, seat: str) -> Player:
        """The player at a seat."""
        return self.state.players[seat]

    def clockwise_from(self, seat: str) -> list[str]:
        """All seats clockwise, this one first."""
        seats = self.state.seats
        at = seats.index(seat)
        return list(seats[at:] + seats[:at])

    def order(self) -> tuple[str, ...]:
        """The seats in timing order (K02): offense, defense, then clockwise from the offense's left."""
        enc = self.state.encounter
        return self.state.seats if enc is None else timing_order(self.state.seats, enc.offense, enc.defense)

    def others(self, seat: str) -> list[str]:
        """The other seats clockwise from this one's left."""
        return self.clockwise_from(seat)[1:]

    def system(self, seat: str) -> list[str]:
        """The planets of a player's home system."""
        return list(self._systems[seat])

    def colonies(self, seat: str) -> Sequence[str]:
        """The planets on which a player has a colony."""
        return self.board.colonies[seat]

    def homes(self, seat: str) -> Sequence[str]:
        """The planets of the own system on which a player has a colony (T03)."""
        return self.board.homes[seat]

    def foreign(self, seat: str) -> Sequence[str]:
        """The planets of other systems on which a player has a colony (T03)."""
        return self.board.foreign[seat]

    def ships_in_encounter(self, seat: str) -> int:
        """A player's ships in the encounter (T08): on the gate, beside the planet, or defending on it."""
        enc = self.enc
        count = enc.gate.get(seat, 0) + enc.side.get(seat, 0)
        if seat == enc.defense and enc.target is not None:
            count += self.state.planets[enc.target].get(seat, 0)
        return count

    def opponent(self, seat: str) -> str:
        """The other main player, for a main player."""
        enc = self.enc
        assert enc.defense is not None
        return enc.defense if seat == enc.offense else enc.offense

    def cast(self) -> Mapping[str, list[str]]:
        """Who has which role of `ROLES` in the encounter now, in timing order."""
        enc = self.enc
        now = (enc.offense, enc.defense, *enc.allies.items())
        found = self._casts.get(now)
        if found is None:
            parts = {seat: enc.part_of(seat) for seat in self.order()}
            found = {who: [seat for seat, part in parts.items() if part in taken] for who, taken in ROLES.items()}
            self._casts[now] = found
        return found

    def is_role(self, seat: str, who: str, subject: Any = None) -> bool:
        """Whether a player has a role (`verbs`: MAIN, ALLY, …) now; OWN and OTHERS look at the subject's seat."""
        if who == verbs.ANY:
            return True
        if who == verbs.OWN:
            return bool(seat == subject.seat if hasattr(subject, "seat") else seat in subject.seats)
        if who == verbs.OTHERS:
            return bool(seat != subject.seat if hasattr(subject, "seat") else set(subject.seats) - {seat})
        return self.enc.part_of(seat) in ROLES[who]

    # ---- powers

    def holder(self, power: Power) -> str | None:
        """The seat that has the sheet now; None if it is out of the game."""
        return self._holders.get(power.uid)

    def works(self, power: Power) -> bool:
        """Whether a power can do anything now: held, not lost (W01), not zapped in this encounter (W08)."""
        seat = self._holders.get(power.uid)
        if seat is None or self.state.players[seat].power_lost:
            return False
        enc = self.state.encounter
        return enc is None or power.uid not in enc.zapped

    def power_of(self, seat: str, alien: str) -> Power | None:
        """The sheet of this alien at this seat, if it lies there."""
        return self._sheets.get(alien, NONE).get(seat)

    def seat_of_alien(self, alien: str) -> str | None:
        """Who has this alien's sheet."""
        return next(iter(self._sheets.get(alien, ())), None)

    def who_is(self, alien: str) -> list[str]:
        """Who has this alien's sheet and its power works: there its flare is a super (F01)."""
        sheets = self._sheets.get(alien)
        return [seat for seat, power in sheets.items() if self.works(power)] if sheets else []

    def sources(self, seat: str) -> Sequence[Power]:
        """The sheets of a player from which cards may be played while they work (`plays_from_sheet`)."""
        return self._sources.get(seat, ())

    def new_power(self, alien: str) -> Power:
        """A sheet that comes into play."""
        return Power(self.count("power"), self.catalog.aliens[alien])

    def index_powers(self) -> None:
        """Rebuilds all that is found by sheets: windows, numbers, holders; after every change of sheets."""
        self._windows = {}
        self._entries = {}
        self._values = {}
        self._holders = {}
        self._sheets = {}
        self._sources = {}
        for player in self.state.players.values():
            for power in player.powers:
                self._holders[power.uid] = player.seat
                self._sheets.setdefault(power.id, {}).setdefault(player.seat, power)
                if power.alien.plays_from_sheet:
                    self._sources.setdefault(player.seat, []).append(power)
                for hook in power.alien.hooks:
                    if hook.half == verbs.POWER:
                        for name in hook.at:
                            self._windows.setdefault(name, []).append(Entry(hook, power, None))
                for value in power.alien.values:
                    self._values.setdefault((value.verb, value.name), []).append((power, value))

    def index_cards(self) -> None:
        """Builds the index from windows to the flares of the pool, artifacts and reinforcements; once a game."""
        options = self.state.options
        kinds: dict[str, Iterable[Hook]] = {face: card.hooks for face, card in self.catalog.others.items()}
        if options.artifacts:
            kinds |= {face: card.hooks for face, card in self.catalog.artifacts.items()}
        if options.flares:
            for alien in self.state.pool:
                halves = [hook for hook in self.catalog.aliens[alien].hooks if hook.half != verbs.POWER]
                kinds[faces.flare_of(alien)] = halves
        self._card_windows = {}
        self._entries = {}
        for face, hooks in kinds.items():
            for hook in hooks:
                for name in hook.at:
                    self._card_windows.setdefault(name, []).append(Entry(hook, None, face))

    def entries(self, window: str) -> list[Entry]:
        """Everything in this game that hangs on a window, lower places first."""
        found = self._entries.get(window)
        if found is None:
            found = self._windows.get(window, []) + self._card_windows.get(window, [])
            found = self._entries[window] = sorted(found, key=lambda entry: entry.hook.place)
        return found

    def has_entries(self, window: str) -> bool:
        """Whether anything in this game hangs on a window at all."""
        return window in self._windows or window in self._card_windows

    # ---- numbers, limits, rules

    def number(self, name: str, base: Any, **about: Any) -> Any:
        """A number, limit or rule after all that modifies it, powers in timing order first."""
        marks = self._values.get(("modifies", name))
        if marks:
            for power, value in self._in_order(marks):
                seat = self._holders[power.uid]
                use = Use(seat, verbs.HOLDS, power=power)
                if self.is_role(seat, value.who) and (value.when is None or value.when(self, use)):
                    base = value.effect(self, use, base, **about)
        if self.state.encounter is not None:
            for modifier in self.state.encounter.modifiers:
                if modifier.name == name and (modifier.power is None or self.works(modifier.power)):
                    base = modifier.change(base, **about)
        return base

    def values(self, verb: str, name: str, seat: str) -> list[tuple[Power, Value]]:
        """The working `offers` or `deal_term` marks of a player for one choice."""
        found = []
        for power, value in self._in_order(self._values.get((verb, name), [])):
            if self._holders[power.uid] != seat or not self.is_role(seat, value.who):
                continue
            if value.when is None or value.when(self, Use(seat, verbs.HOLDS, power=power)):
                found.append((power, value))
        return found

    def deal_term_names(self) -> list[str]:
        """The further terms of deals that sheets in play bring along."""
        return [name for verb, name in self._values if verb == "deal_term"]

    def attach(self, name: str, change: Any, power: Power | None = None) -> None:
        """Adds a modifier of a number until the encounter ends, void while `power` (if given) does not work."""
        self.enc.modifiers.append(Modifier(name, change, power))

    def _in_order(self, marks: list[tuple[Power, Value]]) -> Iterator[tuple[Power, Value]]:
        working = [(power, value) for power, value in marks if self.works(power)]
        if len(working) > 1:
            order = self.order()
            working.sort(key=lambda mark: order.index(self._holders[mark[0].uid]))
        return iter(working)

    # ---- cards that people have not seen

    def copies_unseen(self, face: str) -> int:
        """How many cards of this face could still be in a hand, as far as everybody can know."""
        on_table = sum(card.face == face for _, card in self.state.table) if self.state.table else 0
        return faces.copies(face) - self.state.discards.count(face) - on_table
