"""Views: all that may ever leave the host for a seat, by an allow-list.

`public` is what the whole table may see; `private` adds what one seat sees besides. Two games that differ only in
what a player may not know give him equal views.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from cosmic_net.engine import hands
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.state import OFFENSE, SIDES, Encounter, Power

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def public(t: Table, pending: Iterable[Decision]) -> dict[str, Any]:
    """What the whole table may see, as plain data."""
    state = t.state
    return {
        "game": state.game_id,
        "options": state.options.to_data(),
        "seats": list(state.seats),
        "turn": state.turn,
        "active": state.active,
        "encounter": _encounter(t, state.encounter),
        "planets": {planet: dict(ships) for planet, ships in state.planets.items()},
        "players": {seat: _player(t, seat) for seat in state.seats},
        "deck": len(state.deck),
        "discards": list(state.discards),
        "destiny": {"deck": len(state.destiny_deck), "discards": list(state.destiny_discards)},
        "table": [[seat, card.face] for seat, card in state.table],
        "waiting": [decision.public_data() for decision in pending],
        "over": state.over,
        "winners": list(state.winners),
    }


def private(t: Table, seat: str, pending: Iterable[Decision]) -> dict[str, Any]:
    """What one seat sees besides: its hand, what lies on its sheets, the cards shown to it, its open questions."""
    player = t.player(seat)
    return {
        "me": seat,
        "hand": [list(card) for card in player.hand],
        "aside": [list(card) for card in player.aside],
        "sheets": {power.id: [list(card) for card in power.cards] for power in player.powers if power.cards},
        "seen": list(t.state.seen[seat]),
        "prompts": [decision.to_data() for decision in pending if decision.seat == seat],
    }


def _player(t: Table, seat: str) -> dict[str, Any]:
    player = t.player(seat)
    return {
        "hand": hands.size(t, seat),
        "warp": player.warp,
        "removed": player.removed,
        "lifted": player.lifted,
        "aside": len(player.aside),
        "home": len(t.homes(seat)),
        "foreign": len(t.foreign(seat)),
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
        "zapped": sorted(power.id for p in t.state.players.values() for power in p.powers if power.uid in enc.zapped),
        "flares": sorted(enc.flares_played),
        "flare_players": sorted(enc.flare_players),
        "main": [enc.main_of(side) for side in SIDES] if enc.defense else [enc.offense],
    } | ({"offense_side": [s for s in t.state.seats if enc.side_of(s) == OFFENSE]})
