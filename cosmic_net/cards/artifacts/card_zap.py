"""Card Zap: a flare or artifact has no effect and is discarded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.cards import faces
from cosmic_net.engine.verbs import ANY, Artifact, Steps, Use, before, plays

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def stoppable(t: Table, u: Use) -> bool:
    """A flare or artifact that is being played, by anybody, and not stopped yet."""
    played: Use = u.subject
    stops = (faces.FLARE, faces.ARTIFACT)
    return played.card is not None and not played.cancelled and faces.type_of(played.card.face) in stops


class CardZap(Artifact):
    """Answers the play of a flare (either half) or an artifact, zaps included."""

    id = "card-zap"
    who = ANY
    when = ("any",)
    text = "When anybody plays a flare or an artifact: it has no effect and is discarded."

    @plays(before("card-played"), when=stoppable)
    def zap(self, t: Table, u: Use) -> Steps:
        """Stops the card; a flare has still been its player's flare of the encounter (F06)."""
        played: Use = u.subject
        played.cancelled, played.returns = True, "discard"
        t.say("card-zapped", seat=u.seat, victim=played.seat, card=played.card.face if played.card else "")
        return
        yield
