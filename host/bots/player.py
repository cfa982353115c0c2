"""A bot as a client: it follows the game by what it is told, and answers what it is asked."""

from __future__ import annotations

from typing import Any

from cosmic_net.bots.agent import Bot
from protocol import codec, fairness, signing, transcript, updates
from protocol.identity import Identity
from protocol.messages import (
    Answer,
    Begin,
    Push,
    Request,
    Seed,
    SeedOpen,
    Seeds,
    Snapshot,
    Update,
)


class Player:
    """One bot's knowledge of a game. `hear` takes a push and returns requests to send, whose ids are still 0.

    It may throw ValueError (and KeyError) at what no honest host sends: then everything is asked for anew.
    """

    def __init__(self, identity: Identity, bot: Bot) -> None:
        self.identity = identity
        self.bot = bot
        self._game = ""
        self._commitment = b""
        self._seat = ""
        self._view: dict[str, Any] = {}
        self._count, self._head = 0, b""
        self._answered: set[int] = set()
        self._sealed: int | None = None
        """The card that lies sealed on the table. It is not offered for anything else."""

    def hear(self, push: Push) -> list[Request]:
        """Takes note of a push; returns what is to be said to it."""
        match push:
            case Begin():
                return self._begin(push)
            case Seeds():
                return self._open_seed(push)
            case Snapshot():
                self._game, self._view = push.game, push.view
                self._count, self._head = push.head.count, push.head.head
                self._seat = push.view.get("me", "")
                self._answered = set()
                self._find_sealed(push)
                return self._answers()
            case Update():
                shared = updates.unpack(push.shared)
                self._view = updates.apply(self._view, shared.patch, push.own)
                self._head, _ = transcript.extend(self._count, self._head, shared.entries)
                self._count += len(shared.entries)
                if any(event["kind"] == updates.OPENED and event["seat"] == self._seat for event in shared.events):
                    self._sealed = None
                return self._answers()
            case _:
                pass
        return []

    def _begin(self, push: Begin) -> list[Request]:
        self._game, self._commitment = push.game, push.host_commitment
        keys = codec.unpack_value(push.setup)["keys"]
        self._seat = next((seat for seat, key in keys.items() if key == self.identity.sign_key), "")
        if push.practice or not self._seat:
            return []
        share = fairness.seed_commitment(push.game, self._seat, self._share())
        signature = fairness.sign_seed(self.identity, push.game, self._seat, share)
        return [Seed(id=1, game=push.game, commitment=share, signature=signature)]

    def _open_seed(self, push: Seeds) -> list[Request]:
        if not self._seat:
            return []
        mine = push.commitments[self._seat]  # type: ignore[index]
        if not fairness.check_seed(push.game, self._seat, mine.commitment, self._share()):
            return []  # the host shows another commitment than ours: nothing is opened
        return [SeedOpen(id=1, game=push.game, value=self._share())]

    def _share(self) -> bytes:
        return self.identity.seed_value(self._game, self._commitment)

    def _answers(self) -> list[Request]:
        requests: list[Request] = []
        for decision in self._view.get("prompts", ()):
            if decision["id"] not in self._answered:
                self._answered.add(decision["id"])
                answer = self._decide(decision)
                if answer is not None or decision["kind"] != "deal":  # to a deal, None is: you first
                    requests.append(self._answer(decision, answer))
        return requests

    def _answer(self, decision: dict[str, Any], answer: Any) -> Answer:
        value = codec.pack_value(answer)
        signature = signing.sign_answer(self.identity, self._game, decision["id"], value, self._head)
        return Answer(id=1, decision=decision["id"], value=value, count=self._count, signature=signature)

    def _decide(self, decision: dict[str, Any]) -> Any:
        if decision["kind"] == "open":
            return self._open(decision)
        if decision["kind"] == "seal":
            self._sealed = None
        answer = self.bot.decide(self._view, self._without_sealed(decision))
        if decision["kind"] == "seal" and not isinstance(answer, dict):
            self._sealed = answer
            sealed = fairness.seal(self.identity, decision["context"], answer)
            return {"commitment": sealed.commitment, "signature": sealed.signature}
        return answer

    def _without_sealed(self, decision: dict[str, Any]) -> dict[str, Any]:
        """The question without the sealed card, if it can be answered without it."""
        if self._sealed is None or decision["kind"] != "cards":
            return decision
        cards = [card for card in decision["cards"] if card[0] != self._sealed]
        if len(cards) < decision["min"]:
            return decision
        return decision | {"cards": cards, "max": min(decision["max"], len(cards))}

    def _open(self, decision: dict[str, Any]) -> Any:
        found = fairness.reopen(self.identity, decision["context"], decision["commitment"], self._cards())
        return None if found is None else {"card": found[0], "nonce": found[1]}

    def _find_sealed(self, push: Snapshot) -> None:
        self._sealed = None
        for card in push.sealed:
            if card.seat == self._seat:
                found = fairness.reopen(self.identity, card.context.data(), card.commitment, self._cards())
                self._sealed = None if found is None else found[0]

    def _cards(self) -> list[int]:
        """The ids of all cards that could lie sealed: those in hand, and on sheets."""
        sheets = self._view.get("sheets", {}).values()
        return [card for cards in (self._view.get("hand", ()), *sheets) for card, _ in cards]
