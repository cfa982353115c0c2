"""Sensible: a player who looks at the odds, bargains, and does not let others win.

It answers each question from its view alone. What chance there is in it comes from its seed and the number of the
question, so that the same question gets the same answer, also after a restart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from cosmic_net.bots import allying, cards, dealing, fleet, guessing, launching
from cosmic_net.bots.chance import Chance
from cosmic_net.bots.outlook import Outlook
from cosmic_net.bots.reacting import Window, enemies_among_allies
from cosmic_net.engine.rng import Rng

Decision = Mapping[str, Any]


class Sensible:
    """A player who thinks a little. `seed` (any bytes) makes its whims."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._sealed: tuple[int, int, str] | None = None  # the encounter, the card's id and its face

    def decide(self, view: Mapping[str, Any], decision: Decision) -> Any:
        """The answer to a question; None to a `deal` means that the other has to speak first."""
        kind = decision["kind"]
        if kind == "react":
            return self._react(view, decision) if decision["actions"] else None
        return getattr(self, f"_{kind}")(view, decision)

    def _rng(self, decision: Decision) -> Rng:
        return Rng(hashlib.sha256(self._seed + b"|%d" % decision["id"]).digest())

    def _chance(self, view: Mapping[str, Any], decision: Decision) -> list[str]:
        """A random legal answer, where nothing better is known."""
        seed = hashlib.sha256(self._seed + b"|chance|%d" % decision["id"]).digest()
        answer: list[str] = Chance(seed).decide(view, decision)
        return answer

    # ---- by kind

    def _react(self, view: Mapping[str, Any], decision: Decision) -> str | None:
        o = Outlook(view)
        return Window(o, decision, lambda: self._rng(decision), self._card_on_table(o)).answer()

    def _deal(self, view: Mapping[str, Any], decision: Decision) -> Any:
        return dealing.move(view, decision, self._rng(decision))

    def _seal(self, view: Mapping[str, Any], decision: Decision) -> Any:
        o = Outlook(view)
        answer = cards.select(o, decision, self._rng(decision))
        face = next((face for card, face in decision["cards"] if card == answer), None)
        self._sealed = (o.enc["number"], answer, face) if face else None
        return answer

    def _card_on_table(self, o: Outlook) -> str | None:
        """The face of the own card that lies on the table, as far as this bot remembers it."""
        return self._sealed[2] if self._sealed and self._sealed[0] == o.enc.get("number") else None

    def _choose(self, view: Mapping[str, Any], decision: Decision) -> list[str]:
        o = Outlook(view)
        known = _CHOICES.get(decision["topic"])
        if known is not None:
            return known(o, decision, lambda: self._rng(decision))
        guess = guessing.choose(o, decision, self._rng(decision), self._card_on_table(o))
        return self._chance(view, decision) if guess is None else guess

    def _ships(self, view: Mapping[str, Any], decision: Decision) -> dict[str, int]:
        return _SHIPS.get(decision["topic"], guessing.ships)(Outlook(view), decision)

    def _cards(self, view: Mapping[str, Any], decision: Decision) -> list[int]:
        return guessing.pick(view, self._without_sealed(decision))

    def _without_sealed(self, decision: Decision) -> Decision:
        """The question without the card that lies sealed, if it can be answered without it."""
        sealed = self._sealed[1] if self._sealed else None
        rest = [card for card in decision["cards"] if card[0] != sealed]
        if len(rest) < decision["min"]:
            return decision
        return {**decision, "cards": rest, "max": min(decision["max"], len(rest))}

    def _declare(self, view: Mapping[str, Any], decision: Decision) -> int:
        o = Outlook(view)
        if decision["topic"] == "rewards":
            return int(decision["max"]) if fleet.few(o) else 0
        return guessing.declare(o, decision, self._rng(decision))


def _leave(o: Outlook, decision: Decision) -> dict[str, int]:
    return fleet.take(o, decision["places"], decision["min"])


def _arrive(o: Outlook, decision: Decision) -> dict[str, int]:
    return fleet.put(o, decision["places"], decision["max"])


def _send(o: Outlook, decision: Decision) -> dict[str, int]:
    """The same topic asks for the ships to launch, to ally with, and to settle with."""
    if "target" in decision["args"]:
        return launching.ships(o, decision) if o.me == o.offense else allying.ships(o, decision)
    return launching.settling(o, decision)


def _found(o: Outlook, decision: Decision) -> dict[str, int]:
    """A colony by a deal: ships that stand on the gate, or two from elsewhere."""
    places = decision["places"]
    count = min(decision["max"], max(decision["min"], min(2, places.get(fleet.GATE, 0)), min(2, fleet.spare(o))))
    return fleet.take(o, places, count)


def _force_field(o: Outlook, decision: Decision) -> list[str]:
    names = [option["id"] for option in decision["options"]]
    enemies = [seat for seat in enemies_among_allies(o) if seat in names]
    return enemies[: decision["max"]] or [seat for seat in names if seat != o.me][:1] or names[:1]


def _yes_if(wish: bool) -> list[str]:
    return ["yes" if wish else "no"]


_CHOICES: dict[str, Callable[[Outlook, Decision, Callable[[], Rng]], list[str]]] = {
    "aim": lambda o, decision, dice: [launching.aim(o, decision, dice())],
    "destiny": lambda o, decision, dice: [launching.destiny(o, decision, dice())],
    "system": lambda o, decision, dice: [launching.destiny(o, decision, dice())],
    "again": lambda o, _, rng: _yes_if(launching.again(o)),
    "invite": lambda o, decision, _: allying.invite(o, decision),
    "ally": lambda o, decision, _: [allying.side(o, decision)],
    "force-field": lambda o, decision, _: _force_field(o, decision),
    "side": lambda o, decision, _: [guessing.side(o, [option["id"] for option in decision["options"]])],
}

_SHIPS: dict[str, Callable[[Outlook, Decision], dict[str, int]]] = {
    "ships": _send,
    "deal-ships": _found,
    "return": _arrive,
    "regroup": _arrive,
    "lose": _leave,
    "pay": _leave,
}
