"""Who wins, and when it is looked at (section 11 of the rules)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine.errors import GameEnds

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def winners(t: Table) -> list[str]:
    """All who have what it takes at this moment (Z01, Z04)."""
    goal = t.state.options.colonies_to_win
    return [seat for seat in t.state.seats if t.number("has-won", len(t.foreign(seat)) >= goal, seat=seat)]


def check(t: Table) -> None:
    """Ends the game if anybody has won at this moment; all who have win together (Z01, Z03, Z04).

    Called at the end of a Resolution, and after a single effect that founded a colony outside one.
    """
    if won := winners(t):
        t.state.winners = won
        t.state.over = True
        t.say("game-over", winners=won)
        raise GameEnds
