"""Decisions: the closed set of questions that the game can ask a player, and what counts as a legal answer.

An answer names content (a card, a planet, a seat), never a place in a list. `check` refuses an illegal answer with
a reason for people; it never changes anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from cosmic_net.engine.errors import IllegalAnswer, shown
from cosmic_net.engine.terms import check_move

CHOOSE, SHIPS, CARDS, DECLARE, SEAL, OPEN, DEAL, REACT = (
    "choose",
    "ships",
    "cards",
    "declare",
    "seal",
    "open",
    "deal",
    "react",
)
KINDS = (CHOOSE, SHIPS, CARDS, DECLARE, SEAL, OPEN, DEAL, REACT)

DECISION_CLOCK, REACTION_CLOCK, OPENING_CLOCK, DEAL_CLOCK = "decision", "reaction", "opening", "deal"


class Decision(NamedTuple):
    """One question to one player.

    id is unique in the game; decisions of one `group` were asked together, and those of one `timer` share a clock of
    the kind `clock`. `topic` is the stable name of the question, `text` the English question with `{args}`.
    `bounds` holds what is legal, by kind (see `docs/protocol.md`). `default` is taken when the clock runs out.
    """

    id: int
    group: int
    seat: str
    kind: str
    topic: str
    text: str
    bounds: Mapping[str, Any]
    default: Any
    args: Mapping[str, Any] = MappingProxyType({})
    clock: str = DECISION_CLOCK
    timer: int = 0

    def check(self, answer: Any) -> Any:
        """The answer in its normal form. Raises IllegalAnswer with the reason if it is not legal."""
        return _CHECKS[self.kind](self.bounds, answer)

    def to_data(self) -> dict[str, Any]:
        """The decision as plain data, for its own player."""
        return {
            "id": self.id,
            "group": self.group,
            "seat": self.seat,
            "kind": self.kind,
            "topic": self.topic,
            "text": self.text,
            "args": dict(self.args),
            "default": self.default,
            "clock": self.clock,
            "timer": self.timer,
            **self.bounds,
        }

    def public_data(self) -> dict[str, Any]:
        """What everybody may know of it: who is asked, and what about."""
        data: dict[str, Any] = {
            "id": self.id,
            "group": self.group,
            "seat": self.seat,
            "kind": self.kind,
            "topic": self.topic,
            "clock": self.clock,
            "timer": self.timer,
        }
        if self.kind == REACT:
            data |= {"window": self.bounds["window"], "text": self.text, "args": dict(self.args)}
        elif self.kind == SEAL:
            data["context"] = self.bounds["context"]
        return data


def _check_choose(bounds: Mapping[str, Any], answer: Any) -> list[str]:
    names = [option["id"] for option in bounds["options"]]
    return _subset(names, answer, bounds["min"], bounds["max"], "choice")


def _check_cards(bounds: Mapping[str, Any], answer: Any) -> list[int]:
    return _subset([card[0] for card in bounds["cards"]], answer, bounds["min"], bounds["max"], "card")


def _subset(allowed: list[Any], answer: Any, low: int, high: int, what: str) -> list[Any]:
    if not isinstance(answer, list):
        raise IllegalAnswer(f"a list of {what}s is asked for")
    for item in answer:
        if isinstance(item, bool | float) or item not in allowed:
            raise IllegalAnswer(f"{shown(item)} is not among the {what}s")
    if len(set(answer)) != len(answer):
        raise IllegalAnswer(f"the same {what} twice")
    if not low <= len(answer) <= high:
        raise IllegalAnswer(f"{_range(low, high)} of them are to be named, not {len(answer)}")
    return list(answer)


def _check_ships(bounds: Mapping[str, Any], answer: Any) -> dict[str, int]:
    if not isinstance(answer, Mapping):
        raise IllegalAnswer("numbers of ships by place are asked for")
    for place, count in answer.items():
        if place not in bounds["places"]:
            raise IllegalAnswer(f"{shown(place)} is not among the places")
        if not _is_int(count) or count < 0:
            raise IllegalAnswer(f"{shown(count)} is no number of ships")
        if count > bounds["places"][place]:
            raise IllegalAnswer(f"{place} takes part with {bounds['places'][place]} at most")
    total = sum(answer.values())
    if not bounds["min"] <= total <= bounds["max"]:
        raise IllegalAnswer(f"{_range(bounds['min'], bounds['max'])} ships in all are asked for, not {total}")
    return {place: answer[place] for place in bounds["places"] if answer.get(place)}


def _check_declare(bounds: Mapping[str, Any], answer: Any) -> int:
    if not _is_int(answer) or not bounds["min"] <= answer <= bounds["max"]:
        raise IllegalAnswer(f"a number of {_range(bounds['min'], bounds['max'])} is asked for")
    return int(answer)


def _check_seal(bounds: Mapping[str, Any], answer: Any) -> dict[str, Any]:
    if isinstance(answer, Mapping):
        if set(answer) == {"option"}:
            if answer["option"] in [option["id"] for option in bounds["options"]]:
                return dict(answer)
            raise IllegalAnswer(f"{shown(answer['option'])} is not offered")
        commitment, signature = answer.get("commitment"), answer.get("signature", b"")
        known = set(answer) <= {"commitment", "signature"}
        if known and _is_bytes(commitment, 32, 32) and _is_bytes(signature, 0, 64):
            return {"commitment": commitment, "signature": signature}
    raise IllegalAnswer("a commitment of 32 bytes is asked for")


def _check_open(bounds: Mapping[str, Any], answer: Any) -> dict[str, Any] | None:
    if answer is None:
        return None
    if isinstance(answer, Mapping) and set(answer) == {"card", "nonce"}:
        nonce = answer["nonce"]
        if _is_int(answer["card"]) and answer["card"] >= 0 and isinstance(nonce, bytes) and len(nonce) == 32:
            return dict(answer)
    raise IllegalAnswer("a card and a nonce of 32 bytes are asked for")


def _check_react(bounds: Mapping[str, Any], answer: Any) -> str | None:
    if answer is None or answer in [action["id"] for action in bounds["actions"]]:
        return None if answer is None else str(answer)
    raise IllegalAnswer(f"{shown(answer)} cannot be done now")


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53


def _is_bytes(value: Any, low: int, high: int) -> bool:
    return isinstance(value, bytes) and low <= len(value) <= high


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


_CHECKS = {
    CHOOSE: _check_choose,
    SHIPS: _check_ships,
    CARDS: _check_cards,
    DECLARE: _check_declare,
    SEAL: _check_seal,
    OPEN: _check_open,
    DEAL: check_move,
    REACT: _check_react,
}
