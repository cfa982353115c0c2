"""Deals: offers in words, and the answers to the other's.

An offer is `offer GIFT for GIFT`: what I give, for what I get; `offer GIFT` is a present, `offer nothing for GIFT` asks
for one. A gift is one or more parts joined with `and`: `colony red-2`, `1 card at random`, `2 cards of choice`,
`attack 20`, `1 negotiate`, `zombie flare`, `free 2 green` (where a power allows that), `nothing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from client.ask.gifts import JOIN, Gifts, gift_line, gift_text
from client.ask.options import Option, normal, pick
from client.ask.question import Next, Question
from client.errors import Unclear
from client.show.style import wrap
from client.show.words import Cast, count, listed, sorted_cards, title

EXAMPLE = "offer colony {mine} for colony {theirs} and 1 card at random"


class Deal(Question):
    """The bargaining of two players who both played a negotiate."""

    def __init__(self, decision: Mapping[str, Any], view: Mapping[str, Any], cast: Cast) -> None:
        super().__init__(decision, view, cast)
        self.me, self.partner = decision["me"], decision["partner"]
        self.theirs = [offer for offer in decision["offers"] if offer["by"] == self.partner]
        self.options = self._moves()
        self._gifts = Gifts(decision, cast)

    def _moves(self) -> list[Option]:
        moves = [
            Option(n, "accept", f"accept: {self.offer_text(offer['terms'])}", {"accept": offer["id"]})
            for n, offer in enumerate(self.theirs, 1)
        ]
        moves.append(Option(len(moves) + 1, "refuse", "refuse: end the talks without a deal", {"refuse": True}))
        return moves

    def body(self, columns: int) -> list[str]:
        mine, theirs = self.decision["my_colonies"], self.decision["their_colonies"]
        partner = self.cast.name(self.partner)
        have = f"you can give a colony on {self._places(mine)}; {partner} on {self._places(theirs)}, "
        have += f"and has {count(self.decision['their_hand'], 'card')}"
        lines = wrap(have, columns, "  ", "  ")
        for option in self.options:
            lines += wrap(f"{option.number} {option.label}", columns, "    ", "  ")
        example = EXAMPLE.format(mine=(mine or ["…"])[0], theirs=(theirs or ["…"])[0])
        return [*lines, *wrap(f"or `{example}`", columns, "  ", "  ")]

    def _places(self, planets: Sequence[str]) -> str:
        return self.cast.finish(", ".join(planets)) if planets else "none"

    # ---- reading

    def read(self, text: str) -> Any:
        verb, _, rest = text.partition(" ")
        word = normal(verb)
        if word and "offer".startswith(word):
            return {"offer": self._gifts.terms(rest)}
        if word and "counter".startswith(word) and rest.strip():
            return {"offer": self._gifts.terms(rest)}
        if word and "counter".startswith(word):
            raise Unclear(self.counter_line() or "There is no offer to answer; make one: `offer … for …`.")
        if word == "accept" and not self.theirs:
            raise Unclear(f"{self.cast.plain.get(self.partner, self.partner)} has made no offer yet.")
        return pick(verb if word in ("accept", "refuse") else text, self.options, "move").value

    def counter_line(self) -> str:
        """The other's last offer as a line of one's own, to be changed; "" if there is none."""
        if not self.theirs:
            return ""
        terms = self.theirs[-1]["terms"]
        gives, gets = gift_line(terms.get(self.me, {})), gift_line(terms.get(self.partner, {}))
        return f"offer {gives} for {gets}"

    # ---- showing

    def offer_text(self, terms: Mapping[str, Any]) -> str:
        """Terms from this player's side: what one gives and gets."""
        gives, gets = gift_text(terms.get(self.me, {})), gift_text(terms.get(self.partner, {}))
        freed = [
            f"{number} of {self.cast.name(seat)} out of the warp"
            for name in self.decision["extras"]
            for seat, number in terms.get(name, {}).items()
        ]
        return f"you give {gives}, you get {gets}" + (f"; {listed(freed)}" if freed else "")

    def confirm(self, answer: Any) -> str:
        if "refuse" in answer:
            return "Without a deal both of you lose 3 ships. End the talks?"
        if "accept" in answer:
            terms = next(offer["terms"] for offer in self.theirs if offer["id"] == answer["accept"])
            return f"The deal: {self.offer_text(terms)}. It is binding."
        return ""

    # ---- completing

    def complete(self, text: str) -> list[Next]:
        verb, space, rest = text.lstrip().partition(" ")
        if not space:
            return [Next(word, meaning, len(verb)) for word, meaning in self._verbs() if word.startswith(verb.lower())]
        if verb.lower() not in ("offer", "counter"):
            return []
        gives, has_for, gets = f" {rest}".partition(" for ")
        part = JOIN.split(gets if has_for else gives)[-1].lstrip()
        return self._next_in_part(rest[: len(rest) - len(part)], part, self.partner if has_for else self.me)

    def _verbs(self) -> list[tuple[str, str]]:
        words = [("accept", "the last offer")] if self.theirs else []
        return [*words, ("offer", "GIFT for GIFT"), ("refuse", "no deal")]

    def _next_in_part(self, before: str, part: str, giver: str) -> list[Next]:
        """The parts that begin like this one; behind a whole part what joins the next, if there can be one."""
        for whole in self._parts(giver):
            if part.lower().startswith(f"{whole} "):
                last = part[len(whole) + 1 :].lower()
                joins = self._joins(f"{before}{whole}", giver)
                return [Next(word, meaning, len(last)) for word, meaning in joins if word.startswith(last)]
        legal = self._legal_parts(before, giver)
        return [Next(text, "", len(part)) for text in legal if text.startswith(part.lower())]

    def _joins(self, before: str, giver: str) -> list[tuple[str, str]]:
        mine, nothing = giver == self.me, before.endswith("nothing")
        more = [] if nothing or not self._legal_parts(f"{before} and ", giver) else [("and", "more")]
        gets = [("for", "what you get")] if mine and self._legal_parts(f"{before} for ", self.partner) else []
        return more + gets

    def _legal_parts(self, before: str, giver: str) -> list[str]:
        """The parts with which a line that ends so far is still an offer that the rules allow."""
        return [text for text in self._parts(giver) if self._is_legal(before, text, giver)]

    def _is_legal(self, before: str, text: str, giver: str) -> bool:
        if text == "nothing":
            gives, _, gets = f" {before}".partition(" for ")
            if giver == self.partner:
                return not gets.strip() and "nothing" not in gives
            return not gives.strip() and len(self._parts(self.partner)) > 1
        try:
            self.check({"offer": self._gifts.terms(before + text)})
        except Unclear:
            return False
        return True

    def _parts(self, giver: str) -> list[str]:
        """What a player can be asked to give, as it is typed."""
        mine = giver == self.me
        parts = [f"colony {planet}" for planet in self.decision["my_colonies" if mine else "their_colonies"]]
        hand = len(self.decision["my_cards"]) if mine else self.decision["their_hand"]
        if hand:
            parts += ["1 card at random", "1 card of choice", "1 negotiate"]
        if mine:
            parts += list(dict.fromkeys(title(face).lower() for _, face in sorted_cards(self.decision["my_cards"])))
        return [*parts, "nothing"]
