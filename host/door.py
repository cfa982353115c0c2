"""The host's one socket: a ROUTER behind CURVE, never blocking in either direction.

Who has sent a frame is known from the CURVE key of its connection (its User-Id) and from nothing else. The socket is
read and written without waiting, on the loop's thread only; `on_readable` is called when frames may have arrived.
"""

from __future__ import annotations

import asyncio
import enum
import errno
import functools
from collections.abc import Callable, Collection
from typing import NamedTuple

import zmq
import zmq.asyncio

from host import cutting
from host.errors import CannotStart
from host.lookout import Lookout
from host.porter import Porter
from host.resources import files_short
from protocol import limits, z85
from protocol.identity import Identity

MOST_PARTS = 5000
"""Frames of an overlong message that are thrown away at a time."""


class Sent(enum.Enum):
    """What became of a frame: on its way; the peer is too slow; the connection is gone."""

    DONE = "done"
    FULL = "full"
    GONE = "gone"


class Arrival(NamedTuple):
    """A message as it arrived: by which connection, from whose key, and its frame (None: it was not one frame)."""

    route: bytes
    key: bytes
    frame: bytes | None
    descriptor: int = -1
    address: str = ""


@functools.lru_cache(maxsize=256)
def _key(user_id: str) -> bytes:
    return z85.decode(user_id)


class Door:
    """The socket of a table. `allow` says of a CURVE key (32 bytes) whether it is let in."""

    def __init__(self, identity: Identity, allow: Callable[[bytes], bool]) -> None:
        if not zmq.has("curve"):
            raise CannotStart("this installation of ZeroMQ has no encryption (CURVE); install pyzmq's own wheel")
        self._identity = identity
        self._context = zmq.asyncio.Context()
        self._porter = Porter(self._context, allow)
        self._lookout: Lookout | None = None
        self._socket: zmq.Socket[bytes] | None = None
        self._on_readable: Callable[[], None] | None = None
        self._unfinished = False
        """Whether there are more frames of a message that nobody wants."""
        self._routes: dict[int, bytes] = {}
        """The connection by which something has come last, for each descriptor."""

    def start(self) -> None:
        """Starts to decide who is let in. From then on the door may be opened."""
        self._porter.start()

    def bind(self, address: str, port: int) -> bool:
        """Listens there; False if the port is taken. Raises CannotStart for an address that cannot be used."""
        wide = address == "*" or ":" in address
        for ipv6 in (True, False) if wide else (False,):
            socket = self._make(ipv6)
            name = f"[{address}]" if ":" in address else address
            try:
                socket.bind(f"tcp://{name}:{port}")
            except zmq.ZMQError as error:
                socket.close()
                if error.errno == errno.EADDRINUSE:
                    return False
                if ipv6:
                    continue  # a computer without IPv6
                raise CannotStart(f"cannot listen on {address}, port {port}: {error.strerror}") from error
            self._socket = socket
            return True
        raise CannotStart(f"cannot listen on {address}, port {port}")

    def unbind(self) -> None:
        """Gives the port back, after `bind`."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def watch(self, on_readable: Callable[[], None]) -> None:
        """Calls back whenever frames may have arrived."""
        self._on_readable = on_readable
        self._lookout = Lookout(self._open)
        loop = asyncio.get_running_loop()
        loop.add_reader(self._open.fileno(), on_readable)
        loop.call_soon(on_readable)

    def close(self, linger_ms: int = 500) -> None:
        """Closes everything; frames that were sent last are given a moment."""
        if self._socket is not None:
            if self._on_readable is not None:
                asyncio.get_running_loop().remove_reader(self._socket.fileno())
            if self._lookout is not None:
                self._lookout.close()
            self._socket.close(linger_ms)
            self._socket = None
        self._porter.stop()
        self._context.term()

    def failures(self) -> dict[str, int]:
        """How many connections have failed since the last time, by reason."""
        return {} if self._lookout is None else self._lookout.report()

    def receive(self) -> Arrival | None:
        """The next message; None if there is none now, or a long one is still being thrown away."""
        try:
            if self._unfinished and not self._throw_away():
                return None
            route = self._open.recv(zmq.DONTWAIT)
            frame = self._open.recv(zmq.DONTWAIT, copy=False)
        except zmq.Again:
            return None
        self._unfinished = frame.more
        descriptor = int(frame.get(zmq.SRCFD))
        self._routes[descriptor] = route
        return Arrival(
            route,
            _key(str(frame.get("User-Id"))),
            None if frame.more else frame.bytes,
            descriptor,
            str(frame.get("Peer-Address")),
        )

    @staticmethod
    def cut(arrival: Arrival) -> bool:
        """Ends the connection by which a message has just come."""
        return cutting.cut(arrival.descriptor, arrival.address)

    def end_idle(self, counting: Collection[bytes]) -> None:
        """Ends connections that are none of these for too long: nobody said hello there, or has gone elsewhere."""
        if self._lookout is not None:
            seconds = limits.HELLO_SECONDS_SHORT if files_short() else limits.HELLO_SECONDS
            wanted = {descriptor for descriptor, route in self._routes.items() if route in counting}
            self._lookout.end_idle(wanted, seconds)

    def _throw_away(self) -> bool:
        """Reads the rest of a message that is more than one frame; False if there is still more."""
        for _ in range(MOST_PARTS):
            self._open.recv(zmq.DONTWAIT)
            if not self._open.getsockopt(zmq.RCVMORE):
                self._unfinished = False
                return True
        return False

    def send(self, route: bytes, frame: bytes) -> Sent:
        """Sends a frame by a connection, if that is possible without waiting."""
        try:
            self._open.send_multipart([route, frame], zmq.DONTWAIT)
        except zmq.Again:
            return Sent.FULL
        except zmq.ZMQError as error:
            if error.errno != errno.EHOSTUNREACH:
                raise
            return Sent.GONE
        return Sent.DONE

    def look_again(self) -> None:
        """To be called after sending: ZeroMQ may have noticed new frames meanwhile and will not say so again."""
        if self._on_readable is not None and int(self._open.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
            asyncio.get_running_loop().call_soon(self._on_readable)

    @property
    def _open(self) -> zmq.Socket[bytes]:
        assert self._socket is not None
        return self._socket

    def _make(self, ipv6: bool) -> zmq.Socket[bytes]:
        socket: zmq.Socket[bytes] = zmq.Socket(zmq.Context.shadow(self._context), zmq.ROUTER)
        settings = {
            zmq.LINGER: 0,
            zmq.IPV6: int(ipv6),
            zmq.ROUTER_MANDATORY: 1,
            zmq.MAXMSGSIZE: limits.REQUEST.size + 128,
            zmq.HANDSHAKE_IVL: limits.HANDSHAKE_MS,
            zmq.HEARTBEAT_IVL: limits.HEARTBEAT_MS,
            zmq.HEARTBEAT_TIMEOUT: limits.HEARTBEAT_TIMEOUT_MS,
            zmq.HEARTBEAT_TTL: limits.HEARTBEAT_TIMEOUT_MS,
            zmq.SNDHWM: limits.SEND_QUEUE,
            zmq.RCVHWM: limits.RECEIVE_QUEUE,
            zmq.TCP_KEEPALIVE: 1,
            zmq.ZAP_ENFORCE_DOMAIN: 1,
            zmq.CURVE_SERVER: 1,
        }
        for option, value in settings.items():
            socket.setsockopt(option, value)
        socket.setsockopt(zmq.ZAP_DOMAIN, limits.ZAP_DOMAIN.encode())
        socket.setsockopt(zmq.CURVE_PUBLICKEY, self._identity.curve_public)
        socket.setsockopt(zmq.CURVE_SECRETKEY, self._identity.curve_secret)
        return socket
