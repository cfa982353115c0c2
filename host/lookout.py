"""Sees what happens at the socket and never becomes a message: connections that fail, and why; and those of no use.

ZeroMQ reports it to a socket of its own and waits when nobody reads there. So a thread of its own reads, whatever
else the host has to do.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Collection
from typing import Any, NamedTuple

import zmq
from zmq.utils.monitor import parse_monitor_message

from host.cutting import cut, peer_of

EVENTS = {
    zmq.EVENT_ACCEPT_FAILED: "could not be accepted (no descriptors left?)",
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL: "ended before they were through the handshake",
    zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL: "did not speak as this table asks: no CURVE, another key, or no ZeroMQ",
    zmq.EVENT_HANDSHAKE_FAILED_AUTH: "were not let in",
}
IDLE = "were cut, as nobody had said hello by them"


class _Connection(NamedTuple):
    """Who is at the other end, and since when nobody has been there whom the table knows."""

    peer: tuple[Any, ...]
    idle_since: float


class Lookout:
    """Watches a socket until `close`, which has to come before the socket is closed."""

    def __init__(self, socket: zmq.Socket[bytes]) -> None:
        self._socket = socket
        self._seen: Counter[str] = Counter()
        self._open: dict[int, _Connection] = {}
        """All connections by descriptor: what is not through the handshake ZeroMQ ends by itself soon."""
        self._mutex = threading.Lock()
        monitor = socket.get_monitor_socket(
            sum(EVENTS) | zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED | zmq.EVENT_MONITOR_STOPPED
        )
        self._thread = threading.Thread(target=self._watch, args=(monitor,), name="lookout", daemon=True)
        self._thread.start()

    def report(self) -> dict[str, int]:
        """How many connections failed since the last time, by reason."""
        with self._mutex:
            seen, self._seen = self._seen, Counter()
        return dict(seen)

    def end_idle(self, wanted: Collection[int], seconds: float) -> None:
        """Ends the connections that have not been `wanted` (these are: their descriptors) for so many seconds."""
        now = time.monotonic()
        with self._mutex:
            for descriptor, connection in list(self._open.items()):
                if descriptor in wanted:
                    self._open[descriptor] = connection._replace(idle_since=now)
                elif now - connection.idle_since > seconds:
                    del self._open[descriptor]
                    self._seen[IDLE] += cut(descriptor, *connection.peer)

    def close(self) -> None:
        """Stops watching."""
        self._socket.disable_monitor()
        self._thread.join(1.0)

    def _watch(self, monitor: zmq.Socket[bytes]) -> None:
        try:
            while True:
                message = parse_monitor_message(monitor.recv_multipart())
                if message["event"] == zmq.EVENT_MONITOR_STOPPED:
                    return
                with self._mutex:
                    self._note(zmq.Event(message["event"]), int(message["value"]))
        except zmq.ZMQError:
            return  # the socket has been closed
        finally:
            monitor.close(0)

    def _note(self, event: zmq.Event, value: int) -> None:
        if event == zmq.EVENT_ACCEPTED:
            if (peer := peer_of(value)) is not None:
                self._open[value] = _Connection(peer, time.monotonic())
        elif event == zmq.EVENT_DISCONNECTED:
            self._open.pop(value, None)
        else:
            self._seen[EVENTS.get(event, str(event))] += 1
