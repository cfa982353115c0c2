"""The clocks of a game: one for each timer of the open decisions. They only measure; expiry is an input like others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from cosmic_net.engine.decisions import DEAL_CLOCK, DECISION_CLOCK, OPENING_CLOCK, REACTION_CLOCK, Decision
from protocol import limits
from protocol.messages import Clocks


class Running:
    """The timers that run. Times are seconds of a clock that only goes forward."""

    def __init__(self, clocks: Clocks) -> None:
        self._seconds = {
            REACTION_CLOCK: clocks.reaction_s,
            DECISION_CLOCK: clocks.decision_s,
            OPENING_CLOCK: clocks.opening_s,
            DEAL_CLOCK: clocks.deal_s,
        }
        self._ends: dict[int, float] = {}
        self.standing: frozenset[int] = frozenset()
        """The timers that stand, because somebody is waited for."""

    def watch(self, pending: Sequence[Decision], now: float, waited_for: Collection[str] = ()) -> None:
        """Starts the timers of decisions that have just been asked; those of others end. A known one runs on.

        What is asked of somebody who is waited for has no time limit; it starts anew when he is back.
        """
        self.standing = frozenset(decision.timer for decision in pending if decision.seat in waited_for)
        self._ends = {
            decision.timer: self._ends.get(decision.timer, now + self._seconds[decision.clock])
            for decision in pending
            if self._seconds[decision.clock] > 0 and decision.timer not in self.standing
        }

    def due(self, pending: Sequence[Decision], now: float) -> int | None:
        """The group of an open decision whose time is over; None if there is none."""
        for decision in pending:
            if self._ends.get(decision.timer, now + 1) <= now:
                return decision.group
        return None

    def left(self, now: float) -> dict[int, int]:
        """Milliseconds left of every timer."""
        return {timer: self._milliseconds(end - now) for timer, end in self._ends.items()}

    @property
    def ends(self) -> Mapping[int, float]:
        """When each timer ends. It is made anew with every change."""
        return self._ends

    def next_end(self) -> float | None:
        """When the next timer ends."""
        return min(self._ends.values(), default=None)

    @staticmethod
    def _milliseconds(seconds: float) -> int:
        return min(max(0, round(seconds * 1000)), limits.CLOCK_MS)
