"""Events: what has happened, as data, with who may see which field.

The log, the record and the bots live on events. An event is no sentence; sentences are made by `engine.texts` where
the event is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Event(NamedTuple):
    """One thing that happened.

    n: its number in the game; data: fields for everybody; secret: further fields for the seats in `to` only.
    With `hidden` the others do not hear of the event at all.
    """

    n: int
    kind: str
    data: Mapping[str, Any]
    secret: Mapping[str, Any] | None = None
    to: tuple[str, ...] = ()
    hidden: bool = False

    def seen_by(self, seat: str | None) -> dict[str, Any] | None:
        """The event as this seat sees it (None: as the whole table does); None if it may not hear of it."""
        privy = seat is not None and seat in self.to
        if self.hidden and not privy:
            return None
        fields = {"n": self.n, "kind": self.kind, **self.data}
        if privy and self.secret:
            fields.update(self.secret)
        return fields
