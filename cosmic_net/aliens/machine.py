"""Machine: goes on having encounters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import drawing, hands
from cosmic_net.engine.phases import regroup
from cosmic_net.engine.phases.regroup import Retrieval
from cosmic_net.engine.verbs import OFFENSE, Alien, Half, Sheet, Steps, Use, before, super_, use, wild

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def turn_may_go_on(t: Table, u: Use) -> bool:
    """No effect has granted a further encounter yet, and there are cards that could be encounter cards."""
    return not t.enc.facts.get("again") and hands.size(t, u.seat) > 0


def holds_encounter_card(t: Table, u: Use) -> bool:
    """It is in the hand; a hoard does not count."""
    return hands.has_encounter_card(t, u.seat)


def was_first(t: Table, u: Use) -> bool:
    """The first encounter of the turn is over, and nothing has granted a second one yet."""
    return t.enc.nth == 1 and not t.enc.facts.get("again")


def has_no_other_way(t: Table, u: Use) -> bool:
    """The rules alone allow no second encounter: no success, or no encounter card in hand."""
    return not (t.enc.success and holds_encounter_card(t, u)) or t.state.options.single_encounter


def waits_for_the_hand(t: Table, u: Use) -> str:
    """Without an encounter card in hand the flare waits for the new hand."""
    return "aside" if "new hand" in u.notes else "hand"


def forgoes_nothing_yet(t: Table, u: Use) -> bool:
    """The ship is still to be retrieved."""
    retrieval: Retrieval = u.subject
    return not retrieval.forgone


class Machine(Alien):
    """Continuity."""

    sheet = Sheet(
        id="machine",
        name="Machine",
        power="Continuity",
        alert="red",
        short="Keeps having encounters",
        who=OFFENSE,
        when=("resolution",),
        mandatory=False,
        text=(
            "Two encounters a turn are no limit for you: after each of your encounters, however it ended, you may "
            "have one more if you hold an encounter card."
        ),
        wild=Half(
            OFFENSE,
            ("resolution",),
            "Have a second encounter though the first was no success or you hold no encounter card; in that case "
            "this flare waits aside while you take a new hand at the start.",
        ),
        super_=Half(OFFENSE, ("regroup",), "When you would retrieve a ship: leave it in the warp and draw a card."),
    )

    @use("encounter-choice", who=OFFENSE, when=turn_may_go_on, can=holds_encounter_card)
    def go_on(self, t: Table, u: Use) -> Steps:
        """One more encounter, from Regroup."""
        t.enc.facts["again"] = True
        return
        yield

    @wild("encounter-choice", who=OFFENSE, when=was_first, can=has_no_other_way, goes=waits_for_the_hand)
    def second_encounter(self, t: Table, u: Use) -> Steps:
        """Whatever became of the first."""
        t.enc.facts["again"] = True
        if not hands.has_encounter_card(t, u.seat):
            u.notes["new hand"] = True
            regroup.at_next_start(t, lambda t: new_hand_if_needed(t, u.seat))
        return
        yield

    @super_(before("ship-retrieved"), who=OFFENSE, when=forgoes_nothing_yet)
    def leave_ship(self, t: Table, u: Use) -> Steps:
        """No ship leaves the warp, so nobody can react to that; the draw is an ordinary one."""
        retrieval: Retrieval = u.subject
        retrieval.forgone = True
        yield from drawing.draw(t, u.seat, 1, "machine")


def new_hand_if_needed(t: Table, seat: str) -> Steps:
    """At the start of the second encounter; the flare joins the new hand."""
    if hands.has_encounter_card(t, seat):
        hands.bring_back(t, seat)
    else:
        yield from drawing.new_hand(t, seat, "machine")
