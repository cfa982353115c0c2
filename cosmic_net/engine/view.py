"""Views: all that may ever leave the host for a seat, by an allow-list.

`public` is what the whole table may see; `private` adds what one seat sees besides. Two games that differ only in
what a player may not know give him equal views.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cosmic_net.engine import hands
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.state import OFFENSE, SIDES, Encounter, Player, Power

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


class Entries(Mapping[str, Any]):
    """A part of a view whose entries are made, from an allow-list, when they are looked at."""

    def __init__(self, made_by: Mapping[str, Callable[..., Any]], *about: Any) -> None:
        self._made_by = made_by
        self._about = about

    def __getitem__(self, key: str) -> Any:
        return self._made_by[key](*self._about)

    def get(self, key: str, default: Any = None) -> Any:
        make = self._made_by.get(key)
        return make(*self._about) if make else default

    def __iter__(self) -> Iterator[str]:
        return iter(self._made_by)

    def __len__(self) -> int:
        return len(self._made_by)

    def plain(self) -> dict[str, Any]:
        """All entries, as plain data."""
        return {key: make(*self._about) for key, make in self._made_by.items()}


class View(Mapping[str, Any]):
    """A view whose entries are made when they are looked at, for players in the same process.

    Without `seat` it is what the whole table may see. It is good for the moment in which it was made.
    """

    def __init__(self, t: Table, seat: str | None, pending: Sequence[Decision]) -> None:
        self._table = t
        self._seat = seat
        self._pending = pending

    def __getitem__(self, key: str) -> Any:
        if key in LIVE:
            return LIVE[key](self._table)
        if key in PUBLIC:
            return PUBLIC[key](self._table, self._pending)
        if self._seat is not None:
            return PRIVATE[key](self._table, self._seat, self._pending)
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        yield from PUBLIC
        if self._seat is not None:
            yield from PRIVATE

    def __len__(self) -> int:
        return len(PUBLIC) + (len(PRIVATE) if self._seat is not None else 0)


def public(t: Table, pending: Sequence[Decision]) -> dict[str, Any]:
    """What the whole table may see, as plain data."""
    return {key: make(t, pending) for key, make in PUBLIC.items()}


def private(t: Table, seat: str, pending: Sequence[Decision]) -> dict[str, Any]:
    """What one seat sees besides: its hand, what lies on its sheets, what was shown to it, its open questions."""
    return {key: make(t, seat, pending) for key, make in PRIVATE.items()}


def players(t: Table) -> dict[str, Entries]:
    """What everybody sees of the players, by seat."""
    return {seat: Entries(PLAYER, t, player) for seat, player in t.state.players.items()}


def encounter(t: Table) -> Entries | None:
    """What everybody sees of the encounter; None before the first one."""
    return None if t.state.encounter is None else Entries(ENCOUNTER, t, t.state.encounter)


def _power(t: Table, power: Power) -> dict[str, Any]:
    return {
        "alien": power.id,
        "works": t.works(power),
        "tokens": power.tokens,
        "cards": len(power.cards),
        "lent_by": power.lent_by,
    }


def _cards(enc: Encounter) -> dict[str, str]:
    sealed = dict.fromkeys(enc.sealed, "sealed")
    both = sealed | {side: card.face for side, card in enc.cards.items()}
    return {side: both[side] for side in SIDES if side in both}


def _zapped(t: Table, enc: Encounter) -> list[str]:
    return sorted(power.id for p in t.state.players.values() for power in p.powers if power.uid in enc.zapped)


#: What everybody sees of a player.
PLAYER: dict[str, Callable[[Table, Player], Any]] = {
    "hand": lambda t, player: hands.size(t, player.seat),
    "warp": lambda _, player: player.warp,
    "removed": lambda _, player: player.removed,
    "lifted": lambda _, player: player.lifted,
    "aside": lambda _, player: len(player.aside),
    "home": lambda t, player: len(t.board.homes[player.seat]),
    "foreign": lambda t, player: len(t.board.foreign[player.seat]),
    "powers": lambda t, player: [_power(t, power) for power in player.powers],
    "lost": lambda _, player: player.power_lost,
}

#: What everybody sees of the encounter.
ENCOUNTER: dict[str, Callable[[Table, Encounter], Any]] = {
    "number": lambda _, enc: enc.number,
    "nth": lambda _, enc: enc.nth,
    "phase": lambda _, enc: enc.phase,
    "offense": lambda _, enc: enc.offense,
    "defense": lambda _, enc: enc.defense,
    "system": lambda _, enc: enc.system,
    "target": lambda _, enc: enc.target,
    "gate": lambda _, enc: dict(enc.gate),
    "side": lambda _, enc: dict(enc.side),
    "allies": lambda _, enc: dict(enc.allies),
    "invited": lambda _, enc: {side: list(seats) for side, seats in enc.invited.items()},
    "destiny": lambda _, enc: list(enc.destiny),
    "cards": lambda _, enc: _cards(enc),
    "values": lambda _, enc: {side: card.value for side, card in enc.cards.items()},
    "kinds": lambda _, enc: {side: card.kind for side, card in enc.cards.items()},
    "additions": lambda _, enc: dict(enc.additions),
    "totals": lambda _, enc: dict(enc.totals),
    "result": lambda _, enc: enc.result,
    "zapped": lambda t, enc: _zapped(t, enc) if enc.zapped else [],
    "flares": lambda _, enc: sorted(enc.flares_played),
    "flare_players": lambda _, enc: sorted(enc.flare_players),
    "main": lambda _, enc: [enc.main_of(side) for side in SIDES] if enc.defense else [enc.offense],
    "offense_side": lambda t, enc: [seat for seat in t.state.seats if enc.side_of(seat) == OFFENSE],
}

#: What everybody sees, entry by entry.
PUBLIC: dict[str, Callable[[Table, Sequence[Decision]], Any]] = {
    "game": lambda t, _: t.state.game_id,
    "options": lambda t, _: t.options_data,
    "seats": lambda t, _: list(t.state.seats),
    "turn": lambda t, _: t.state.turn,
    "active": lambda t, _: t.state.active,
    "encounter": lambda t, _: None if (enc := encounter(t)) is None else enc.plain(),
    "planets": lambda t, _: {planet: ships.copy() for planet, ships in t.state.planets.items()},
    "players": lambda t, _: {seat: player.plain() for seat, player in players(t).items()},
    "deck": lambda t, _: len(t.state.deck),
    "discards": lambda t, _: list(t.state.discards),
    "destiny": lambda t, _: {"deck": len(t.state.destiny_deck), "discards": list(t.state.destiny_discards)},
    "table": lambda t, _: [[seat, card.face] for seat, card in t.state.table],
    "waiting": lambda _, pending: [decision.public_data() for decision in pending],
    "over": lambda t, _: t.state.over,
    "winners": lambda t, _: list(t.state.winners),
}

#: What a look shows as it stands, where `PUBLIC` makes plain data of it: it is read at once.
LIVE: dict[str, Callable[[Table], Any]] = {
    "seats": lambda t: t.state.seats,
    "encounter": encounter,
    "planets": lambda t: t.state.planets,
    "players": players,
    "discards": lambda t: t.state.discards,
}

#: What one seat sees besides.
PRIVATE: dict[str, Callable[[Table, str, Sequence[Decision]], Any]] = {
    "me": lambda _t, seat, _p: seat,
    "hand": lambda t, seat, _: [list(card) for card in t.player(seat).hand],
    "aside": lambda t, seat, _: [list(card) for card in t.player(seat).aside],
    "sheets": lambda t, seat, _: {p.id: [list(card) for card in p.cards] for p in t.player(seat).powers if p.cards},
    "seen": lambda t, seat, _: list(t.state.seen[seat]),
    "prompts": lambda _, seat, pending: [decision.to_data() for decision in pending if decision.seat == seat],
}
