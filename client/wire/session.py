"""Requests and replies over a connection that may break at any moment.

A request keeps its id until its reply has come, and is sent again after every hello; pushes are taken in their order,
each once, and acknowledged. The session knows nothing of what the pushes mean: it hands them on.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable
from typing import Any

import msgspec

from client import program
from client.wire import link as links
from client.wire.link import Link
from protocol import codec, limits
from protocol import messages as m
from protocol import passphrase as passphrases
from protocol.identity import Identity, verify_host_proof
from protocol.text import clean

log = logging.getLogger(__name__)

ACK_SECONDS = 0.25
"""Pushes are acknowledged together: what comes in quick succession needs one ack."""
GOODBYE_SECONDS = 1.0
"""So long a host may take to hear that the player leaves."""
RETRY_SECONDS = 1.0
"""After "too-fast" the same request is sent again."""


class Refused(Exception):
    """The host refused a request: `code` for programs, `text` for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = clean(text)


class Gone(Exception):
    """The session has ended; no reply will come."""


class Session:
    """One client of one host.

    `on_push` gets every push in order; `on_welcome` is called after each hello, `on_down` when the connection is gone,
    `on_trouble` with a name of `wire.link` or with "superseded", "version", "host-proof", "refused: TEXT".
    """

    def __init__(
        self,
        address: str,
        host_key: bytes,
        identity: Identity,
        name: str,
        *,
        on_push: Callable[[m.Push], None],
        on_welcome: Callable[[m.Welcome], None],
        on_down: Callable[[], None],
        on_trouble: Callable[[str], None],
        passphrase: str = "",
        whisper: m.WhisperKey | None = None,
    ) -> None:
        self.identity = identity
        self._whisper = whisper
        key = passphrases.make_key(passphrase, host_key) if passphrase else b""
        self._passphrase = passphrases.prove(key, host_key, identity.curve_key) if key else None
        self.name = name
        self.host_key = host_key
        self.welcome: m.Welcome | None = None
        self.ended = False
        self.put_off = ""
        """Why the host wants hello to be said again later."""
        self._on_push = on_push
        self._on_welcome = on_welcome
        self._on_down = on_down
        self._on_trouble = on_trouble
        self._session = secrets.token_bytes(limits.SESSION_BYTES)
        self._last_id = 0
        self._seen = 0
        self._acked = 0
        self._resyncing = False
        self._open: dict[int, tuple[m.Request, asyncio.Future[Any]]] = {}
        self._unsent: list[tuple[m.Request, asyncio.Future[Any]]] = []
        self._hello: int | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._ack_timer: asyncio.TimerHandle | None = None
        self._link = Link(
            address,
            host_key,
            identity,
            on_frame=self._frame,
            on_up=self._say_hello,
            on_down=self._went_down,
            on_trouble=self._trouble,
        )

    @property
    def is_up(self) -> bool:
        """Whether there is a connection and the host has said welcome on it."""
        return self._link.is_up and self._hello is None and self.welcome is not None

    def open(self) -> None:
        """Starts connecting; `on_welcome` tells when that has worked."""
        self._link.open()
        self._tasks.append(asyncio.create_task(self._ping(), name="session-ping"))

    @property
    def address(self) -> str:
        """HOST:PORT where the host is, or is tried."""
        return self._link.address

    def move(self, address: str) -> None:
        """Tries another address of the host, if the connection is gone."""
        self._link.move(address)

    async def close(self, *, goodbye: bool = True) -> None:
        """Ends the session; with `goodbye` the host is told that the player leaves on purpose."""
        if goodbye and self.is_up and not self.ended:
            with contextlib.suppress(TimeoutError, Refused, Gone):
                await asyncio.wait_for(self.request(m.Bye), GOODBYE_SECONDS)
        self._finish()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._link.close()

    async def request(self, kind: Callable[..., m.Request], **fields: Any) -> dict[str, Any] | None:
        """Sends a request and returns the body of its reply, however long the way to the host is cut.

        Raises Refused if the host refuses, Gone if the session ends first.
        """
        if self.ended:
            raise Gone
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._unsent.append((kind(id=1, **fields), future))
        self._send_unsent()
        body: dict[str, Any] | None = await future
        return body

    # ---- sending

    def _next_id(self) -> int:
        self._last_id += 1
        return self._last_id

    def _send_unsent(self) -> None:
        """Gives what waits its ids and sends it. Not before the welcome: ids have to arrive in their order."""
        if not self.is_up:
            return
        waiting, self._unsent = self._unsent, []
        for request, future in waiting:
            number = self._next_id()
            request = msgspec.structs.replace(request, id=number)
            try:
                frame = codec.encode(request)
            except ValueError as error:
                if not future.done():
                    future.set_exception(Refused("bad-frame", str(error)))
                continue
            self._open[number] = (request, future)
            self._link.send(frame)

    def _say_hello(self) -> None:
        self._hello = self._next_id()
        hello = m.Hello(
            id=self._hello,
            versions=list(limits.VERSIONS),
            name=self.name,
            program=program.NAME_AND_VERSION,
            sign_key=self.identity.sign_key,
            proof=self.identity.prove(self.host_key),
            session=self._session,
            passphrase=self._passphrase,
            whisper=self._whisper,
            seen=self._seen,
        )
        self._link.send(codec.encode(hello))

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(limits.PING_SECONDS)
            if self._link.is_up and self._hello is not None:
                self._say_hello()  # the first one was lost
            elif self.is_up:
                self._link.send(codec.encode(m.Ping(id=self._next_id(), seen=self._seen)))
                self._acked = self._seen

    def _ack_soon(self) -> None:
        if self._ack_timer is None:
            self._ack_timer = asyncio.get_running_loop().call_later(ACK_SECONDS, self._ack)

    def _ack(self) -> None:
        self._ack_timer = None
        if self.is_up and self._acked < self._seen:
            self._link.send(codec.encode(m.Ack(n=self._seen)))
            self._acked = self._seen

    # ---- receiving

    def _frame(self, frame: bytes) -> None:
        try:
            message = codec.decode_push(frame)
        except codec.BadFrame as error:
            log.warning("a bad frame from the host: %s", error.reason)
            self._resync()
            return
        if isinstance(message, m.Reply):
            self._reply(message)
        elif isinstance(message, m.Superseded):
            self._trouble("superseded")
            self._finish()
        elif isinstance(message, m.Closing):
            self._on_push(message)
            self._finish()
        else:
            self._push(message)

    def _push(self, push: Any) -> None:
        if push.n == self._seen + 1:
            self._seen = push.n
            if isinstance(push, m.Lobby | m.Snapshot):
                self._resyncing = False
            self._on_push(push)
        elif push.n > self._seen + 1:
            if self._resyncing and isinstance(push, m.Lobby):  # the host starts from the whole state again
                self._seen, self._resyncing = push.n, False
                self._on_push(push)
            else:
                log.warning("push %d follows on %d", push.n, self._seen)
                self._resync()
        self._ack_soon()

    def _reply(self, reply: m.Reply) -> None:
        if reply.id == self._hello:
            self._welcomed(reply)
            return
        if reply.error is not None and reply.error.code == "hello-first":
            self._say_hello()
            return
        if reply.id not in self._open:
            return
        request, future = self._open[reply.id]
        if reply.error is not None and reply.error.code == "too-fast":
            frame = codec.encode(request)
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self._link.send, frame)
            return
        del self._open[reply.id]
        if future.done():
            return
        if reply.error is not None:
            future.set_exception(Refused(reply.error.code, reply.error.text))
        else:
            future.set_result(reply.body)

    def _welcomed(self, reply: m.Reply) -> None:
        if reply.error is not None and reply.error.code == "too-fast":
            self.put_off = clean(reply.error.text)
            return  # it is said again with the next ping
        if reply.error is not None:
            known = reply.error.code in SENTENCES
            self._trouble(reply.error.code if known else f"refused: {reply.error.text}")
            self._finish()
            return
        try:
            welcome = codec.read_body(reply.body, m.Welcome) if reply.body is not None else None
        except codec.BadFrame:
            welcome = None
        if welcome is None or not verify_host_proof(self.host_key, welcome.sign_key, welcome.proof):
            self._trouble("host-proof")
            self._finish()
            return
        self.welcome = welcome
        self._hello = None
        if welcome.next != self._seen + 1:
            self._seen = welcome.next - 1
        for number in sorted(self._open):
            self._link.send(codec.encode(self._open[number][0]))
        self._send_unsent()
        self._on_welcome(welcome)

    def _resync(self) -> None:
        """Asks for everything anew, once until something fits again."""
        if self._resyncing or not self.is_up:
            return
        self._resyncing = True
        self._link.send(codec.encode(m.Resync(id=self._next_id())))

    def resync(self) -> None:
        """Asks the host for the whole state, because what came does not fit what is known."""
        self._resync()

    def _went_down(self) -> None:
        self._resyncing = False
        self._hello = None
        self._on_down()

    def _trouble(self, what: str) -> None:
        if not self.ended:
            log.warning("trouble: %s", what)
            self._on_trouble(what)

    def _finish(self) -> None:
        self.ended = True
        for _, future in [*self._open.values(), *self._unsent]:
            if not future.done():
                future.set_exception(Gone())
        self._open.clear()
        self._unsent.clear()
        if self._ack_timer is not None:
            self._ack_timer.cancel()


SENTENCES = {
    links.OtherKey: "Another host answers there than the one that the code names. Compare the code once more.",
    links.NotAllowed: "The host does not let this player in.",
    links.NotOurs: "What answers there is no cosmic-net host, or a very old one.",
    "superseded": "This player has joined from elsewhere; this window is out of the game. Another player on the same "
    "computer needs a profile of its own: --profile NAME.",
    "passphrase": "This table asks for a passphrase, and that was none or a wrong one.",
    "version": "The host speaks another version of the protocol. Everybody needs the same version of cosmic-net.",
    "host-proof": "The host cannot prove who it is. This is not the host that the code names.",
}
"""What is wrong, for people; `links.NoAnswer` needs the address and is in `trouble_text`."""


NO_ANSWER_ANY_MORE = (
    "The host does not answer any more: it has stopped, or the network is cut. This program keeps trying, and goes on "
    "by itself. If the host has stopped, `cosmic-net resume` in another window of its computer starts it again, with "
    "the same game."
)
"""When a connection that was there stays away."""


def trouble_text(what: str, address: str) -> str:
    """A name that `on_trouble` got, as a sentence for the player."""
    if what == links.NoAnswer:
        return (
            f"No answer from {address}. Usual causes: the host is not running any more; a firewall on its computer "
            "blocks the port; the two computers are not in the same network (guest networks often keep them apart)."
        )
    if what.startswith("refused: "):
        return "The host says: " + clean(what.removeprefix("refused: "))
    return SENTENCES[what]
