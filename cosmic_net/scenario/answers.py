"""Answers as people write them become answers as the game takes them.

A word stands for a list of one, a face for the first such card, a number of ships for ships from wherever most are.
What cannot be understood raises IllegalAnswer, as a refusal by the game does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cosmic_net.engine import decisions as kinds
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.errors import IllegalAnswer
from cosmic_net.scenario.parser import Answer, plain

#: Words with which a player lets the clock run out, for any question.
TIMEOUT = "timeout"


def fits(answer: Answer, decision: Decision) -> bool:
    """Whether an answer is meant for a question: its topic, or for what is done in a window that it is possible."""
    if decision.kind != kinds.REACT:
        return answer.key == decision.topic
    if not answer.acts:
        return False
    window = decision.bounds["window"]
    if answer.key == "pass":
        return answer.value in (window, "any", None)
    if answer.window not in (None, window):
        return False
    return answer.refused is not None or action_id(answer, decision) is not None


def action_id(answer: Answer, decision: Decision) -> str | None:
    """The action of a window that a `play` or `use` names; None if it is not among them."""
    wanted = str(answer.value)
    for action in decision.bounds["actions"]:
        is_card = "card" in action
        name = str(action["id"])
        if is_card == (answer.key == "play") and wanted in (name, name.partition(":")[0]):
            return name
    return None


def convert(answer: Answer, decision: Decision) -> Any:
    """The answer in the form that the game takes; for a sealed card its id."""
    if decision.kind == kinds.REACT:
        return None if answer.key == "pass" else (action_id(answer, decision) or str(answer.value))
    return _CONVERT[decision.kind](answer.value, decision.bounds)


def optional(decision: Decision) -> bool:
    """Whether a question need not be listed: it has a harmless answer, taken by default."""
    if decision.kind == kinds.REACT:
        return True
    if decision.kind == kinds.CHOOSE and decision.default in (["no"], ["decline"]):
        return True
    return bool(decision.bounds.get("min", 1) == 0)


# ---- by kind


def _choose(value: Any, bounds: Mapping[str, Any]) -> list[str]:
    names = [option["id"] for option in bounds["options"]]
    if value == "all" and "all" not in names:
        return names[: bounds["max"]]
    if value in ("none", "nobody") and value not in names:
        return []
    return [_option(item, names) for item in _items(value)]


def _option(value: Any, names: list[str]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    word = str(value)
    ends = [name for name in names if name.partition(":")[0] == word]
    return ends[0] if word not in names and len(ends) == 1 else word


def _ships(value: Any, bounds: Mapping[str, Any]) -> Any:
    places = bounds["places"]
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, bool) or value is None:
        raise IllegalAnswer("ships are given as a number, a place, or a map of places and numbers")
    if isinstance(value, int):
        return _spread(value, places)
    word = str(value)
    if word in ("none", "all"):
        return {} if word == "none" else _spread(bounds["max"], places)
    if bounds["min"] != bounds["max"]:
        raise IllegalAnswer(f"{word}: say how many ships ({{{word}: 1}})")
    return {word: bounds["min"]}


def _spread(count: int, places: Mapping[str, int]) -> dict[str, int]:
    """That many ships, one at a time from the place that could still give most."""
    if count > sum(places.values()):
        raise IllegalAnswer(f"there is room for {sum(places.values())} ships only, not {count}")
    left = dict(places)
    taken: dict[str, int] = {}
    for _ in range(count):
        place = max(left, key=lambda name: left[name])
        left[place] -= 1
        taken[place] = taken.get(place, 0) + 1
    return taken


def _cards(value: Any, bounds: Mapping[str, Any]) -> list[int]:
    left = list(bounds["cards"])
    if value == "all":
        return [card[0] for card in left]
    chosen = []
    for face in [] if value == "none" else _items(value):
        card = next((card for card in left if card[1] == face), None)
        if card is None:
            raise IllegalAnswer(f"{face} is not among the cards")
        left.remove(card)
        chosen.append(int(card[0]))
    return chosen


def _declare(value: Any, bounds: Mapping[str, Any]) -> Any:
    return value


def _seal(value: Any, bounds: Mapping[str, Any]) -> Any:
    if value == "forged":
        return 0
    if value in [option["id"] for option in bounds["options"]]:
        return {"option": value}
    return _cards(value, bounds)[0]


def _deal(value: Any, bounds: Mapping[str, Any]) -> dict[str, Any]:
    if value in ("refuse", False):
        return {"refuse": True}
    if value == "accept":
        offers = [offer["id"] for offer in bounds["offers"] if offer["by"] == bounds["partner"]]
        return {"accept": offers[-1] if offers else -1}
    if isinstance(value, Mapping) and set(value) == {"offer"} and isinstance(value["offer"], Mapping):
        return {"offer": {who: _gift(gift) for who, gift in value["offer"].items()}}
    raise IllegalAnswer(f"deal: {plain(value)} is no accept, refuse, timeout or {{offer: …}}")


def _gift(gift: Any) -> Any:
    """One player's part of the terms; `faces` may be a single card."""
    if gift is None or gift == "nothing":
        return {}
    if not isinstance(gift, Mapping):
        raise IllegalAnswer("an offer says for each player what he gives: colony, faces, types, choice, random")
    result = {key: dict(value) if isinstance(value, Mapping) else value for key, value in gift.items()}
    if "faces" in result:
        result["faces"] = list(_items(result["faces"]))
    return result


def _items(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


_CONVERT = {
    kinds.CHOOSE: _choose,
    kinds.SHIPS: _ships,
    kinds.CARDS: _cards,
    kinds.DECLARE: _declare,
    kinds.SEAL: _seal,
    kinds.DEAL: _deal,
}
