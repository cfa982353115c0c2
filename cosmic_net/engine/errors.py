"""The errors and early exits of the engine."""

from __future__ import annotations

from typing import Any

#: A reason quotes no more than this of an answer.
MOST_QUOTED = 40


class IllegalAnswer(ValueError):
    """An answer that the rules do not allow; the message says why, for people."""


def shown(value: Any) -> str:
    """A part of an answer as a reason quotes it: short and safe, whatever somebody sent."""
    if isinstance(value, str):
        return value if len(value) <= MOST_QUOTED else f"{value[: MOST_QUOTED - 1]}…"
    if value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) < 2**64):
        return repr(value)
    return f"something of the type {type(value).__name__}"


class RulesError(RuntimeError):
    """The engine is at odds with itself (a runaway game, say): a defect, never a player's fault."""


class EncounterEnds(Exception):
    """Ends the running encounter at once, without a Resolution.

    success: whether it counts as a successful encounter (a second one is allowed); turn_over: whether the turn ends
    with it; result: one of `engine.state.RESULTS`.
    """

    def __init__(self, result: str, *, success: bool = False, turn_over: bool = False) -> None:
        super().__init__(result)
        self.result = result
        self.success = success
        self.turn_over = turn_over


class GameEnds(Exception):
    """The game is over; the winners stand in the state."""
