"""Decisions made by hand, one of each kind, as a host would send them."""

from __future__ import annotations

from typing import Any

from client.ask import Question, question
from client.show.style import Style
from client.show.words import Cast
from tests.client.games import NAMES

PLANETS = {f"{seat}-{n}": {seat: 4} for seat in ("red", "blue", "green") for n in range(1, 6)}
VIEW: dict[str, Any] = {
    "options": {"planets": 5, "goal": None},
    "seats": ["red", "blue", "green"],
    "planets": {**PLANETS, "red-5": {"red": 1}, "blue-5": {"blue": 3, "red": 2}, "green-5": {}},
    "encounter": {
        "number": 3, "nth": 1, "offense": "red", "defense": "blue", "target": "blue-3", "phase": "planning",
        "gate": {"red": 4, "green": 2}, "side": {}, "allies": {"green": "offense"}, "result": None,
    },
    "discards": ["attack-06", "attack-40", "negotiate"],
}  # fmt: skip
HAND = [[1, "attack-08"], [2, "negotiate"], [3, "attack-30"], [4, "attack-15"], [5, "negotiate"], [6, "card-zap"]]


def decision(kind: str, topic: str, text: str, default: Any = None, **bounds: Any) -> dict[str, Any]:
    """A decision of red's."""
    args = bounds.pop("args", {})
    return {
        "id": 7, "group": 5, "seat": "red", "kind": kind, "topic": topic, "text": text, "args": args,
        "default": default, "clock": "decision", "timer": 5, **bounds,
    }  # fmt: skip


def option(name: str, text: str, **args: Any) -> dict[str, Any]:
    """An option or action."""
    return {"id": name, "text": text, "args": args}


def ask(data: dict[str, Any], **more: Any) -> Question:
    """The question for a decision of Ana's (red); Ben is blue, Cy green, Dee yellow."""
    return question(data, VIEW, Cast(NAMES, Style(), "red"), **more)


def aim() -> dict[str, Any]:
    planets = [option(f"blue-{n}", "{planet}", planet=f"blue-{n}") for n in (2, 3, 5)]
    text = "Which planet of {system} do you aim at?"
    return decision("choose", "aim", text, ["blue-2"], options=planets, min=1, max=1, args={"system": "blue"})


def invite() -> dict[str, Any]:
    seats = [option(seat, "{seat}", seat=seat) for seat in ("green", "yellow")]
    return decision("choose", "invite", "Whom do you invite as allies?", [], options=seats, min=0, max=2)


def ally() -> dict[str, Any]:
    options = [option("offense", "join {seat}", seat="blue"), option("defense", "join {seat}", seat="green")]
    options.append(option("decline", "stay out"))
    return decision("choose", "ally", "Whom do you join?", ["decline"], options=options, min=1, max=1)


def ships(topic: str = "ships", **changes: Any) -> dict[str, Any]:
    places = {"red-1": 4, "red-2": 4, "red-5": 1, "blue-5": 2}
    bounds = {"places": places, "min": 1, "max": 4, **changes}
    return decision("ships", topic, "How many ships do you send?", {"red-1": 1}, **bounds)


def cards(low: int = 2, high: int = 2) -> dict[str, Any]:
    return decision("cards", "give", "Which cards do you give?", [1, 2], cards=HAND, min=low, max=high)


def seal() -> dict[str, Any]:
    context = {"v": 1, "game": "g", "encounter": 3, "attempt": 1, "seat": "red", "key": b"k" * 32}
    extra = [option("miser", "play from {alien}", alien="miser")]
    return decision("seal", "select", "Which card do you play?", cards=HAND[:5], options=extra, context=context)


def react(*actions: dict[str, Any], window: str = "after-reveal", **args: Any) -> dict[str, Any]:
    return decision(
        "react", "window", "Do you want to act?", actions=list(actions), window=window, args={"window": window, **args}
    )


def deal(**changes: Any) -> dict[str, Any]:
    bounds: dict[str, Any] = {
        "me": "red", "partner": "blue", "my_colonies": ["red-1", "red-2"], "their_colonies": ["blue-1", "blue-2"],
        "my_cards": HAND, "their_hand": 5, "extras": {}, "offers": [], **changes,
    }  # fmt: skip
    return decision("deal", "deal", "Make a deal with {partner}.", args={"partner": "blue"}, **bounds)


def their_offer(number: int = 41) -> dict[str, Any]:
    return {"id": number, "by": "blue", "terms": {"blue": {"colony": "blue-1"}, "red": {"random": 1}}}
