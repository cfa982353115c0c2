"""Stopping a game between two questions: a log that is listened to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cosmic_net.engine.events import Event


class Stop(Exception):
    """The moment has come at which a game is to be looked at; it cannot go on after this."""


class Log(list[Event]):
    """The log of a game, with an ear on it; whoever listens may raise `Stop`."""

    def __init__(self, events: Iterable[Event], heard: Callable[[Event], None]) -> None:
        super().__init__(events)
        self._heard = heard

    def append(self, event: Event) -> None:
        """Writes an event down and passes it on."""
        super().append(event)
        self._heard(event)


class Blanks(dict[str, Any]):
    """Arguments of a text in which a missing one stays a name in braces."""

    def __missing__(self, key: str) -> str:
        return f"{{{key}}}"
