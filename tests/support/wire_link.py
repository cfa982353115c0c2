"""The connection of a test's client: hello, requests and their replies, numbered pushes."""

from __future__ import annotations

import asyncio
import contextlib
import os
from dataclasses import dataclass
from typing import Any

import msgspec
import zmq
import zmq.asyncio
from zmq.utils.monitor import recv_monitor_message

from protocol import codec, limits, z85
from protocol.identity import Identity, verify_host_proof
from protocol.messages import Ack, Bye, Closing, Hello, Ping, Push, Reply, Request, Superseded, Welcome

HANDSHAKE_FAILED = (
    zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
)
ACK_EVERY = 8
TOO_FAST_SECONDS = 0.3
"""How long a client waits before it repeats what came too fast."""
PATIENCE = 45.0
"""Seconds after which a test that waits for something has failed."""


@dataclass
class Traffic:
    """The frames that a client has sent and received, and their bytes."""

    frames: int = 0
    sent: int = 0
    received: int = 0


class WireLink:
    """A client's connection. It checks the host's proof and that pushes come without gaps."""

    def __init__(self, secret: bytes, name: str, kind: str = "person") -> None:
        self.identity = Identity(secret)
        self.name = name
        self.kind: Any = kind
        self.session = os.urandom(limits.SESSION_BYTES)
        self.acknowledges = True
        self.pings = False
        """Whether it shows that it lives, as a client of a person does."""
        self.errors: list[str] = []
        """What the host did that it must not."""
        self.refused: list[tuple[Request, Reply]] = []
        """Requests of its own that were answered with an error."""
        self.pushes: list[Push] = []
        self.closed: Push | None = None
        self.seen = 0
        self.traffic = Traffic()
        self._greeted = 0
        self._next_id = 1
        self._replies: dict[int, asyncio.Future[Reply]] = {}
        self._changed = asyncio.Event()
        self._context: zmq.asyncio.Context | None = None
        self._socket: zmq.asyncio.Socket | None = None
        self._reader: asyncio.Task[None] | None = None
        self._pinger: asyncio.Task[None] | None = None

    # ---- connection

    async def connect(self, address: str, host_key: bytes) -> Welcome:
        """Connects and says hello."""
        self.open_socket(address, host_key)
        return await self.hello()

    def open_socket(self, address: str, host_key: bytes) -> None:
        """Connects without a word."""
        self.address, self.host_key = address, host_key
        self._context = zmq.asyncio.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.curve_serverkey = z85.encode(host_key)
        self._socket.curve_publickey = self.identity.curve_public
        self._socket.curve_secretkey = self.identity.curve_secret
        self._socket.connect(f"tcp://{address}")
        self._reader = asyncio.ensure_future(self._read())
        if self.pings:
            self._pinger = asyncio.ensure_future(self._ping())

    async def hello(self, **changes: Any) -> Welcome:
        """Says hello and checks the welcome."""
        while (reply := await self.request(self.hello_message(**changes))).error is not None:
            if reply.error.code == "too-fast":
                await asyncio.sleep(TOO_FAST_SECONDS)
                continue
            raise AssertionError(f"hello was refused: {reply.error}")
        welcome = codec.read_body(reply.body, Welcome)
        if not verify_host_proof(self.host_key, welcome.sign_key, welcome.proof):
            self.errors.append("the host's proof is wrong")
        return welcome

    def hello_message(self, **changes: Any) -> Hello:
        """The hello that this client says."""
        self._greeted = self.seen
        message = Hello(
            id=1,
            versions=[limits.VERSION],
            name=self.name,
            kind=self.kind,
            program="test",
            sign_key=self.identity.sign_key,
            proof=self.identity.prove(self.host_key),
            session=self.session,
            seen=self.seen,
        )
        return msgspec.structs.replace(message, **changes)

    async def close(self) -> None:
        """Goes away without a word, as if killed."""
        await self.stop_reading()
        if self._context is not None:
            self._context.destroy(linger=0)
            self._context = self._socket = None

    async def stop_reading(self) -> None:
        """Leaves the frames that come to `blocking_socket`; what is read there goes to `hear`."""
        if self._pinger is not None:
            self._pinger.cancel()
            self._pinger = None
        if self._reader is not None:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader
            self._reader = None

    def blocking_socket(self) -> zmq.Socket[bytes]:
        """The same socket, to be read without the event loop."""
        assert self._socket is not None
        return zmq.Socket.shadow(self._socket)

    async def bye(self) -> None:
        """Goes away politely."""
        await self.request(Bye(id=1))
        await self.close()

    # ---- requests

    async def request(self, message: Request) -> Reply:
        """Sends a request with the next id and waits for its reply."""
        message = self.number(message)
        return await asyncio.wait_for(self.repeat(message), PATIENCE)

    def number(self, message: Request) -> Request:
        """The request with the next id."""
        message = msgspec.structs.replace(message, id=self._next_id)
        self._next_id += 1
        return message

    async def repeat(self, message: Request) -> Reply:
        """Sends a request as it is and waits for its reply."""
        future = self.expect(message.id)  # type: ignore[union-attr]
        await self.send_frame(codec.encode(message))
        reply = await future
        if not reply.ok:
            self.refused.append((message, reply))
        return reply

    async def must(self, message: Request) -> dict[str, Any]:
        """A request that has to be granted; returns the reply's body."""
        reply = await self.request(message)
        assert reply.ok, f"{self.name}: {message} was refused: {reply.error}"
        return reply.body or {}

    def expect(self, request: int) -> asyncio.Future[Reply]:
        """The reply that will come with this id."""
        self._replies[request] = asyncio.get_running_loop().create_future()
        return asyncio.ensure_future(asyncio.wait_for(self._replies[request], PATIENCE))

    async def send_frame(self, *frames: bytes) -> None:
        """Sends raw frames."""
        assert self._socket is not None
        self.traffic.frames += 1
        self.traffic.sent += sum(map(len, frames))
        await self._socket.send_multipart(frames)

    async def _post(self, message: Request) -> None:
        """Sends a request whose reply is looked at later, if it is an error."""
        message = self.number(message)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda done: self._posted(message, done))
        self._replies[message.id] = future  # type: ignore[union-attr]
        await self.send_frame(codec.encode(message))

    def _posted(self, message: Request, done: asyncio.Future[Reply]) -> None:
        if not done.cancelled() and not done.result().ok:
            self.refused.append((message, done.result()))

    async def ping(self) -> None:
        """Shows that this client lives."""
        await self.must(Ping(id=1, seen=self.seen))

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(limits.PING_SECONDS)
            await self._post(Ping(id=1, seen=self.seen))

    # ---- hearing

    async def refused_by_door(self) -> str:
        """Waits for the connection to be refused at the handshake; returns how."""
        assert self._socket is not None
        monitor = self._socket.get_monitor_socket()
        try:
            while True:
                event = await asyncio.wait_for(recv_monitor_message(monitor), PATIENCE)
                if event["event"] & HANDSHAKE_FAILED:
                    return str(zmq.Event(event["event"]).name)
        finally:
            self._socket.disable_monitor()

    async def _read(self) -> None:
        assert self._socket is not None
        while True:
            frames = await self._socket.recv_multipart()
            assert len(frames) == 1
            await self.hear(frames[0])

    async def hear(self, frame: bytes) -> None:
        """Takes a frame that has come from the host."""
        self.traffic.frames += 1
        self.traffic.received += len(frame)
        push = codec.decode_push(frame)
        try:
            await self._hear(push)
        except Exception as error:
            self.errors.append(f"at {type(push).__name__}: {error!r}")
        self._changed.set()

    async def _hear(self, push: Push) -> None:
        if isinstance(push, Reply):
            future = self._replies.pop(push.id, None)
            if push.ok and push.body and push.body.get("next", self._greeted + 1) != self._greeted + 1:
                # Before the pushes behind it are looked at.
                self.seen = push.body["next"] - 1
            if push.ok and push.body and "sign_key" in push.body:
                self.host_sign_key = push.body["sign_key"]
            if future is not None and not future.done():
                future.set_result(push)
            return
        if isinstance(push, Superseded | Closing):
            self.closed = push
            return
        if push.n <= self.seen:
            return
        if push.n != self.seen + 1:
            self.errors.append(f"push {push.n} came after {self.seen}")
        self.seen = push.n
        self.pushes.append(push)
        await self._note(push)
        if self.acknowledges and self.seen % ACK_EVERY == 0:
            await self.send_frame(codec.encode(Ack(n=self.seen)))

    async def _note(self, push: Push) -> None:
        """Takes note of a new push."""
        raise NotImplementedError
