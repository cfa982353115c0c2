"""Quash: an agreed deal is cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine.phases.deal import Agreement
from cosmic_net.engine.verbs import ANY, Artifact, Steps, Use, before, plays

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def deal_stands(t: Table, u: Use) -> bool:
    """A deal has been agreed and nobody has cancelled it."""
    agreement: Agreement = u.subject
    return not agreement.cancelled


class Quash(Artifact):
    """Before anything changes hands (U14); the dealing players suffer the penalty of a failed deal."""

    id = "quash"
    who = ANY
    when = ("resolution",)
    text = "When a deal has been agreed: it is cancelled, and both dealing players lose three ships."

    @plays(before("deal-agreed"), when=deal_stands)
    def cancel(self, t: Table, u: Use) -> Steps:
        """The deal counts as failed."""
        agreement: Agreement = u.subject
        agreement.cancelled = True
        t.say("deal-quashed", seat=u.seat)
        return
        yield
