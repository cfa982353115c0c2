"""Regroup: the offense takes a ship out of the warp (G01 to G05)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cosmic_net.engine import ask, ships
from cosmic_net.engine.verbs import Steps, before
from cosmic_net.engine.windows import window

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


@dataclass
class Retrieval:
    """The ship that the offense is about to retrieve; an effect may forgo it."""

    seat: str
    forgone: bool = False


def run(t: Table) -> Steps:
    """The whole phase."""
    yield from _due(t)
    yield from window(t, "regroup-start")
    yield from retrieve(t)
    yield from window(t, "after-regroup", "before-destiny")


def at_next_start(t: Table, effect: Callable[[Table], Steps]) -> None:
    """What an effect leaves to be done at the start of the next encounter, before anything else there."""
    t.state.due.append(effect)


def _due(t: Table) -> Steps:
    while t.state.due:
        yield from t.state.due.pop(0)(t)


def retrieve(t: Table) -> Steps:
    """G01: exactly one own ship, if one is in the warp; without a colony it goes on the gate (G03)."""
    seat = t.enc.offense
    if t.player(seat).warp == 0:
        return
    retrieval = Retrieval(seat)
    yield from window(t, before("ship-retrieved"), subject=retrieval)
    if retrieval.forgone:
        t.say("retrieval-forgone", seat=seat)
        return
    ships.take(t, seat, {ships.WARP: 1})
    colonies = t.colonies(seat)
    if not colonies:
        ships.put(t, seat, ships.GATE, 1)
        t.say("ship-on-gate", seat=seat)
    else:
        text = "Where does the ship from the warp go?"
        where = yield from ask.ships(t, seat, "regroup", text, dict.fromkeys(colonies, 1), 1, 1)
        for planet, count in where.items():
            ships.put(t, seat, planet, count)
            t.say("ship-retrieved", seat=seat, planet=planet)
    yield from ships.freed(t, seat, 1, "regroup")
    yield from ships.settle(t)
