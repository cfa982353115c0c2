"""Views: all that may ever leave the host for a seat, by an allow-list.

`public` is what the whole table may see; `private` adds what one seat sees besides. Two games that differ only in
what a player may not know give him equal views.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cosmic_net.engine import hands
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.state import OFFENSE, SIDES, Encounter, Power, owner_of

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


class View(Mapping[str, Any]):
    """A view whose entries are made when they are looked at, for players in the same process.

    Without `seat` it is what the whole table may see. It is good for the moment in which it was made.
    """

    def __init__(self, t: Table, seat: str | None, pending: Sequence[Decision]) -> None:
        self._table = t
        self._seat = seat
        self._pending = pending
        self._made: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        if key not in self._made:
            if key in PUBLIC:
                self._made[key] = PUBLIC[key](self._table, self._pending)
            elif self._seat is not None:
                self._made[key] = PRIVATE[key](self._table, self._seat, self._pending)
            else:
                raise KeyError(key)
        return self._made[key]

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


def _players(t: Table) -> dict[str, Any]:
    home = dict.fromkeys(t.state.seats, 0)
    foreign = dict(home)
    for planet, there in t.state.planets.items():
        owner = owner_of(planet)
        for seat in there:
            (home if seat == owner else foreign)[seat] += 1
    return {seat: _player(t, seat, home[seat], foreign[seat]) for seat in t.state.seats}


def _player(t: Table, seat: str, home: int, foreign: int) -> dict[str, Any]:
    player = t.player(seat)
    return {
        "hand": hands.size(t, seat),
        "warp": player.warp,
        "removed": player.removed,
        "lifted": player.lifted,
        "aside": len(player.aside),
        "home": home,
        "foreign": foreign,
        "powers": [_power(t, power) for power in player.powers],
        "lost": player.power_lost,
    }


def _power(t: Table, power: Power) -> dict[str, Any]:
    return {
        "alien": power.id,
        "works": t.works(power),
        "tokens": power.tokens,
        "cards": len(power.cards),
        "lent_by": power.lent_by,
    }


def _encounter(t: Table, enc: Encounter | None) -> dict[str, Any] | None:
    if enc is None:
        return None
    cards: dict[str, Any] = {}
    for side in SIDES:
        if side in enc.cards:
            cards[side] = enc.cards[side].face
        elif side in enc.sealed:
            cards[side] = "sealed"
    return {
        "number": enc.number,
        "nth": enc.nth,
        "phase": enc.phase,
        "offense": enc.offense,
        "defense": enc.defense,
        "system": enc.system,
        "target": enc.target,
        "gate": dict(enc.gate),
        "side": dict(enc.side),
        "allies": dict(enc.allies),
        "invited": {side: list(seats) for side, seats in enc.invited.items()},
        "destiny": list(enc.destiny),
        "cards": cards,
        "values": {side: card.value for side, card in enc.cards.items()},
        "kinds": {side: card.kind for side, card in enc.cards.items()},
        "additions": dict(enc.additions),
        "totals": dict(enc.totals),
        "result": enc.result,
        "zapped": _zapped(t, enc) if enc.zapped else [],
        "flares": sorted(enc.flares_played),
        "flare_players": sorted(enc.flare_players),
        "main": [enc.main_of(side) for side in SIDES] if enc.defense else [enc.offense],
        "offense_side": [s for s in t.state.seats if enc.side_of(s) == OFFENSE],
    }


def _zapped(t: Table, enc: Encounter) -> list[str]:
    return sorted(power.id for p in t.state.players.values() for power in p.powers if power.uid in enc.zapped)


#: What everybody sees, entry by entry.
PUBLIC: dict[str, Callable[[Table, Sequence[Decision]], Any]] = {
    "game": lambda t, _: t.state.game_id,
    "options": lambda t, _: t.options_data,
    "seats": lambda t, _: list(t.state.seats),
    "turn": lambda t, _: t.state.turn,
    "active": lambda t, _: t.state.active,
    "encounter": lambda t, _: _encounter(t, t.state.encounter),
    "planets": lambda t, _: {planet: dict(ships) for planet, ships in t.state.planets.items()},
    "players": lambda t, _: _players(t),
    "deck": lambda t, _: len(t.state.deck),
    "discards": lambda t, _: list(t.state.discards),
    "destiny": lambda t, _: {"deck": len(t.state.destiny_deck), "discards": list(t.state.destiny_discards)},
    "table": lambda t, _: [[seat, card.face] for seat, card in t.state.table],
    "waiting": lambda _, pending: [decision.public_data() for decision in pending],
    "over": lambda t, _: t.state.over,
    "winners": lambda t, _: list(t.state.winners),
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
