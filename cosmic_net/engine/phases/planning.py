"""Planning: hands are checked, and both main players lay a card face down (P20 to P27)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from cosmic_net.engine import ask, drawing, hands, seals
from cosmic_net.engine import decisions as kinds
from cosmic_net.engine.errors import EncounterEnds
from cosmic_net.engine.state import DEFENSE, OFFENSE, SIDES
from cosmic_net.engine.verbs import Steps, before
from cosmic_net.engine.windows import window

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


@dataclass
class Selection:
    """The two main players about to select.

    `first` lays his card open before the other selects; `forced` names the card (id) that a player must select.
    """

    seats: list[str]
    first: str | None = None
    forced: dict[str, int] = field(default_factory=dict)


def run(t: Table) -> Steps:
    """The whole phase, in the steps of P26; the first hand check lies between two windows that are asked as one."""
    enc = t.enc
    yield from window(t, "alliances-formed", "before-selection", between=partial(_check_defense, t))
    if not can_select(t, enc.offense):
        t.say("offense-without-card", seat=enc.offense)
        raise EncounterEnds("cut", turn_over=True)
    yield from _check_defense(t)
    yield from select(t)
    yield from window(t, "after-selection")


def can_select(t: Table, seat: str) -> bool:
    """Whether a player has an encounter card to select, in hand or on a sheet he may play from (P27)."""
    on_sheets = (hands.encounter_cards(power.cards) for power in hands.sheet_sources(t, seat))
    return hands.has_encounter_card(t, seat) or any(on_sheets)


def _check_defense(t: Table) -> Steps:
    """P21: a defense without encounter card takes a new hand, but not while the offense has none either (U05).

    Cards on a sheet spare it that if it likes (P27). Returns whether anything came of it.
    """
    defense = t.enc.main_of(DEFENSE)
    if any(power.cards for power in hands.sheet_sources(t, defense)):
        return (yield from _keep_or_replace(t, defense))
    for opened in (False, True):
        if hands.has_encounter_card(t, defense) or not can_select(t, t.enc.offense):
            return opened
        if not opened:
            yield from window(t, "hand-check")
    yield from drawing.new_hand(t, defense, "defense")
    return True


def _keep_or_replace(t: Table, defense: str) -> Steps:
    """P27: asked whatever hand and sheet hold, so that nobody learns that, and again if the hand has changed."""
    held = [card.id for card in hands.held(t, defense)]
    if t.enc.facts.get("hand-kept") == held:
        return False
    yield from window(t, "hand-check")
    lacks = not hands.has_encounter_card(t, defense)
    able = {"yes": lacks, "no": can_select(t, defense)}
    options = [ask.option(name, name) for name, there in able.items() if there]
    text = "You have no encounter card in hand. Do you take a new hand?" if lacks else "You keep your hand."
    bounds = {"options": options, "min": 1, "max": 1}
    question = ask.make(t, defense, kinds.CHOOSE, "new-hand", text, bounds, [options[-1]["id"]])
    if (yield from ask.one(t, question)) == ["no"]:
        t.enc.facts["hand-kept"] = held
    elif can_select(t, t.enc.offense):
        yield from drawing.new_hand(t, defense, "defense")
    return True


def select(t: Table) -> Steps:
    """Both select; together, unless an effect makes one lay his card open first."""
    enc = t.enc
    selection = Selection([enc.main_of(side) for side in SIDES])
    yield from window(t, before("cards-selected"), subject=selection)
    if selection.first is None:
        yield from seals.seal(t, selection.seats, selection.forced)
        return
    first = selection.first
    side = OFFENSE if first == enc.offense else DEFENSE
    yield from seals.seal(t, [first], selection.forced)
    yield from seals.lay_open(t, side)
    yield from window(t, "first-card-open", subject=selection)
    yield from seals.seal(t, [seat for seat in selection.seats if seat != first], selection.forced)
