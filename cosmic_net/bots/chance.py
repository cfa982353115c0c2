"""Chance: answers every question with a random legal answer. For tests and as a baseline, not for company."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cosmic_net.engine.rng import Rng


class Chance:
    """A player who throws dice. `eager` in 256 is how often it acts in a window where it could.

    It rather sends few ships than many and seldom walks out of a deal: with even dice all ships end in the warp, and
    such a game may go on for ever.
    """

    def __init__(self, seed: bytes, eager: int = 96) -> None:
        self.rng = Rng(seed)
        self.eager = eager

    def decide(self, view: Mapping[str, Any], decision: Mapping[str, Any]) -> Any:
        """A random legal answer."""
        return getattr(self, f"_{decision['kind']}")(decision)

    def _some(self, items: Sequence[Any], low: int, high: int) -> list[Any]:
        pool = list(items)
        count = low + self.rng.below(high - low + 1)
        return [pool.pop(self.rng.below(len(pool))) for _ in range(count)]

    def _choose(self, decision: Mapping[str, Any]) -> list[str]:
        return self._some([option["id"] for option in decision["options"]], decision["min"], decision["max"])

    def _cards(self, decision: Mapping[str, Any]) -> list[int]:
        return self._some([card[0] for card in decision["cards"]], decision["min"], decision["max"])

    def _ships(self, decision: Mapping[str, Any]) -> dict[str, int]:
        stock = [place for place, most in decision["places"].items() for _ in range(min(most, decision["max"]))]
        answer: dict[str, int] = {}
        low, high = decision["min"], decision["max"]
        most = low + min(self.rng.below(high - low + 1), self.rng.below(high - low + 1))
        for place in self._some(stock, most, most):
            answer[place] = answer.get(place, 0) + 1
        return answer

    def _declare(self, decision: Mapping[str, Any]) -> int:
        return int(decision["min"]) + self.rng.below(decision["max"] - decision["min"] + 1)

    def _seal(self, decision: Mapping[str, Any]) -> Any:
        choices: list[Any] = [card[0] for card in decision["cards"]]
        choices += [{"option": option["id"]} for option in decision["options"]]
        return choices[self.rng.below(len(choices))] if choices else 0

    def _react(self, decision: Mapping[str, Any]) -> str | None:
        actions = decision["actions"]
        if not actions or self.rng.below(256) >= self.eager:
            return None
        return str(actions[self.rng.below(len(actions))]["id"])

    def _deal(self, decision: Mapping[str, Any]) -> dict[str, Any]:
        theirs = [offer["id"] for offer in decision["offers"] if offer["by"] == decision["partner"]]
        if theirs and self.rng.below(2):
            return {"accept": theirs[0]}
        offer = self._offer(decision) if self.rng.below(24) else {}
        return (
            {"offer": offer}
            if any(offer.get(seat) for seat in (decision["me"], decision["partner"]))
            else {"refuse": True}
        )

    def _offer(self, decision: Mapping[str, Any]) -> dict[str, Any]:
        me, partner = decision["me"], decision["partner"]
        terms: dict[str, Any] = {me: {}, partner: {}}
        if decision["my_colonies"] and self.rng.below(2):
            terms[me]["colony"] = decision["my_colonies"][self.rng.below(len(decision["my_colonies"]))]
        if decision["their_colonies"] and self.rng.below(2):
            terms[partner]["colony"] = decision["their_colonies"][self.rng.below(len(decision["their_colonies"]))]
        if decision["my_cards"] and self.rng.below(2):
            kind = ("choice", "random", "faces")[self.rng.below(3)]
            face = decision["my_cards"][self.rng.below(len(decision["my_cards"]))][1]
            terms[me][kind] = [face] if kind == "faces" else 1
        if decision["their_hand"]:
            terms[partner]["random"] = 1
        for name, limits in decision["extras"].items():
            terms[name] = {key: self.rng.below(most + 1) for key, most in limits.items()}
        return terms
