"""Barbarian: plunders the hand of whom it beats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import ask, drawing, hands
from cosmic_net.engine.phases.resolution import Collecting
from cosmic_net.engine.state import OFFENSE as OFFENSE_WON
from cosmic_net.engine.verbs import (
    MAIN_OR_ALLY,
    OFFENSE,
    OFFENSIVE_ALLY,
    OWN,
    Alien,
    Half,
    Sheet,
    Steps,
    Use,
    after,
    super_,
    use,
    wild,
)
from cosmic_net.engine.windows import use_part

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def can_loot(t: Table, u: Use) -> bool:
    """The offense has won, and the defense has cards."""
    return t.enc.result == OFFENSE_WON and hands.size(t, str(t.enc.defense)) > 0


def got_cards(t: Table, u: Use) -> bool:
    """Compensation or rewards have brought him cards."""
    claim: Collecting = u.subject
    return bool(claim.cards)


class Barbarian(Alien):
    """Loot and Pillage."""

    sheet = Sheet(
        id="barbarian",
        name="Barbarian",
        power="Loot and Pillage",
        alert="green",
        short="Loots and empties the loser's hand",
        who=OFFENSE,
        when=("resolution",),
        mandatory=True,
        text=(
            "When you win as the offense, take your opponent's hand before any compensation. Keep at most one card "
            "for each ship you have in the encounter; the rest is discarded."
        ),
        wild=Half(
            MAIN_OR_ALLY,
            ("resolution",),
            "When you take compensation or rewards, look at all cards you get and discard those you do not want.",
        ),
        super_=Half(
            "offensive-ally",
            ("resolution",),
            "Use the power as an offensive ally when your side wins: loot the defense.",
        ),
    )

    @use("looting", who=OFFENSE, must=True, when=can_loot)
    def loot(self, t: Table, u: Use) -> Steps:
        """Ships count as they stood at the end of Reveal (O71)."""
        victim = str(t.enc.defense)
        loot = hands.give(t, victim, u.seat, list(hands.held(t, victim)), "barbarian")
        most = t.enc.ships_at_reveal.get(u.seat, 0)
        text = "Which cards do you keep, {most} at most?"
        kept = yield from ask.cards(t, u.seat, "loot", text, loot, 0, most, most=most)
        yield from drawing.discard(t, u.seat, [card for card in loot if card.id not in kept])

    @wild(after("compensation-taken"), after("rewards-taken"), who=OWN, when=got_cards)
    def sift(self, t: Table, u: Use) -> Steps:
        """Nothing comes in place of what is discarded."""
        claim: Collecting = u.subject
        got = [card for card in hands.held(t, u.seat) if card in claim.cards]
        text = "Which of these cards do you discard?"
        unwanted = yield from ask.cards(t, u.seat, "discard", text, got, 0, len(got))
        yield from drawing.discard(t, u.seat, [card for card in got if card.id in unwanted])

    @super_("looting", who=OFFENSIVE_ALLY, when=can_loot)
    def loot_as_ally(self, t: Table, u: Use) -> Steps:
        """The limit is the ally's own ships."""
        yield from use_part(t, u, "loot")
