"""Planning: hands are checked, and both main players lay a card face down (P20 to P27)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cosmic_net.engine import ask, drawing, hands, seals
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
    """The whole phase, in the steps of P26; the window of formed alliances joins the first if nothing lies between."""
    enc = t.enc
    if can_select(t, enc.offense) and not hands.has_encounter_card(t, enc.main_of(DEFENSE)):
        yield from window(t, "alliances-formed")
        yield from _check_defense(t)
        yield from window(t, "before-selection")
    else:
        yield from window(t, "alliances-formed", "before-selection")
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
    """P21: a defense without encounter card takes a new hand; cards on a sheet spare it that if it likes (P27)."""
    defense = t.enc.main_of(DEFENSE)
    if hands.has_encounter_card(t, defense):
        return
    yield from window(t, "hand-check")
    if hands.has_encounter_card(t, defense):
        return
    if can_select(t, defense):
        text = "You have no encounter card in hand. Do you take a new hand?"
        if t.enc.facts.get("hand-kept") or not (yield from ask.yes(t, defense, "new-hand", text)):
            t.enc.facts["hand-kept"] = True
            return
    yield from drawing.new_hand(t, defense, "defense")


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
