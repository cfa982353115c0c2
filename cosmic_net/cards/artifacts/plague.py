"""Plague: a player loses three ships and one card of each type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.cards import faces
from cosmic_net.engine import ask, drawing, hands, ships
from cosmic_net.engine.verbs import ANY, Artifact, Steps, Use, plays

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

SHIPS = 3


def choose_victim(t: Table, u: Use) -> Steps:
    """Any player, oneself included."""
    return (yield from ask.seat_of(t, u.seat, "plague", "Who catches the plague?", t.order()))


class Plague(Artifact):
    """Ships first, then cards; the victim picks both."""

    id = "plague"
    who = ANY
    when = ("regroup",)
    text = (
        "At the start of any encounter: a player of your choice loses three ships of his choice and discards one "
        "card of each type he holds."
    )

    @plays("regroup-start", aim=choose_victim)
    def strike(self, t: Table, u: Use) -> Steps:
        """A type that is missing is not proved; cards on a sheet that he plays from are held as well."""
        yield from ships.lose_chosen(t, u.aim, SHIPS, "plague")
        chosen = []
        for kind in faces.TYPES:
            of_kind = [card for card in hands.holdings(t, u.aim) if faces.type_of(card.face) == kind]
            text = "Which {kind} card do you discard?"
            picked = yield from ask.cards(t, u.aim, "discard", text, of_kind, 1, 1, kind=kind)
            chosen += [card for card in of_kind if card.id in picked]
        yield from drawing.discard(t, u.aim, chosen)
