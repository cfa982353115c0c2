"""Oracle: sees the opponent's card before it chooses its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import hands
from cosmic_net.engine.errors import EncounterEnds
from cosmic_net.engine.phases.planning import Selection
from cosmic_net.engine.verbs import MAIN, Alien, Half, Sheet, Steps, Use, replaces, super_, wild

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def nobody_lays_first(t: Table, u: Use) -> bool:
    """No other Oracle was quicker: with two the offense's works."""
    selection: Selection = u.subject
    return selection.first is None


def opponent_lies_open(t: Table, u: Use) -> bool:
    """The opponent, not the player himself, has laid a card open."""
    selection: Selection = u.subject
    opponent = t.opponent(u.seat)
    return selection.first == opponent and t.enc.side_of(opponent) in t.enc.cards


class Oracle(Alien):
    """Foresee."""

    sheet = Sheet(
        id="oracle",
        name="Oracle",
        power="Foresee",
        alert="green",
        short="Sees the opponent's card first",
        who=MAIN,
        when=("planning",),
        mandatory=True,
        text=(
            "When cards are selected, your opponent selects first and lays his card face up; only then do you "
            "select yours, face down."
        ),
        wild=Half(
            MAIN,
            ("planning",),
            "Before cards are selected, mix your hand with your opponent's; take back as many cards as you had, "
            "unseen; he gets the rest.",
        ),
        super_=Half(
            MAIN,
            ("planning",),
            "When your opponent has laid his card and before you select: end the encounter. His card goes back, all "
            "ships go home, and it counts as a success for the offense.",
        ),
    )

    @replaces("cards-selected", who=MAIN, must=True, when=nobody_lays_first)
    def foresee(self, t: Table, u: Use) -> Steps:
        """The opponent lays his card open first."""
        selection: Selection = u.subject
        selection.first = next(seat for seat in selection.seats if seat != u.seat)
        return
        yield

    @wild("before-selection", who=MAIN)
    def mix_hands(self, t: Table, u: Use) -> Steps:
        """The number of cards stays; this flare waits on the table."""
        hands.mix(t, u.seat, t.opponent(u.seat), "oracle")
        return
        yield

    @super_("first-card-open", who=MAIN, when=opponent_lies_open)
    def end_it(self, t: Table, u: Use) -> Steps:
        """A success without winner or deal."""
        hands.take_back(t, t.opponent(u.seat))
        raise EncounterEnds("success", success=True)
        yield
