"""Deals: offers in words, and the answers to the other's.

An offer is `offer GIFT for GIFT`: what I give, for what I get; `offer GIFT` is a present, `offer nothing for GIFT` asks
for one. A gift is one or more parts joined with `and`: `colony red-2`, `1 card at random`, `2 cards of choice`,
`attack 20`, `1 negotiate`, `zombie flare`, `free 2 green` (where a power allows that), `nothing`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from client.ask.options import Option, normal, pick
from client.ask.question import Next, Question
from client.errors import Unclear
from client.show.style import wrap
from client.show.words import PLANET, Cast, count, listed, sorted_cards, title
from cosmic_net.cards import decks, faces
from cosmic_net.engine.catalog import CATALOG

_TYPE_WORDS = {f"{kind}{plural}": kind for kind in faces.TYPES for plural in ("", "s")}
EXAMPLE = "offer colony {mine} for colony {theirs} and 1 card at random"


class Deal(Question):
    """The bargaining of two players who both played a negotiate."""

    def __init__(self, decision: Mapping[str, Any], view: Mapping[str, Any], cast: Cast) -> None:
        super().__init__(decision, view, cast)
        self.me, self.partner = decision["me"], decision["partner"]
        self.theirs = [offer for offer in decision["offers"] if offer["by"] == self.partner]
        self.options = self._moves()
        self._known_faces = self._all_faces()

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
            return {"offer": self._terms(rest)}
        if word and "counter".startswith(word) and rest.strip():
            return {"offer": self._terms(rest)}
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

    def _terms(self, text: str) -> dict[str, Any]:
        gives, _, gets = re.sub(r"\s+", " ", f" {text} ").partition(" for ")
        extras: dict[str, Any] = {}
        terms: dict[str, Any] = {
            self.me: self._gift(gives, self.me, extras),
            self.partner: self._gift(gets, self.partner, extras),
        }
        return terms | extras

    def _gift(self, text: str, giver: str, extras: dict[str, Any]) -> dict[str, Any]:
        gift: dict[str, Any] = {}
        for part in re.split(r",| and | plus |\+", f" {text.strip()} "):
            if normal(part) not in ("", "nothing", "none"):
                self._part(part.strip(), giver, gift, extras)
        return gift

    def _part(self, part: str, giver: str, gift: dict[str, Any], extras: dict[str, Any]) -> None:
        """Adds one part of a gift. Raises Unclear."""
        words = [word for word in part.lower().split() if word not in ("a", "the", "on", "of")]
        if words and words[0] in ("colony", "planet"):
            gift["colony"] = self._colony(" ".join(words[1:]), giver)
        elif words and words[0] in self.decision["extras"]:
            self._extra(words, extras)
        elif words and words[0].isdigit():
            self._number_of(int(words[0]), words[1:], part, gift)
        elif words and words[0] in ("card", "cards"):
            self._number_of(1, words, part, gift)
        else:
            gift.setdefault("faces", []).append(self._face(part))

    def _colony(self, text: str, giver: str) -> str:
        planets = self.decision["my_colonies" if giver == self.me else "their_colonies"]
        options = [Option(n, place, place, place, self._names_of(place)) for n, place in enumerate(planets, 1)]
        if not options:
            raise Unclear(f"{self.cast.plain.get(giver, giver)} has no colony that could be given.")
        if not text:
            raise Unclear(f"A colony on which planet? {', '.join(planets)}.")
        return str(pick(text, options, "planet").value)

    def _names_of(self, place: str) -> tuple[str, ...]:
        match = PLANET.match(place)
        name = self.cast.plain.get(match[1], match[1]) if match else place
        return (f"{match[1][0]}{match[2]}", f"{match[1]}{match[2]}", f"{name} {match[2]}") if match else ()

    def _extra(self, words: list[str], extras: dict[str, Any]) -> None:
        name, limits = words[0], self.decision["extras"][words[0]]
        if len(words) < 2 or not words[1].isdigit():
            raise Unclear(f"`{name}` takes a number and a player: `{name} 2 {next(iter(limits), 'green')}`.")
        seats = [Option(n, s, s, s, (self.cast.plain.get(s, s),)) for n, s in enumerate(limits, 1)]
        who = " ".join(word for word in words[2:] if word not in ("ship", "ships"))
        seat = pick(who or self.me, seats, "player").value
        extras.setdefault(name, {})[seat] = int(words[1])

    def _number_of(self, number: int, words: list[str], part: str, gift: dict[str, Any]) -> None:
        """`1 card at random`, `2 cards of my choice`, `1 negotiate`."""
        kind = words[0] if words else "card"
        if kind in ("card", "cards"):
            how = "choice" if any(word.startswith(("choice", "chos", "choos")) for word in words) else "random"
            gift[how] = gift.get(how, 0) + number
        elif kind in _TYPE_WORDS and len(words) == 1:
            types = gift.setdefault("types", {})
            types[_TYPE_WORDS[kind]] = types.get(_TYPE_WORDS[kind], 0) + number
        else:
            gift.setdefault("faces", []).extend([self._face(" ".join(part.split()[1:]))] * number)

    def _face(self, text: str) -> str:
        wanted = normal(text)
        if match := re.fullmatch(r"(attack|reinforcement)-\+?(\d+)", wanted):
            wanted = f"attack-{int(match[2]):02}" if match[1] == "attack" else f"reinforcement-{int(match[2])}"
        if wanted.endswith("-flare"):
            wanted = f"flare-{wanted.removesuffix('-flare')}"
        if wanted in self._known_faces:
            return wanted
        raise Unclear(
            f"{text.strip()!r} is no part of a deal: colony PLANET, 1 card at random, attack 20, 1 negotiate."
        )

    def _all_faces(self) -> set[str]:
        flares = {faces.flare_of(alien) for alien in CATALOG.aliens}
        return set(decks.cosmic()) | flares | {face for _, face in self.decision["my_cards"]}

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
        giver = self.partner if has_for else self.me
        half = gets if has_for else gives
        part = re.split(r",| and | plus |\+", half)[-1].lstrip()
        return self._next_in_part(part, giver, may_end=not has_for)

    def _verbs(self) -> list[tuple[str, str]]:
        words = [("accept", "the last offer")] if self.theirs else []
        return [*words, ("offer", "GIFT for GIFT"), ("refuse", "no deal")]

    def _next_in_part(self, part: str, giver: str, *, may_end: bool) -> list[Next]:
        """The parts that begin like this one; behind a whole part, `and` or `for`."""
        whole = [text for text in self._parts(giver) if text == part.strip().lower()]
        if whole and part.endswith(" "):
            return [Next("and", "more", 0)] + ([Next("for", "what you get", 0)] if may_end else [])
        for whole_text in self._parts(giver):
            if part.lower().startswith(f"{whole_text} "):
                last = part[len(whole_text) + 1 :]
                joins = [("and", "more")] + ([("for", "what you get")] if may_end else [])
                return [Next(word, meaning, len(last)) for word, meaning in joins if word.startswith(last.lower())]
        return [Next(text, "", len(part)) for text in self._parts(giver) if text.startswith(part.lower())]

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


def gift_text(gift: Mapping[str, Any]) -> str:
    """A gift in words for reading."""
    return listed(_parts_of(gift, title, "a colony on")) or "nothing"


def gift_line(gift: Mapping[str, Any]) -> str:
    """A gift as it is typed."""
    return " and ".join(_parts_of(gift, lambda face: title(face).lower(), "colony")) or "nothing"


def _parts_of(gift: Mapping[str, Any], face_text: Callable[[str], str], colony: str) -> list[str]:
    parts = [f"{colony} {gift['colony']}"] if gift.get("colony") else []
    parts += [face_text(face) for face in gift.get("faces", ())]
    parts += [f"{number} {kind}" for kind, number in gift.get("types", {}).items()]
    if gift.get("choice"):
        parts.append(f"{count(gift['choice'], 'card')} of choice")
    if gift.get("random"):
        parts.append(f"{count(gift['random'], 'card')} at random")
    return parts
