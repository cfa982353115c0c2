"""Mobius Tubes: all ships of all players leave the warp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import ships
from cosmic_net.engine.verbs import OFFENSE, Artifact, Steps, Use, plays

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def ships_in_warp(t: Table, u: Use) -> bool:
    """There is a ship in the warp."""
    return any(player.warp for player in t.state.players.values())


class MobiusTubes(Artifact):
    """Frees everybody's ships, not only one's own."""

    id = "mobius-tubes"
    who = OFFENSE
    when = ("regroup",)
    text = "At the start of your encounter: all ships of all players go from the warp to their owners' colonies."

    @plays("regroup-start", who=OFFENSE, when=ships_in_warp)
    def free(self, t: Table, u: Use) -> Steps:
        """In timing order; one event for each player. Without a colony ships stay (G05)."""
        for seat in t.order():
            yield from ships.free(t, seat, t.player(seat).warp, "mobius-tubes")
