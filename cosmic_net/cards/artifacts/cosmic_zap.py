"""Cosmic Zap: one use of a power is cancelled, and that power is off for the rest of the encounter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine.verbs import ANY, SUPER, Artifact, Steps, Use, before, plays

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def power_in_use(t: Table, u: Use) -> bool:
    """Any use of a power, also one's own, that is not cancelled yet."""
    used: Use = u.subject
    return used.power is not None and not used.cancelled


def super_played(t: Table, u: Use) -> bool:
    """A super flare as it is played (F07)."""
    played: Use = u.subject
    return played.hook.half == SUPER and not played.cancelled


class CosmicZap(Artifact):
    """Answers a use of a power, or the play of a super flare."""

    id = "cosmic-zap"
    who = ANY
    when = ("any",)
    text = "When anybody uses an alien power: that use is cancelled, and the power is off until the encounter ends."

    @plays(before("power-used"), when=power_in_use)
    def zap(self, t: Table, u: Use) -> Steps:
        """The power is off for whoever holds it (W08)."""
        used: Use = u.subject
        assert used.power is not None
        used.cancelled = True
        t.enc.zapped.add(used.power.uid)
        t.say("power-zapped", seat=u.seat, victim=used.seat, alien=used.power.id)
        return
        yield

    @plays(before("card-played"), when=super_played)
    def zap_super(self, t: Table, u: Use) -> Steps:
        """The flare goes back to the hand, uncounted, and can still be played as a wild (F07)."""
        played: Use = u.subject
        assert played.power is not None
        played.cancelled, played.returns, played.counts = True, "hand", False
        t.enc.zapped.add(played.power.uid)
        t.say("power-zapped", seat=u.seat, victim=played.seat, alien=played.power.id)
        return
        yield
