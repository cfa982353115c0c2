"""One encrypted connection to a host that mends itself: a DEALER, its monitor, and a new socket when all is silent.

What arrives is handed on as bytes; what the frames mean is the session's matter. A socket is never read by two
tasks, and a task that reads is cancelled only together with its socket.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, cast

import zmq
import zmq.asyncio
from zmq.utils.monitor import recv_monitor_message

from protocol import limits, z85
from protocol.identity import Identity

log = logging.getLogger(__name__)

CLOSE_MS = 500
"""How long a goodbye may take."""
ANSWER_SECONDS = 3.0
"""After so long without a handshake the player is told why that may be."""

OtherKey = "other-key"
NotAllowed = "not-allowed"
NotOurs = "not-ours"
NoAnswer = "no-answer"


class Link:
    """A connection to one host.

    `on_frame` gets every frame; `on_up` is called after every handshake (the session says hello then), `on_down` when
    the connection is gone, `on_trouble` with one of the names above when there is none. Call `open`, then `close`.
    """

    def __init__(
        self,
        address: str,
        host_key: bytes,
        identity: Identity,
        *,
        on_frame: Callable[[bytes], None],
        on_up: Callable[[], None],
        on_down: Callable[[], None],
        on_trouble: Callable[[str], None],
    ) -> None:
        self.address = address
        self._host_key = host_key
        self._identity = identity
        self._on_frame = on_frame
        self._on_up = on_up
        self._on_down = on_down
        self._on_trouble = on_trouble
        self._context: zmq.asyncio.Context | None = None
        self._socket: zmq.asyncio.Socket | None = None
        self._events: Any = None
        self._tasks: list[asyncio.Task[None]] = []
        self._handshakes_failed = 0
        self._refused = False
        self._moved = False
        self.is_up = False
        self.opened_at = 0.0
        self.heard_at = 0.0

    def open(self) -> None:
        """Starts connecting."""
        self._context = zmq.asyncio.Context()
        self._connect()
        self._tasks.append(asyncio.create_task(self._watch_silence(), name="link-silence"))

    async def close(self) -> None:
        """Ends the connection; what was just sent gets a moment to leave."""
        tasks, self._tasks = self._tasks, []
        await _stop(tasks)
        self._drop_socket(CLOSE_MS if self.is_up else 0)
        self.is_up = False
        if self._context is not None:
            context, self._context = self._context, None
            await asyncio.to_thread(context.term)

    def move(self, address: str) -> None:
        """Tries another address of the host from now on, if there is no connection."""
        if address != self.address and not self.is_up:
            self.address, self._moved = address, True

    def send(self, frame: bytes) -> bool:
        """Sends a frame if there is a connection; what could not leave, the session sends again."""
        if self._socket is None or not self.is_up:
            return False
        # With DONTWAIT the future is done at once: either sent, or there is no room.
        sent = asyncio.ensure_future(self._socket.send(frame, flags=zmq.DONTWAIT))
        if sent.done() and (error := sent.exception()) is not None:
            log.info("not sent: %s", error)
            return False
        return True

    # ---- sockets

    def _connect(self) -> None:
        assert self._context is not None
        socket = self._context.socket(zmq.DEALER)
        for option, value in _OPTIONS.items():
            socket.setsockopt(option, value)
        socket.curve_serverkey = z85.encode(self._host_key)
        socket.curve_publickey = self._identity.curve_public
        socket.curve_secretkey = self._identity.curve_secret
        self._events = socket.get_monitor_socket()
        socket.connect(f"tcp://{self.address}")
        self._socket = socket
        loop = asyncio.get_running_loop()
        self.opened_at = self.heard_at = loop.time()
        self._tasks.append(asyncio.create_task(self._read(socket), name="link-read"))
        self._tasks.append(asyncio.create_task(self._monitor(self._events), name="link-monitor"))

    def _drop_socket(self, linger: int) -> None:
        if self._socket is not None:
            # In this order: stopping a monitor whose other end is closed already would wait for ever.
            self._socket.disable_monitor()
            self._events.close(0)
            self._socket.close(linger)
            self._socket = None

    async def _renew(self) -> None:
        """A new socket: the old one may hang on an address that nobody answers at any more."""
        mine = asyncio.current_task()
        readers = [task for task in self._tasks if task is not mine]
        self._tasks = [task for task in self._tasks if task is mine]
        await _stop(readers)
        self._drop_socket(0)
        if self._context is not None:
            self._connect()

    # ---- tasks

    async def _read(self, socket: zmq.asyncio.Socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            frames = await socket.recv_multipart()
            self.heard_at = loop.time()
            if len(frames) == 1:
                try:
                    self._on_frame(frames[0])
                except Exception:  # a defect in reading one frame must not end the connection
                    log.exception("a frame could not be handled")

    async def _monitor(self, monitor: Any) -> None:
        while True:
            event = await _next_event(monitor)
            self._happened(event["event"])

    def _happened(self, event: int) -> None:
        if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
            self.is_up, self._handshakes_failed = True, 0
            self.heard_at = asyncio.get_running_loop().time()
            self._on_up()
        elif event == zmq.EVENT_DISCONNECTED:
            self._lost()
        elif event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
            self._refused = True
            self._on_trouble(NotAllowed)
        elif event == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL:
            self._on_trouble(NotOurs)
        elif event == zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL:
            self._handshakes_failed += 1
            if self._handshakes_failed == 3:  # one alone may be a connection that was cut in between
                self._on_trouble(OtherKey)

    def _lost(self) -> None:
        if self.is_up:
            self.is_up = False
            self._on_down()

    async def _watch_silence(self) -> None:
        """Says why nobody may be answering, and starts anew when a host has been silent for too long."""
        loop = asyncio.get_running_loop()
        waits = iter(limits.RECONNECT_SECONDS)
        told = False
        while not self._refused:
            await asyncio.sleep(0.1)
            if self._moved:
                self._moved = False
                if not self.is_up:
                    await self._renew()
            if self.is_up:
                told, waits = False, iter(limits.RECONNECT_SECONDS)
            elif not told and loop.time() - self.opened_at > ANSWER_SECONDS:
                told = True
                if not self._handshakes_failed:
                    self._on_trouble(NoAnswer)
            if loop.time() - self.heard_at > limits.SILENT_SECONDS:
                self._lost()
                await asyncio.sleep(next(waits, limits.RECONNECT_SECONDS[-1]))
                if not self.is_up:  # ZeroMQ may have connected again meanwhile
                    await self._renew()


_OPTIONS = {
    zmq.IMMEDIATE: 1,
    zmq.IPV6: 1,
    zmq.LINGER: 0,
    zmq.MAXMSGSIZE: limits.PUSH.size + limits.MESSAGE_OVERHEAD,
    zmq.HANDSHAKE_IVL: limits.HANDSHAKE_MS,
    zmq.HEARTBEAT_IVL: limits.HEARTBEAT_MS,
    zmq.HEARTBEAT_TIMEOUT: limits.HEARTBEAT_TIMEOUT_MS,
    zmq.HEARTBEAT_TTL: limits.HEARTBEAT_TIMEOUT_MS,
    zmq.RECONNECT_IVL: int(limits.RECONNECT_SECONDS[0] * 1000),
    zmq.RECONNECT_IVL_MAX: int(limits.RECONNECT_SECONDS[-1] * 1000),
    zmq.SNDHWM: limits.SEND_QUEUE,
    zmq.RCVHWM: limits.RECEIVE_QUEUE,
    zmq.TCP_KEEPALIVE: 1,
}


def _next_event(monitor: Any) -> Awaitable[dict[str, Any]]:
    return cast(Awaitable[dict[str, Any]], recv_monitor_message(monitor))


async def _stop(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
