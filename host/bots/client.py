"""The connection of one bot: a DEALER that says hello, sits down, repeats what gets lost, and passes the rest on."""

from __future__ import annotations

import asyncio
import logging
import secrets

import msgspec
import zmq
import zmq.asyncio

from host.bots.player import Player
from protocol import codec, limits, z85
from protocol.messages import (
    Ack,
    Answer,
    Bye,
    Closing,
    Hello,
    Leave,
    Ping,
    Push,
    Reply,
    Request,
    Resync,
    SeatName,
    Sit,
    Superseded,
    Welcome,
)

_log = logging.getLogger(__name__)
REPEAT_SECONDS = 2.0


class Client:
    """One bot at the table."""

    def __init__(
        self, context: zmq.asyncio.Context, address: str, host_key: bytes, player: Player, name: str, seat: SeatName
    ) -> None:
        self._context = context
        self._address = address
        self._host_key = host_key
        self._player = player
        self._name = name
        self._seat = seat
        self._session = secrets.token_bytes(limits.SESSION_BYTES)
        self._next_id = 1
        self._seen = 0
        self._open: dict[int, Request] = {}
        self._socket: zmq.asyncio.Socket | None = None
        self._heard = 0.0
        self._over = False

    async def run(self) -> None:
        """Plays until the host sends the bot away."""
        while not self._over:
            self._connect()
            await self._listen()
            self._disconnect()

    async def leave(self) -> None:
        """Stands up and says goodbye."""
        self._over = True
        for request in (Leave(id=1), Bye(id=1)):
            await self._send(request)

    def _connect(self) -> None:
        socket = self._context.socket(zmq.DEALER)
        socket.setsockopt(zmq.LINGER, 500)
        socket.setsockopt(zmq.MAXMSGSIZE, limits.PUSH.size + 128)
        socket.setsockopt(zmq.HEARTBEAT_IVL, limits.HEARTBEAT_MS)
        socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, limits.HEARTBEAT_TIMEOUT_MS)
        socket.setsockopt(zmq.RECONNECT_IVL, 200)
        socket.setsockopt(zmq.RECONNECT_IVL_MAX, 3000)
        socket.curve_serverkey = self._host_key
        socket.curve_publickey = self._player.identity.curve_public
        socket.curve_secretkey = self._player.identity.curve_secret
        socket.connect(f"tcp://{self._address}")
        self._socket = socket
        self._heard = asyncio.get_running_loop().time()

    def _disconnect(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    async def _listen(self) -> None:
        """Reads until the host is silent for too long."""
        assert self._socket is not None
        loop = asyncio.get_running_loop()
        await self._say_hello()
        repeat = loop.time() + REPEAT_SECONDS
        while not self._over and loop.time() - self._heard < limits.SILENT_SECONDS:
            if await self._socket.poll(round(1000 * max(0.0, repeat - loop.time()))):
                frame = await self._socket.recv()
                self._heard = loop.time()
                await self._hear(codec.decode_push(frame))
            if loop.time() >= repeat:
                repeat = loop.time() + REPEAT_SECONDS
                await self._repeat()

    async def _say_hello(self) -> None:
        identity = self._player.identity
        for number, request in list(self._open.items()):
            if isinstance(request, Hello):
                del self._open[number]
        hello = Hello(
            id=1,
            versions=list(limits.VERSIONS),
            name=self._name,
            kind="bot",
            program="cosmic-net bots",
            sign_key=identity.sign_key,
            proof=identity.prove(z85.decode(self._host_key)),
            session=self._session,
            seen=self._seen,
        )
        await self._send(hello)

    async def _repeat(self) -> None:
        for request in list(self._open.values()):
            await self._put(request)
        await self._send(Ping(id=1, seen=self._seen))

    async def _hear(self, push: Push) -> None:
        if isinstance(push, Reply):
            await self._replied(push)
            return
        if isinstance(push, Superseded | Closing):
            self._over = True
            return
        if push.n <= self._seen:
            return
        self._seen = push.n
        try:
            requests = self._player.hear(push)
        except (ValueError, KeyError, TypeError):
            _log.exception("%s was told something that does not fit", self._name)
            requests = [Resync(id=1)]
        for request in requests:
            await self._send(request)
        await self._put(Ack(n=self._seen))

    async def _replied(self, reply: Reply) -> None:
        request = self._open.pop(reply.id, None)
        if isinstance(request, Hello) and reply.ok:
            welcome = codec.read_body(reply.body, Welcome)
            if welcome.next != request.seen + 1:
                self._seen = welcome.next - 1
            if welcome.seat is None:
                await self._send(Sit(id=1, seat=self._seat))
        if reply.error is None:
            return
        if reply.error.code == "hello-first":  # the socket has connected anew by itself
            if request is not None:
                self._open[reply.id] = request
            await self._say_hello()
        elif isinstance(request, Answer) and reply.error.code != "stale":
            _log.error("%s gave an answer that was refused: %s", self._name, reply.error.text)

    async def _send(self, request: Request) -> None:
        """Sends a request with the next id, and again until it is answered."""
        request = msgspec.structs.replace(request, id=self._next_id)
        if not isinstance(request, Ping):
            self._open[self._next_id] = request
        self._next_id += 1
        await self._put(request)

    async def _put(self, request: Request) -> None:
        if self._socket is not None:
            await self._socket.send(codec.encode(request))
