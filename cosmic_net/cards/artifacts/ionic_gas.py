"""Ionic Gas: nobody collects compensation or rewards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine.verbs import ANY, Artifact, Steps, Use, plays

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def has_winner(t: Table, u: Use) -> bool:
    """Somebody has won the encounter, so that something could be collected."""
    return t.enc.winner_side() is not None and not t.enc.facts.get("nothing-collected")


class IonicGas(Artifact):
    """Stops compensation and defender rewards of this encounter, nothing else."""

    id = "ionic-gas"
    who = ANY
    when = ("resolution",)
    text = "After the winner is determined: nobody collects compensation or defender rewards in this encounter."

    @plays("after-outcome", when=has_winner)
    def spread(self, t: Table, u: Use) -> Steps:
        """Landing, looting and the return of allies go on."""
        t.enc.facts["nothing-collected"] = True
        t.say("ionic-gas", seat=u.seat)
        return
        yield
