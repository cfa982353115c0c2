"""Dealing: which deals are good, what to offer, what to accept, and when to give up.

A deal that fails costs both three ships, so that most deals are better than none. Offers get more generous from
move to move; nothing is offered that is not held, and no deal makes somebody else win.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cosmic_net.bots import worth
from cosmic_net.bots.outlook import Outlook
from cosmic_net.cards import faces
from cosmic_net.engine.rng import Rng
from cosmic_net.engine.state import owner_of
from cosmic_net.engine.terms import cards_in

Terms = dict[str, Any]

#: What a failed deal costs: three ships.
FAILED = -3 * worth.SHIP
#: After that many moves of both together nothing more is offered, and after some more the talks are over.
PATIENCE, END = 9, 12
#: What a card of somebody else's choice or a random one is worth, and one that the giver chooses himself.
RANDOM, CHOSEN = 0.8, 0.35


def move(view: Mapping[str, Any], decision: Mapping[str, Any], rng: Rng) -> dict[str, Any] | None:
    """The next move of the bargaining; None while the other has to answer the own last offer."""
    me, partner = decision["me"], decision["partner"]
    latest = {offer["by"]: offer for offer in decision["offers"]}
    theirs, mine = latest.get(partner), latest.get(me)
    if mine is not None and (theirs is None or mine["id"] > theirs["id"]):
        return None
    moves = decision["group"] - decision["timer"]
    table = Bargain(view, decision)
    best = table.best(moves, rng)
    if theirs is not None:
        value = table.value(theirs["terms"])
        if value > FAILED and (value >= table.wanted(best, moves) or moves > PATIENCE):
            return {"accept": theirs["id"]}
    if best is None or moves > (PATIENCE if theirs is not None else END):
        return {"refuse": True}
    return {"offer": best}


class Bargain:
    """A deal as one of the two sees it."""

    def __init__(self, view: Mapping[str, Any], decision: Mapping[str, Any]) -> None:
        self.decision = decision
        self.me, self.partner = decision["me"], decision["partner"]
        self.mine = Outlook(view)
        self.theirs = Outlook(view, self.partner)

    def value(self, terms: Mapping[str, Any]) -> float:
        """What terms are worth to oneself, a promise taken as kept."""
        return self._value(self.mine, terms, self.partner)

    def wanted(self, best: Terms | None, moves: int) -> float:
        """The least to accept: at first about what one would offer oneself, later anything better than a failure."""
        if best is None:
            return FAILED
        share = max(0.0, 0.8 - 0.12 * moves)
        return share * self.value(best) + (1 - share) * FAILED

    def best(self, moves: int, rng: Rng) -> Terms | None:
        """The best terms for oneself that the other should accept by now; None if there are none."""
        found, value = None, FAILED
        for terms in self._ideas(rng):
            own, their = self.value(terms), self._value(self.theirs, terms, self.me)
            if own > value and their > FAILED + 0.7 + 0.5 * moves and own > FAILED:
                found, value = terms, own
            elif found is None and own > FAILED and their > FAILED:
                found = terms
        return found

    def _value(self, o: Outlook, terms: Mapping[str, Any], other: str) -> float:
        foreign: dict[str, int] = {}
        homes: dict[str, int] = {}
        for giver, taker in ((o.me, other), (other, o.me)):
            colony = terms.get(giver, {}).get("colony")
            if colony:
                (homes if owner_of(colony) == taker else foreign)[taker] = 1
        if o.last_tick is not None:
            return worth.WIN if o.last_tick == o.me else worth.LOSS
        if worth.gifts_victory(o, foreign):
            return worth.LOSS
        value = worth.score(o, foreign, homes) + worth.second_encounter(o, foreign.get(o.offense, 0))
        value += worth.SHIP * float(terms.get("free", {}).get(o.me, 0))
        return value + self._got(terms.get(other, {})) - self._given(o, terms.get(o.me, {}))

    def _got(self, gift: Mapping[str, Any]) -> float:
        """The worth of the cards that one gets; random cards are better than those the giver chooses."""
        named = sum(worth.card_worth(face) for face in gift.get("faces", ()))
        typed = sum(0.7 * count for count in gift.get("types", {}).values())
        return float(named + typed + RANDOM * gift.get("random", 0) + CHOSEN * gift.get("choice", 0))

    def _given(self, o: Outlook, gift: Mapping[str, Any]) -> float:
        """The worth of the cards that one gives; more than everything if one does not have them."""
        if o is self.mine and not self._holds(gift):
            return -worth.LOSS
        return self._got(gift) + (0.5 if cards_in(gift) > 2 else 0.0)

    def _holds(self, gift: Mapping[str, Any]) -> bool:
        held = [face for _, face in self.decision["my_cards"]]
        for face in gift.get("faces", ()):
            if face not in held:
                return False
            held.remove(face)
        kinds = [faces.type_of(face) for face in held]
        if any(kinds.count(kind) < count for kind, count in gift.get("types", {}).items()):
            return False
        return cards_in(gift) <= len(self.decision["my_cards"])

    # ---- ideas

    def _ideas(self, rng: Rng) -> Iterator[Terms]:
        """Terms worth thinking about: colonies both ways, one way against cards, cards alone."""
        get = self._colony(self.decision["their_colonies"], self.me, rng)
        give = self._colony(self.decision["my_colonies"], self.partner, rng)
        hand, theirs = len(self.decision["my_cards"]), self.decision["their_hand"]
        if get and give:
            yield self._terms({"colony": give}, {"colony": get})
            if theirs:
                yield self._terms({"colony": give}, {"colony": get, "random": 1})
            if hand:
                yield self._terms({"colony": give, "choice": 1}, {"colony": get})
        for count in (1, 2, 3):
            if get and hand > count:
                yield self._terms({"choice": count}, {"colony": get})
                yield self._terms({"random": count}, {"colony": get})
            if give and theirs > count:
                yield self._terms({"colony": give}, {"random": count})
        if hand and theirs:
            yield self._terms({"choice": 1}, {"random": 1})
            yield self._terms({"random": 1}, {"random": 1})
        if theirs:
            yield self._terms({}, {"choice": 1})
            yield self._terms({}, {"random": 1})
        if hand:
            yield self._terms({"choice": 1}, {})

    def _terms(self, mine: dict[str, Any], theirs: dict[str, Any]) -> Terms:
        terms: Terms = {self.me: mine, self.partner: theirs}
        limits = self.decision["extras"].get("free")
        if limits:
            terms["free"] = {seat: limits[seat] for seat in (self.me, self.partner) if limits.get(seat)}
        return terms

    def _colony(self, planets: list[str], taker: str, rng: Rng) -> str | None:
        """One of the colonies that could be given: a foreign one for the taker if there is one."""
        if not planets:
            return None
        good = [planet for planet in planets if owner_of(planet) != taker] or planets
        elsewhere = [planet for planet in good if owner_of(planet) not in (self.me, self.partner)] or good
        return elsewhere[rng.below(len(elsewhere))]
