"""Putting away what an encounter leaves on the table when it is cut short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import drawing, hands, ships
from cosmic_net.engine.state import OFFENSE, SIDES
from cosmic_net.engine.verbs import Steps

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def ships_home(t: Table, *, allies_only: bool = False) -> Steps:
    """Returns the ships on the gate and beside the planet to colonies, in timing order."""
    enc = t.enc
    for seat in t.order():
        if enc.gate.get(seat) and not (allies_only and seat == enc.offense):
            yield from ships.send_home(t, seat, ships.GATE)
        if enc.side.get(seat):
            yield from ships.send_home(t, seat, ships.SIDE)
    yield from ships.settle(t)


def put_away(t: Table) -> Steps:
    """Ships go home, sealed cards go back unseen, cards that were up and are not discarded yet are discarded."""
    yield from ships_home(t)
    t.enc.sealed.clear()
    yield from discard_encounter_cards(t)


def discard_encounter_cards(t: Table) -> Steps:
    """Discards the encounter cards that lie open, the offense's first (O60); hidden ones go under the deck."""
    enc = t.enc
    batch = hands.Discard()
    for side in SIDES:
        card = enc.cards.get(side)
        if card is None or card.discarded:
            continue
        card.discarded = True
        if card.hidden:
            t.state.deck.append(card.card.face)
            t.say("card-buried", seat=card.seat)
        else:
            batch.cards.append((card.seat, card.card.face))
    yield from drawing.discard_batch(t, batch)


def both_sides(t: Table) -> list[str]:
    """The main players, offense first."""
    return [t.enc.main_of(side) for side in (OFFENSE, "defense")]
