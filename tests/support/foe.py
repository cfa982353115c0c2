"""Connections that may send anything to a host, whole and broken, for the program that disturbs it."""

from __future__ import annotations

import hashlib
import socket
import time
from typing import Any

import msgspec
import zmq

from protocol import codec, limits, z85
from protocol.identity import Identity
from protocol.messages import Hello, Push, Reply, Request

WAIT_MS = 3000


class Foe:
    """Whoever wants to disturb a table: where it is, and how long to go on."""

    def __init__(self, address: str, host_key: bytes, seconds: float, megabytes: int) -> None:
        self.host, port = address.rsplit(":", 1)
        self.port = int(port)
        self.host_key = host_key
        self.seconds = seconds
        self.megabytes = megabytes

    def tcp(self, port: int | None = None) -> socket.socket:
        return socket.create_connection((self.host, port or self.port), timeout=3)

    def link(self, name: str, *, hello: bool = True) -> Link:
        link = Link(self, name)
        if hello:
            while not (reply := link.ask(link.hello())).ok:
                assert reply.error is not None
                assert reply.error.code == "too-fast", reply
                time.sleep(0.1)  # a crowd has been here just before
        return link


class Link:
    """An encrypted connection that may send anything."""

    def __init__(self, foe: Foe, name: str, *, encrypted: bool = True, queue: int = 1000) -> None:
        self.foe, self.name = foe, name
        self.identity = Identity(hashlib.sha256(name.encode()).digest())
        self._context = zmq.Context()
        self.socket = self._context.socket(zmq.DEALER)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.setsockopt(zmq.SNDHWM, queue)
        self.socket.setsockopt(zmq.RCVHWM, queue)
        self.socket.setsockopt(zmq.SNDTIMEO, WAIT_MS)
        if encrypted:
            self.socket.curve_serverkey = z85.encode(foe.host_key)
            self.socket.curve_publickey = self.identity.curve_public
            self.socket.curve_secretkey = self.identity.curve_secret
        self._connected = False
        self._number = 1
        self.heard: list[Push] = []

    def connect(self) -> Link:
        self._connected = True
        self.socket.connect(f"tcp://{self.foe.host}:{self.foe.port}")
        return self

    @property
    def last(self) -> int:
        """The number of the last request."""
        return self._number - 1

    def close(self) -> None:
        self._context.destroy(linger=0)

    def hello(self, **changes: Any) -> Hello:
        message = Hello(
            id=1,
            versions=[limits.VERSION],
            name=self.name[: limits.NAME_LENGTH],
            sign_key=self.identity.sign_key,
            proof=self.identity.prove(self.foe.host_key),
            session=self.identity.curve_key[: limits.SESSION_BYTES],
        )
        return msgspec.structs.replace(message, **changes)

    def ask(self, request: Request, *, number: bool = True, wait_ms: int = WAIT_MS) -> Reply:
        """Sends a request and returns its reply."""
        if number:
            request = msgspec.structs.replace(request, id=self._number)
            self._number += 1
        self.send(codec.encode(request))
        return self.reply(request.id, wait_ms)  # type: ignore[union-attr]

    def code(self, request: Request, **more: Any) -> str:
        """What the request is refused with."""
        error = self.ask(request, **more).error
        return error.code if error else "ok"

    def send(self, *frames: bytes) -> None:
        if not self._connected:
            self.connect()
        self.socket.send_multipart(frames)

    def reply(self, number: int, wait_ms: int = WAIT_MS) -> Reply:
        deadline = time.monotonic() + wait_ms / 1000
        while (left := deadline - time.monotonic()) > 0:
            if self.socket.poll(int(left * 1000) + 1):
                push = codec.decode_push(self.socket.recv())
                if isinstance(push, Reply) and push.id == number:
                    return push
                self.heard.append(push)
        raise TimeoutError(f"{self.name}: no reply to {number}")

    def first_code(self, deadline: float) -> str:
        """What the first reply says: "ok", or an error's code; "nothing" if none comes in time."""
        while (left := deadline - time.monotonic()) > 0:
            if self.socket.poll(int(left * 1000) + 1):
                push = codec.decode_push(self.socket.recv())
                if isinstance(push, Reply):
                    return push.error.code if push.error else "ok"
        return "nothing"

    def codes(self, count: int, wait_ms: int = 1500) -> list[str]:
        """The errors that come, until there are so many or a time is over."""
        found: list[str] = []
        deadline = time.monotonic() + wait_ms / 1000
        while len(found) < count and time.monotonic() < deadline:
            if self.socket.poll(50):
                push = codec.decode_push(self.socket.recv())
                if isinstance(push, Reply) and push.error:
                    found.append(push.error.code)
        return found


def ended(connection: socket.socket, seconds: float = 4.0) -> bool:
    """Whether the host ends a connection within some time."""
    connection.settimeout(seconds)
    try:
        while connection.recv(4096):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True
