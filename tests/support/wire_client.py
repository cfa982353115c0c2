"""A small client of a host for tests: it checks everything that it is told, and can play by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from cosmic_net.bots.agent import Agent, Bot
from protocol import codec, fairness, patch, signing, transcript
from protocol.messages import (
    Abandoned,
    Answer,
    Begin,
    Ended,
    Lobby,
    Opened,
    Passes,
    Push,
    Ready,
    Reply,
    Said,
    Sealed,
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
        self.opened: list[Opened] = []
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
            decoded = transcript.decode_entry(entry)
            if isinstance(decoded, transcript.PlayerEntry):
                self._others.setdefault(decoded.seat, set()).add(decoded.key)
            self.head = transcript.step(self.head, entry)
        if push.head.head != self.head:
            self.errors.append("the transcript does not fit its head")
        self._check_head(push.head)

    def _check_head(self, head: Any) -> None:
        if not signing.verify_head(self.host_sign_key, self.game, head.count, head.head, head.signature):
            self.errors.append("a head is not signed by the host")

    def _lay_down(self, card: SealedCard) -> None:
        signed = fairness.check_commitment(card.context.data(), card.commitment, card.signature)
        known = {self._keys[card.seat]} | self._others.get(card.seat, set())
        if not signed or (card.context.key not in known and self.skipped <= 1):
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
