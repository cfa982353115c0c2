"""Gifts of a deal in words: read from what a player types, and written for reading and for typing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from client.ask.options import Option, normal, pick, planet_words
from client.errors import Unclear
from client.show.words import Cast, count, listed, title
from cosmic_net.cards import decks, faces
from cosmic_net.engine.catalog import CATALOG

JOIN = re.compile(r",| and | plus | \+ ")
"""What stands between the parts of a gift."""
_TYPE_WORDS = {f"{kind}{plural}": kind for kind in faces.TYPES for plural in ("", "s")}


class Gifts:
    """Reads the offers of one deal decision."""

    def __init__(self, decision: Mapping[str, Any], cast: Cast) -> None:
        self.decision = decision
        self.cast = cast
        self.me, self.partner = decision["me"], decision["partner"]
        flares = {faces.flare_of(alien) for alien in CATALOG.aliens}
        self._known_faces = set(decks.cosmic()) | flares | {face for _, face in decision["my_cards"]}

    def terms(self, text: str) -> dict[str, Any]:
        """The terms that `GIFT for GIFT` means, not checked yet. Raises Unclear."""
        gives, _, gets = re.sub(r"\s+", " ", f" {text} ").partition(" for ")
        extras: dict[str, Any] = {}
        terms: dict[str, Any] = {
            self.me: self._gift(gives, self.me, extras),
            self.partner: self._gift(gets, self.partner, extras),
        }
        return terms | extras

    def _gift(self, text: str, giver: str, extras: dict[str, Any]) -> dict[str, Any]:
        gift: dict[str, Any] = {}
        for part in JOIN.split(f" {text.strip()} "):
            if normal(part) not in ("", "nothing", "none"):
                self._part(part.strip(), giver, gift, extras)
        return gift

    def _part(self, part: str, giver: str, gift: dict[str, Any], extras: dict[str, Any]) -> None:
        """Adds one part of a gift. Raises Unclear."""
        words = [word for word in part.lower().split() if word not in ("a", "the", "on", "of")]
        if words and words[0] in ("colony", "planet"):
            if "colony" in gift:
                raise Unclear("Only one colony can go each way.")
            gift["colony"] = self._colony(" ".join(words[1:]), giver)
        elif words and words[0] in self.decision["extras"]:
            self._extra(words, extras)
        elif words and words[0].isdigit():
            self._number_of(int(words[0]), words[1:], part, gift)
        elif words and words[0] in ("card", "cards") and normal(part) not in self._known_faces:
            self._number_of(1, words, part, gift)
        else:
            gift.setdefault("faces", []).append(self._face(part))

    def _colony(self, text: str, giver: str) -> str:
        planets = self.decision["my_colonies" if giver == self.me else "their_colonies"]
        options = [
            Option(n, place, place, place, planet_words(place, self.cast.plain)) for n, place in enumerate(planets, 1)
        ]
        if not options:
            raise Unclear(f"{self.cast.plain.get(giver, giver)} has no colony that could be given.")
        if not text:
            raise Unclear(f"A colony on which planet? {', '.join(planets)}.")
        return str(pick(text, options, "planet").value)

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
