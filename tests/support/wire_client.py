"""A small client of a host for tests: it checks everything that it is told, and can play by itself."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import zmq
import zmq.asyncio
from zmq.utils.monitor import recv_monitor_message

from cosmic_net.bots.agent import Agent, Bot
from protocol import codec, fairness, limits, patch, signing, transcript, z85
from protocol.identity import Identity, verify_host_proof
from protocol.messages import (
    Abandoned,
    Ack,
    Answer,
    Begin,
    Bye,
    Closing,
    Ended,
    Hello,
    Lobby,
    Opened,
    Passes,
    Ping,
    Push,
    Ready,
    Reply,
    Request,
    Said,
    Sealed,
    SealedCard,
    Seed,
    SeedOpen,
    Seeds,
    Sit,
    Snapshot,
    Superseded,
    Table,
    Update,
    Welcome,
    You,
)

T = TypeVar("T")
HANDSHAKE_FAILED = (
    zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
)
ACK_EVERY = 8
PATIENCE = 45.0
"""Seconds after which a test that waits for something has failed."""


class WireClient:
    """One player. With a `bot` it answers every prompt; without one a test answers with `answer`."""

    def __init__(self, secret: bytes, name: str, bot: Bot | None = None, *, kind: str = "person") -> None:
        self.identity = Identity(secret)
        self.name = name
        self.kind: Any = kind
        self._secret = secret
        self.play_with(bot)
        self.session = os.urandom(limits.SESSION_BYTES)
        self.acknowledges = True
        self.errors: list[str] = []
        """What the host did that it must not."""
        self.refused: list[tuple[Request, Reply]] = []
        """Requests of its own that were answered with an error."""
        self.pushes: list[Push] = []
        self.answered: set[int] = set()
        self.stops_at: Callable[[dict[str, Any]], bool] = lambda decision: False
        """Which prompts are left to the test."""
        self.table: Table | None = None
        self.you = You()
        self.game = ""
        self.seat = ""
        self.view: dict[str, Any] = {}
        self.log: list[dict[str, Any]] = []
        self.entries: list[bytes] = []
        self.skipped = 0
        """How many entries there were before those in `entries`."""
        self.head = b""
        self.clocks: dict[int, int] = {}
        self.sealed: dict[bytes, SealedCard] = {}
        self.opened: list[Opened] = []
        self.said: list[Said] = []
        self.ended: Ended | None = None
        self.closed: Push | None = None
        self.abandoned: Abandoned | None = None
        self.seen = 0
        self._begin: Begin | None = None
        self._greeted = 0
        self._keys: dict[str, bytes] = {}
        self._next_id = 1
        self._replies: dict[int, asyncio.Future[Reply]] = {}
        self._changed = asyncio.Event()
        self._context: zmq.asyncio.Context | None = None
        self._socket: zmq.asyncio.Socket | None = None
        self._reader: asyncio.Task[None] | None = None

    def play_with(self, bot: Bot | None) -> None:
        """Lets a bot answer from now on, or nobody."""
        self.bot = bot
        self.agent = Agent(bot, self._secret) if bot is not None else None

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

    async def hello(self, **changes: Any) -> Welcome:
        """Says hello and checks the welcome."""
        reply = await self.request(self.hello_message(**changes))
        if reply.error is not None:
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
        if self._reader is not None:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader
            self._reader = None
        if self._context is not None:
            self._context.destroy(linger=0)
            self._context = self._socket = None

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
        await self._socket.send_multipart(frames)

    async def sit(self, seat: str | None = None) -> None:
        """Takes a seat and is ready."""
        await self.must(Sit(id=1, seat=seat))  # type: ignore[arg-type]
        await self.must(Ready(id=1, ready=True))

    def answer_message(self, decision: dict[str, Any], answer: Any) -> Answer:
        """The signed answer to a prompt."""
        value = codec.pack_value(answer)
        signature = signing.sign_answer(self.identity, self.game, decision["id"], value, self.head)
        return Answer(id=1, game=self.game, decision=decision["id"], value=value, head=self.head, signature=signature)

    async def answer(self, decision: dict[str, Any], answer: Any) -> Reply:
        """Answers a prompt."""
        return await self.request(self.answer_message(decision, answer))

    def pass_message(self, until: Any, keep: list[str] | None = None) -> Passes:
        """A signed standing pass."""
        keep = keep or []
        signature = signing.sign_passes(self.identity, self.game, self.seat, until, keep, self.head)
        return Passes(id=1, game=self.game, until=until, keep=keep, head=self.head, signature=signature)

    def decide(self, decision: dict[str, Any]) -> Any:
        """What the bot answers to a prompt, sealed cards signed."""
        assert self.agent is not None
        answer = self.agent.answer(self.view, decision)
        if decision["kind"] == "seal" and "commitment" in answer:
            signature = fairness.sign_commitment(self.identity, decision["context"], answer["commitment"])
            answer = answer | {"signature": signature}
        return answer

    # ---- waiting

    async def until(self, condition: Callable[[], T | None], patience: float = PATIENCE) -> T:
        """Waits until a condition holds; looks whenever something was heard. Returns its (true) value."""
        try:
            async with asyncio.timeout(patience):
                while not (found := condition()):
                    self._changed.clear()
                    await self._changed.wait()
                return found
        except TimeoutError:
            waiting = self.view.get("waiting")
            raise AssertionError(
                f"{self.name} waited in vain; table {self.table and self.table.phase}, waiting {waiting}, "
                f"errors {self.errors}, refused {[r.error for _, r in self.refused]}"
            ) from None

    async def in_another_game(self, before: str) -> None:
        """Waits until a game other than this has begun."""
        await self.until(lambda: self.game != before and self.view.get("game") == self.game)

    async def has_ended(self, patience: float = PATIENCE) -> Ended:
        """Waits for the end of the game."""
        return await self.until(lambda: self.ended, patience)

    def prompts(self, kind: str | None = None) -> list[dict[str, Any]]:
        """The open prompts, of one kind if it is named."""
        return [p for p in self.view.get("prompts", ()) if kind in (None, p["kind"])]

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
            push = codec.decode_push(frames[0])
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
        match push:
            case Lobby():
                self.table, self.you = push.table, push.you
            case Begin():
                await self._begun(push)
            case Seeds():
                await self._open_seed(push)
            case Snapshot():
                self._snapshot(push)
                await self._play()
            case Update():
                self._update(push)
                await self._play()
            case Sealed():
                self._lay_down(
                    SealedCard(
                        seat=push.seat,
                        context=push.context,
                        commitment=push.commitment,
                        signature=push.signature,
                    )
                )
            case Opened():
                self._check_opening(push)
            case Said():
                self.said.append(push)
            case Ended():
                self.ended = push
            case Abandoned():
                self.abandoned = push
            case _:
                pass

    # ---- the seed

    async def _begun(self, push: Begin) -> None:
        self._begin = push
        self._take_setup(push.game, push.setup)
        self.ended = self.abandoned = None
        if self.seat and not push.practice:
            await self._post(self.seed_message())

    def _take_setup(self, game: str, setup: bytes) -> None:
        self.game, self.setup = game, setup
        self._keys = codec.unpack_value(setup)["keys"]
        self.seat = next((seat for seat, key in self._keys.items() if key == self.identity.sign_key), "")
        self.chain = transcript.Transcript(game, setup)
        self.head = self.chain.head
        self.answered = set()

    def seed_message(self) -> Seed:
        """The commitment to this player's share of the seed."""
        commitment = fairness.seed_commitment(self.game, self.seat, self._share())
        signature = fairness.sign_seed(self.identity, self.game, self.seat, commitment)
        return Seed(id=1, game=self.game, commitment=commitment, signature=signature)

    async def _open_seed(self, push: Seeds) -> None:
        for seat, signed in push.commitments.items():
            if not fairness.verify_seed(self._keys[seat], self.game, seat, signed.commitment, signed.signature):
                self.errors.append(f"the share of {seat} is not signed")
        if self.seat:
            await self._post(SeedOpen(id=1, game=self.game, value=self._share()))

    def _share(self) -> bytes:
        assert self._begin is not None
        return self.identity.seed_value(self.game, self._begin.host_commitment)

    # ---- the game

    def _snapshot(self, push: Snapshot) -> None:
        self._take_setup(push.game, push.setup)
        self.view, self.log, self.clocks = push.view, list(push.log), push.clocks
        self.sealed = {card.commitment: card for card in push.sealed}
        self.answered = set()
        self._check_head(push.head)
        self.head = push.head.head
        self.skipped, self.entries = push.head.count, []

    def _update(self, push: Update) -> None:
        self.view = patch.apply(self.view, push.patch)
        self.log += push.events
        self.clocks = push.clocks
        for entry in push.entries:
            self.entries.append(entry)
            self.head = transcript.step(self.head, entry)
        if push.head.head != self.head:
            self.errors.append("the transcript does not fit its head")
        self._check_head(push.head)

    def _check_head(self, head: Any) -> None:
        if not signing.verify_head(self.host_sign_key, self.game, head.count, head.head, head.signature):
            self.errors.append("a head is not signed by the host")

    def _lay_down(self, card: SealedCard) -> None:
        signed = fairness.check_commitment(card.context.data(), card.commitment, card.signature)
        if not signed or card.context.key != self._keys[card.seat]:
            self.errors.append(f"the sealed card of {card.seat} is not signed")
        self.sealed[card.commitment] = card

    def _check_opening(self, push: Opened) -> None:
        card = self.sealed.pop(push.commitment, None)
        if card is None:
            self.errors.append(f"{push.seat} opens what it has not sealed")
        elif not fairness.verify_opening(card.context.data(), card.commitment, card.signature, push.card, push.nonce):
            self.errors.append(f"the opening of {push.seat} does not fit")
        self.opened.append(push)

    async def play_on(self) -> None:
        """Answers what was left to the test."""
        await self._play()

    def left_to_me(self) -> dict[str, Any] | None:
        """A prompt that waits for the test."""
        return next((decision for decision in self.prompts() if self.stops_at(decision)), None)

    async def _play(self) -> None:
        """Answers what is asked, if a bot plays."""
        if self.bot is None:
            return
        for decision in self.prompts():
            if decision["id"] not in self.answered and not self.stops_at(decision):
                self.answered.add(decision["id"])
                answer = self.decide(decision)
                if answer is not None or decision["kind"] != "deal":
                    await self._post(self.answer_message(decision, answer))

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
