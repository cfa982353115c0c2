"""Those who look on, at a table that shows them the game some seconds later: nobody at the table can be helped by them.

What concerns the game and the talk waits here until it is due, and with it how the game stood then, for those who come
later. So does what the table tells of a game: that it runs or is over, and who of its players is there. Who looks on,
the options and the lobby before a game are not held back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from host.peers import Peer
from host.room import Room
from host.telling import Make, Telling
from protocol.messages import Table


class _Turn(NamedTuple):
    """One turn's news: when they are due, and how table and game stood after it (None: as before, or no game)."""

    due: float
    pushes: list[Make]
    table: Table | None
    snapshot: Callable[[], Make] | None
    ended: Make | None
    game: str
    entries: int


class Gallery:
    """Holds back what those who look on may see. Without a delay it holds nothing."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._waiting: deque[_Turn] = deque()
        self._due: list[_Turn] = []
        self._shown: _Turn | None = None
        self._past: Table | None = None
        """The table as far as those who look on know it."""
        self._telling: Telling | None = None
        self._without: set[bytes] = set()
        """Who looks on and has not seen this game yet, because there was nothing to be seen."""

    @property
    def is_later(self) -> bool:
        """Whether those who look on see the game later, or still have something to see later."""
        return self._room.table.house.watch_delay_s > 0 or bool(self._waiting) or bool(self._due)

    @property
    def has_news(self) -> bool:
        """Whether something has become due in this turn."""
        return bool(self._due)

    def table(self, now: Table) -> Table:
        """The table as those who look on may see it: what tells of a game as it was some time ago."""
        past = self._past
        if past is None or not self.is_later:
            return now
        return msgspec.structs.replace(now, phase=past.phase, game=past.game, seats=past.seats, away=past.away)

    def take_in(self, pushes: list[Make], table: Table | None, moved: bool, ended: bool) -> None:
        """Takes the news of a turn, with the table if it has changed, and looks what has become due."""
        room, telling, now = self._room, self._room.telling, self._room.now()
        delay = room.table.house.watch_delay_s
        fresh = telling is not None and telling is not self._telling
        self._telling = telling
        table = self._held_back(table) if table is not None else None
        if self.is_later and (pushes or fresh or table is not None):
            over = telling.ended() if telling is not None and (ended or room.table.phase == "over") else None
            snapshot = telling.later() if telling is not None and (moved or fresh) else None
            count, game = (telling.entries, telling.game) if telling is not None else (0, "")
            self._waiting.append(_Turn(now + delay, pushes, table, snapshot, over, game, count))
        while self._waiting and self._waiting[0].due <= now:
            self._due.append(self._waiting.popleft())
            self._past = self._due[-1].table or self._past
        room.shown_later = None
        if delay > 0 and telling is not None:
            last = next((turn for turn in [*reversed(self._due), self._shown] if turn and turn.game), None)
            seen = last if last is not None and last.game == telling.game else None
            room.shown_later = (telling.game, seen.entries if seen else 0, seen is not None and seen.ended is not None)

    def _held_back(self, table: Table) -> Table | None:
        """The table, if it has to wait: not so in a lobby, unless they still have to see how the last game ended."""
        if self._past is None and table.phase == "over":
            # This host was started anew: perhaps they do not know yet that the game is over.
            self._past = msgspec.structs.replace(table, phase="playing")
        past, waits = self._past, any(turn.table is not None for turn in self._waiting)
        at_once = past is None or (table.phase == past.phase == "lobby" and not waits)
        if self.is_later and not at_once:
            return table
        self._past = table
        return None

    def due(self, peer: Peer) -> list[Make]:
        """What one who looks on is told in this turn."""
        if peer.key not in self._without:
            return [make for turn in self._due for make in turn.pushes]
        last = next((turn for turn in reversed(self._due) if turn.snapshot is not None), None)
        if last is None:
            return []
        self._without.discard(peer.key)
        return self._standing(last)

    def everything(self, peer: Peer) -> list[Make]:
        """What one is told who comes to look on."""
        last = next((turn for turn in reversed(self._due) if turn.snapshot is not None), self._shown)
        if last is None:
            self._without.add(peer.key)
            return []
        self._without.discard(peer.key)
        return self._standing(last)

    def next_turn(self) -> None:
        """What was due has been told."""
        for turn in self._due:
            if turn.snapshot is not None:
                self._shown = turn
            elif self._shown is not None and turn.ended is not None:
                self._shown = self._shown._replace(ended=turn.ended)
        self._due.clear()
        if self._room.telling is None and not self._waiting:
            self._shown = None

    def next_due(self) -> float | None:
        """When the next turn's news are due."""
        return self._waiting[0].due if self._waiting else None

    @staticmethod
    def _standing(turn: _Turn) -> list[Make]:
        assert turn.snapshot is not None
        return [turn.snapshot(), *([turn.ended] if turn.ended is not None else [])]
