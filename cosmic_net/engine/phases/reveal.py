"""Reveal: the cards are opened, what follows from them, and the outcome (V01 to V14, O01 to O04)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cosmic_net.cards import faces
from cosmic_net.engine import seals
from cosmic_net.engine.phases import deal
from cosmic_net.engine.state import DEFENSE, OFFENSE, SIDES, other_side
from cosmic_net.engine.verbs import Steps
from cosmic_net.engine.windows import window

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def run(t: Table) -> Steps:
    """The whole phase, in the order of V09."""
    enc = t.enc
    yield from seals.open_all(t)
    if enc.forfeits:
        yield from _forfeited(t)
        return
    t.say("cards-revealed", cards={side: enc.cards[side].face for side in SIDES})
    _morph(t)
    yield from window(t, "first-of-all")
    _planned_effects(t)
    yield from window(t, "after-reveal")
    yield from _outcome(t)


def _forfeited(t: Table) -> Steps:
    """A side without a valid card has lost, without margin; with both, both have (nothing stands in for the card)."""
    enc = t.enc
    losers = {enc.side_of(seat) for seat in enc.forfeits}
    note_ships(t)
    if len(losers) == 2:
        fix(t, "both-lose")
    else:
        fix(t, other_side(str(losers.pop())))
    yield from seals.give_up(t)


def _morph(t: Table) -> None:
    """V02: a morph becomes a copy of the opponent's card as printed; two morphs stay what they are."""
    cards = t.enc.cards
    kinds = {side: cards[side].kind for side in SIDES}
    if list(kinds.values()).count(faces.MORPH) == 1:
        side = next(side for side in SIDES if kinds[side] == faces.MORPH)
        replace_face(t, side, cards[other_side(side)].face)


def replace_face(t: Table, side: str, face: str) -> None:
    """Another face stands for a side from now on (a copy); a late morph copies at once."""
    if face == faces.MORPH and t.enc.cards[other_side(side)].kind != faces.MORPH:
        face = t.enc.cards[other_side(side)].face
    seals.show(t, side, face)
    t.say("card-becomes", side=side, seat=t.enc.main_of(side), card=face)


def plan(t: Table, seat: str, effect: Any) -> None:
    """Announced in Planning, works among the planned effects (V09 step 4): `effect(t)` then."""
    t.enc.facts.setdefault("planned", []).append((seat, effect))


def _planned_effects(t: Table) -> None:
    order = t.order()
    for _, effect in sorted(t.enc.facts.get("planned", []), key=lambda item: order.index(item[0])):
        effect(t)


def note_ships(t: Table) -> None:
    """Remembers the ships in the encounter at the end of Reveal (O71)."""
    t.enc.ships_at_reveal = {seat: t.ships_in_encounter(seat) for seat in t.state.seats}


def both_are(t: Table, kind: str) -> bool:
    """Whether both encounter cards are now of this type."""
    return all(t.enc.cards[side].kind == kind for side in SIDES)


def _outcome(t: Table) -> Steps:
    """Types are final: totals, automatic wins, reversals, and the result (V09 steps 6 to 8)."""
    enc = t.enc
    note_ships(t)
    kinds = {side: enc.cards[side].kind for side in SIDES}
    winner = t.number("automatic-winner", None)
    if winner is not None:
        result = winner
    elif both_are(t, faces.MORPH):
        result = "both-lose"
    elif both_are(t, faces.ATTACK):
        result = _by_totals(t)
    elif both_are(t, faces.NEGOTIATE):
        result = yield from deal.bargain(t)
    else:
        result = OFFENSE if kinds[OFFENSE] == faces.ATTACK else DEFENSE
    if result in SIDES:
        result = t.number("result-reversed", result)
    fix(t, result)


def fix(t: Table, result: str) -> None:
    """Fixes the outcome of the encounter."""
    enc = t.enc
    enc.result = result
    enc.success = result in (OFFENSE, "deal", "success")
    t.say(
        "outcome",
        result=result,
        offense=enc.offense,
        defense=enc.defense,
        target=enc.target,
        margin=enc.margin,
    )


# ---- totals


def _by_totals(t: Table) -> str:
    """V12, O01: the higher total wins (or the lower, by an effect); a tie goes to the defense."""
    enc = t.enc
    parts = {side: total_parts(t, side) for side in SIDES}
    enc.totals = {side: part["total"] for side, part in parts.items()}
    enc.margin = abs(enc.totals[OFFENSE] - enc.totals[DEFENSE])
    t.say("totals", parts=parts)
    if enc.totals[OFFENSE] == enc.totals[DEFENSE]:
        return DEFENSE
    lower_wins = t.number("lower-wins", False)
    higher = OFFENSE if enc.totals[OFFENSE] > enc.totals[DEFENSE] else DEFENSE
    return other_side(higher) if lower_wins else higher


def total_parts(t: Table, side: str) -> dict[str, Any]:
    """A side's total and the sum behind it: the card, each player's ships, other additions.

    A ship's worth (`ship-worth`, 1), what else is done with a player's ships (`ship-part`), and whether they add or
    subtract (`ship-sign`) come in that order (V12).
    """
    enc = t.enc
    ships = {}
    for seat in t.order():
        if enc.side_of(seat) == side and (count := t.ships_in_encounter(seat)):
            worth = count * t.number("ship-worth", 1, seat=seat)
            part = t.number("ship-part", worth, seat=seat, side=side)
            ships[seat] = part * t.number("ship-sign", 1, seat=seat, side=side)
    card = enc.cards[side].value
    added = enc.additions[side]
    return {"card": card, "ships": ships, "added": added, "total": card + sum(ships.values()) + added}
