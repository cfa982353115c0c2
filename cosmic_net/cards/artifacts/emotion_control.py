"""Emotion Control: attacks among the encounter cards count as negotiates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.cards import faces
from cosmic_net.engine.verbs import ANY, Artifact, Steps, Use, plays

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def attack_is_up(t: Table, u: Use) -> bool:
    """At least one of the encounter cards is an attack now."""
    return any(card.kind == faces.ATTACK for card in t.enc.cards.values())


class EmotionControl(Artifact):
    """From now on the main players must try for a deal (U19)."""

    id = "emotion-control"
    who = ANY
    when = ("reveal",)
    text = "After cards are revealed: every attack among them counts as a negotiate."

    @plays("after-reveal", when=attack_is_up)
    def calm(self, t: Table, u: Use) -> Steps:
        """Turns attacks, copies included; reinforcements played before are lost."""
        for card in t.enc.cards.values():
            if card.kind == faces.ATTACK:
                card.kind = faces.NEGOTIATE
        t.say("emotions-controlled", seat=u.seat)
        return
        yield
