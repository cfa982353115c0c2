"""Counts what happens at the socket and never becomes a message: connections that fail, and why.

ZeroMQ reports it to a socket of its own and waits when nobody reads there. So a thread of its own reads, whatever
else the host has to do.
"""

from __future__ import annotations

import threading
from collections import Counter

import zmq
from zmq.utils.monitor import parse_monitor_message

EVENTS = {
    zmq.EVENT_ACCEPT_FAILED: "could not be accepted (no descriptors left?)",
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL: "ended before they were through the handshake",
    zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL: "did not speak as this table asks: no CURVE, another key, or no ZeroMQ",
    zmq.EVENT_HANDSHAKE_FAILED_AUTH: "were not let in",
}


class Lookout:
    """Watches a socket until `close`, which has to come before the socket is closed."""

    def __init__(self, socket: zmq.Socket[bytes]) -> None:
        self._socket = socket
        self._seen: Counter[str] = Counter()
        self._mutex = threading.Lock()
        monitor = socket.get_monitor_socket(sum(EVENTS) | zmq.EVENT_MONITOR_STOPPED)
        self._thread = threading.Thread(target=self._watch, args=(monitor,), name="lookout", daemon=True)
        self._thread.start()

    def report(self) -> dict[str, int]:
        """How many connections failed since the last time, by reason."""
        with self._mutex:
            seen, self._seen = self._seen, Counter()
        return dict(seen)

    def close(self) -> None:
        """Stops watching."""
        self._socket.disable_monitor()
        self._thread.join(1.0)

    def _watch(self, monitor: zmq.Socket[bytes]) -> None:
        try:
            while True:
                event = parse_monitor_message(monitor.recv_multipart())["event"]
                if event == zmq.EVENT_MONITOR_STOPPED:
                    return
                with self._mutex:
                    self._seen[EVENTS.get(zmq.Event(event), str(event))] += 1
        except zmq.ZMQError:
            return  # the socket has been closed
        finally:
            monitor.close(0)
