"""Reinforcements: cards that raise the total of either side after the reveal (V04 to V08)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.cards import decks, faces
from cosmic_net.engine import ask
from cosmic_net.engine.state import SIDES
from cosmic_net.engine.verbs import MAIN_OR_ALLY, Artifact, Steps, Use, plays

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def not_passed(t: Table, u: Use) -> bool:
    """Whoever has passed plays no more reinforcement in this encounter (V05)."""
    return u.seat not in t.enc.passed_reinforcement


def choose_side(t: Table, u: Use) -> Steps:
    """Either side's total, the enemy's too."""
    options = [ask.option(side, "{seat}", seat=t.enc.main_of(side)) for side in SIDES]
    own = t.enc.side_of(u.seat)
    text = "Whose total does the reinforcement raise?"
    return (yield from ask.pick(t, u.seat, "side", text, options, default=own))


class Reinforcement(Artifact):
    """Adds its number to a total. It is no artifact: nothing that answers flares and artifacts can stop it."""

    id = "reinforcement"
    who = MAIN_OR_ALLY
    when = ("reveal",)
    text = "After cards are revealed, add this number to the total of either side."

    @plays("after-reveal", who=MAIN_OR_ALLY, when=not_passed, aim=choose_side)
    def add(self, t: Table, u: Use) -> Steps:
        """Adds to the side it was aimed at."""
        assert u.card is not None
        number = faces.number(u.card.face)
        t.enc.additions[u.aim] += number
        t.say("reinforced", seat=u.seat, side=u.aim, number=number)
        return
        yield


def _kind(number: int) -> type[Reinforcement]:
    face = f"reinforcement-{number}"
    return type(f"Reinforcement{number}", (Reinforcement,), {"id": face, "add": Reinforcement.add})


REINFORCEMENTS = [_kind(number) for number in decks.REINFORCEMENTS]
