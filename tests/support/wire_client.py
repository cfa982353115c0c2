"""A small client of a host for tests: it checks everything that it is told, and can play by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from cosmic_net.bots.agent import Agent, Bot
from protocol import codec, fairness, limits, signing, transcript, updates
from protocol.messages import (
    Abandoned,
    Answer,
    Begin,
    Ended,
    Head,
    Lobby,
    Passes,
    Push,
    Ready,
    Reply,
    Said,
    SealContext,
    SealedCard,
    Seed,
    SeedOpen,
    Seeds,
    Sit,
    Snapshot,
    Table,
    Update,
    You,
)
from tests.support.wire_link import PATIENCE, WireLink

T = TypeVar("T")


class WireClient(WireLink):
    """One player. With a `bot` it answers every prompt; without one a test answers with `answer`."""

    def __init__(self, secret: bytes, name: str, bot: Bot | None = None, *, kind: str = "person") -> None:
        super().__init__(secret, name, kind)
        self._secret = secret
        self.play_with(bot)
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
        self.opened: list[dict[str, Any]] = []
        self.said: list[Said] = []
        self.ended: Ended | None = None
        self.abandoned: Abandoned | None = None
        self._begin: Begin | None = None
        self._keys: dict[str, bytes] = {}
        self._others: dict[str, set[bytes]] = {}
        """Keys with which others have played a seat."""

    def play_with(self, bot: Bot | None) -> None:
        """Lets a bot answer from now on, or nobody."""
        self.bot = bot
        self.agent = Agent(bot, self._secret) if bot is not None else None

    async def sit(self, seat: str | None = None) -> None:
        """Takes a seat and is ready."""
        await self.must(Sit(id=1, seat=seat))  # type: ignore[arg-type]
        await self.must(Ready(id=1, ready=True))

    def answer_message(self, decision: dict[str, Any], answer: Any) -> Answer:
        """The signed answer to a prompt."""
        value = codec.pack_value(answer)
        signature = signing.sign_answer(self.identity, self.game, decision["id"], value, self.head)
        return Answer(id=1, decision=decision["id"], value=value, count=self.count, signature=signature)

    async def answer(self, decision: dict[str, Any], answer: Any) -> Reply:
        """Answers a prompt."""
        return await self.request(self.answer_message(decision, answer))

    def pass_message(self, until: Any, keep: list[str] | None = None) -> Passes:
        """A signed standing pass."""
        keep = keep or []
        signature = signing.sign_passes(self.identity, self.game, self.seat, until, keep, self.head)
        return Passes(id=1, until=until, keep=keep, count=self.count, signature=signature)

    @property
    def count(self) -> int:
        """How many entries of the transcript it knows of."""
        return self.skipped + len(self.entries)

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
            case Said():
                self.said.append(push)
            case Ended():
                self.ended = push
                self._check_head(push.head)
                if (push.head.count, push.head.head) != (self.count, self.head):
                    self.errors.append("the transcript does not fit its last head")
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
        self.view, self.log, self.clocks = push.view, list(push.log), dict(push.clocks)
        self.sealed = {card.commitment: card for card in push.sealed}
        self.answered = set()
        self._check_head(push.head)
        self.head = push.head.head
        self.skipped, self.entries = push.head.count, []

    def _update(self, push: Update) -> None:
        shared = updates.unpack(push.shared)
        asked = {decision["id"]: decision for decision in self.view["waiting"]}
        self.view = updates.apply(self.view, shared.patch, push.own)
        due = None
        for entry in shared.entries:
            self.entries.append(entry)
            self.head = transcript.step(self.head, entry)
            self._look_at(transcript.decode_entry(entry), asked)
            if self.count % limits.ENTRIES_PER_SIGNATURE == 0:
                due = self.count, self.head
        self._check_signature(shared.signature, due)
        events = updates.events(shared.events, push.own)
        for event in events:
            if event["kind"] == "card-opened":
                self._check_opening(event)
        self.log += events
        running = {decision["timer"] for decision in self.view["waiting"]}
        clocks = self.clocks | shared.clocks
        self.clocks = {timer: left for timer, left in clocks.items() if left is not None and timer in running}

    def _look_at(self, entry: transcript.Entry, asked: dict[int, dict[str, Any]]) -> None:
        """Takes note of another player at a seat, and of a card that is sealed."""
        if isinstance(entry, transcript.PlayerEntry):
            self._others.setdefault(entry.seat, set()).add(entry.key)
        elif isinstance(entry, transcript.AnswerEntry) and entry.shown is not None:
            context = msgspec.convert(asked[entry.decision]["context"], SealContext)
            self._lay_down(SealedCard(seat=entry.seat, context=context, **entry.shown))

    def _check_signature(self, signature: bytes | None, due: tuple[int, bytes] | None) -> None:
        """Whether the host has signed the head that it had to sign with this update, and only that."""
        if due is None or signature is None:
            if due is not None or signature is not None:
                self.errors.append("a signature of the head is missing, or too many")
            return
        count, head = due
        self._check_head(Head(count=count, head=head, signature=signature))

    def _check_head(self, head: Any) -> None:
        if not signing.verify_head(self.host_sign_key, self.game, head.count, head.head, head.signature):
            self.errors.append("a head is not signed by the host")

    def _lay_down(self, card: SealedCard) -> None:
        signed = fairness.check_commitment(card.context.data(), card.commitment, card.signature)
        known = {self._keys[card.seat]} | self._others.get(card.seat, set())
        if not signed or (card.context.key not in known and self.skipped <= 1):
            self.errors.append(f"the sealed card of {card.seat} is not signed")
        self.sealed[card.commitment] = card

    def _check_opening(self, event: dict[str, Any]) -> None:
        card, opening = self.sealed.pop(event["commitment"], None), (event["card"], event["nonce"])
        if card is None:
            self.errors.append(f"{event['seat']} opens what it has not sealed")
        elif not fairness.verify_opening(card.context.data(), card.commitment, card.signature, *opening):
            self.errors.append(f"the opening of {event['seat']} does not fit")
        self.opened.append(event)

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
