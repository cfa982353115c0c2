"""Sensible: a player who looks at the odds, bargains, and does not let others win.

It answers each question from its view alone. What chance there is in it comes from its seed and the number of the
question, so that the same question gets the same answer, also after a restart. Questions that it does not know are
answered by what they look like: cards that one gives are the worst, ships that one loses the least missed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from cosmic_net.bots import allying, cards, dealing, fleet, launching
from cosmic_net.bots.chance import Chance
from cosmic_net.bots.outlook import Outlook
from cosmic_net.bots.reacting import Window
from cosmic_net.engine.rng import Rng

Decision = Mapping[str, Any]


class Sensible:
    """A player who thinks a little. `seed` (any bytes) makes its whims."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._sealed: tuple[int, str] | None = None

    def decide(self, view: Mapping[str, Any], decision: Decision) -> Any:
        """The answer to a question; None to a `deal` means that the other has to speak first."""
        kind = decision["kind"]
        if kind == "react":
            return self._react(view, decision) if decision["actions"] else None
        return getattr(self, f"_{kind}")(view, decision)

    def _rng(self, decision: Decision) -> Rng:
        return Rng(hashlib.sha256(self._seed + b"|%d" % decision["id"]).digest())

    def _chance(self, view: Mapping[str, Any], decision: Decision) -> Any:
        """A random legal answer, where nothing better is known."""
        return Chance(hashlib.sha256(self._seed + b"|chance|%d" % decision["id"]).digest()).decide(view, decision)

    # ---- by kind

    def _react(self, view: Mapping[str, Any], decision: Decision) -> str | None:
        o = Outlook(view)
        sealed = self._sealed[1] if self._sealed and self._sealed[0] == o.enc.get("number") else None
        return Window(o, decision, self._rng(decision), sealed).answer()

    def _deal(self, view: Mapping[str, Any], decision: Decision) -> Any:
        return dealing.move(view, decision, self._rng(decision))

    def _seal(self, view: Mapping[str, Any], decision: Decision) -> Any:
        o = Outlook(view)
        answer = cards.select(o, decision, self._rng(decision))
        face = next((face for card, face in decision["cards"] if card == answer), None)
        self._sealed = (o.enc["number"], face) if face else None
        return answer

    def _choose(self, view: Mapping[str, Any], decision: Decision) -> list[str]:
        known = _CHOICES.get(decision["topic"])
        if known is not None:
            return known(Outlook(view), decision)
        if decision["min"] == decision["max"] == 1:
            seats = [option["id"] for option in decision["options"] if option["id"] in view["seats"]]
            if len(seats) == len(decision["options"]):
                return [self._victim(Outlook(view), seats, decision)]
        answer: list[str] = self._chance(view, decision)
        return answer

    def _victim(self, o: Outlook, seats: list[str], decision: Decision) -> str:
        """Whoever is named for an unknown purpose suffers, usually: the leader, or anybody but oneself."""
        others = [seat for seat in seats if seat != o.me] or seats
        most = max(o.foreign[seat] for seat in others)
        ahead = [seat for seat in others if o.foreign[seat] == most]
        return ahead[self._rng(decision).below(len(ahead))]

    def _ships(self, view: Mapping[str, Any], decision: Decision) -> dict[str, int]:
        o = Outlook(view)
        known = _SHIPS.get(decision["topic"])
        if known is not None:
            return known(o, decision)
        standing = all(most <= _standing(o, place) for place, most in decision["places"].items())
        return _leave(o, decision) if standing else _arrive(o, decision)

    def _cards(self, view: Mapping[str, Any], decision: Decision) -> list[int]:
        held = {card for card, _ in view["hand"]}
        if all(card[0] in held for card in decision["cards"]):
            return cards.least(decision["cards"], decision["min"])
        return cards.most(decision["cards"], decision["max"])

    def _declare(self, view: Mapping[str, Any], decision: Decision) -> int:
        topic, most = decision["topic"], int(decision["max"])
        if topic == "rewards":
            outside = sum(Outlook(view).colonies[view["me"]].values())
            return most if outside < 12 else 0
        if topic == "warp-ships":
            return most
        return int(self._chance(view, decision))


def _standing(o: Outlook, place: str) -> int:
    if place == fleet.GATE or place == fleet.SIDE:
        return int(o.enc.get(place, {}).get(o.me, 0))
    return o.planets.get(place, {}).get(o.me, 0)


def _leave(o: Outlook, decision: Decision) -> dict[str, int]:
    return fleet.take(o, decision["places"], decision["min"])


def _arrive(o: Outlook, decision: Decision) -> dict[str, int]:
    return fleet.put(o, decision["places"], decision["max"])


def _send(o: Outlook, decision: Decision) -> dict[str, int]:
    """The same topic asks for the ships to launch, to ally with, and to settle with."""
    if o.me in o.allies:
        return allying.ships(o, decision)
    if o.me == o.offense and "defense" in decision["args"]:
        return launching.ships(o, decision)
    return launching.settling(o, decision)


def _found(o: Outlook, decision: Decision) -> dict[str, int]:
    """A colony by a deal: ships that stand on the gate, or two from elsewhere."""
    places = decision["places"]
    count = min(decision["max"], max(decision["min"], min(2, places.get(fleet.GATE, 0)), min(2, fleet.spare(o))))
    return fleet.take(o, places, count)


def _force_field(o: Outlook, decision: Decision) -> list[str]:
    window = Window(o, {"window": "alliances-formed", "args": {}, "actions": []}, Rng(bytes(32)))
    names = [option["id"] for option in decision["options"]]
    enemies = [seat for seat in window.enemies_among_allies() if seat in names]
    return enemies[: decision["max"]] or [seat for seat in names if seat != o.me][:1] or names[:1]


def _own_side(o: Outlook, decision: Decision) -> list[str]:
    names = [option["id"] for option in decision["options"]]
    window = Window(o, {"window": "after-reveal", "args": {}, "actions": []}, Rng(bytes(32)))
    return [max(names, key=window.worth_of)]


def _yes_if(wish: bool) -> list[str]:
    return ["yes" if wish else "no"]


_CHOICES: dict[str, Callable[[Outlook, Decision], list[str]]] = {
    "aim": lambda o, decision: [launching.aim(o, decision)],
    "destiny": lambda o, decision: [launching.destiny(o, decision)],
    "again": lambda o, _: _yes_if(launching.again(o)),
    "invite": allying.invite,
    "ally": lambda o, decision: [allying.side(o, decision)],
    "force-field": _force_field,
    "side": _own_side,
}

_SHIPS: dict[str, Callable[[Outlook, Decision], dict[str, int]]] = {
    "ships": _send,
    "deal-ships": _found,
    "return": _arrive,
    "regroup": _arrive,
    "lose": _leave,
    "pay": _leave,
}
