"""Who wins, and when it is looked at (section 11 of the rules)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine.errors import GameEnds

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def check(t: Table) -> None:
    """Ends the game if anybody has won at this moment; all who have win together (Z01, Z03, Z04).

    Called at the end of a Resolution, and after a single effect that founded a colony outside one.
    """
    goal = t.state.options.colonies_to_win
    winners = [seat for seat in t.state.seats if t.number("has-won", len(t.foreign(seat)) >= goal, seat=seat)]
    if winners:
        t.state.winners = winners
        t.state.over = True
        t.say("game-over", winners=winners)
        raise GameEnds
