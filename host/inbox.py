"""What has arrived and waits to be dealt with: those who play come first, however many others there are.

ZeroMQ hands out what all connections have sent in turns, so a player's frame would wait behind one of each stranger's.
Reading a frame costs little, what it asks for may cost much: so all are read, and of those who only look on, or whom
nobody knows, just a few are dealt with before it is looked again whether a player has said something.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from host.door import Arrival

MOST_READ = 256
"""Frames that are read at a time."""
MOST_OF_PLAYERS = 64
"""Frames of players that are dealt with in one turn."""
OTHERS_SECONDS = 0.003
"""How long a turn deals with frames of others; one is always dealt with."""
MOST_WAITING = 1024
MOST_BYTES = 4 * 1024 * 1024
"""How much of others may wait; what comes then is thrown away, and its senders ask again."""


class Inbox:
    """Two queues. `clock` tells seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._players: deque[Arrival] = deque()
        self._others: deque[Arrival] = deque()
        self._bytes = 0

    def __bool__(self) -> bool:
        return bool(self._players or self._others)

    @property
    def full(self) -> bool:
        """Whether as many frames of players wait as a turn deals with: then no more are read."""
        return len(self._players) >= MOST_OF_PLAYERS

    def put(self, arrival: Arrival, plays: bool) -> bool:
        """Takes in what has arrived; False if there is no room for it."""
        if plays:
            self._players.append(arrival)
            return True
        size = len(arrival.frame or b"")
        if len(self._others) >= MOST_WAITING or self._bytes + size > MOST_BYTES:
            return False
        self._others.append(arrival)
        self._bytes += size
        return True

    def take(self) -> Iterator[Arrival]:
        """What is dealt with in this turn."""
        while self._players:
            yield self._players.popleft()
        until = self._clock() + OTHERS_SECONDS
        while self._others:
            arrival = self._others.popleft()
            self._bytes -= len(arrival.frame or b"")
            yield arrival
            if self._clock() > until:
                return
