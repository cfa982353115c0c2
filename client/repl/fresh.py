"""A question that has just taken the place of another: Enter, meant for that one, must not answer this one."""

from __future__ import annotations

import time
from collections.abc import Callable

from client.desk.desk import Desk

FRESH_SECONDS = 0.7
"""How long Enter alone is not taken for an answer after a question was closed without one from this player."""


class Fresh:
    """Watches the questions of a desk as they are drawn."""

    def __init__(self, desk: Desk, now: Callable[[], float] = time.monotonic) -> None:
        self._desk = desk
        self._now = now
        self._asked: int | None = None
        self._until = 0.0

    def notice(self) -> None:
        """To be called whenever the question may be another."""
        asked = self._desk.question()
        if asked is None or asked.id == self._asked:
            return
        if self._asked is not None and self._asked not in self._desk.player.answered:
            self._until = self._now() + FRESH_SECONDS
        self._asked = asked.id

    def holds_back(self, line: str) -> bool:
        """Whether this line is an Enter that was meant for the question before."""
        self.notice()
        if line.strip() or self._desk.draft is not None:  # a choice that waits to be sent belongs to this question
            return False
        return self._now() < self._until
