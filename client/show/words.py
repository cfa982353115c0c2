"""The words that the game's names are shown and typed with: seats, planets, cards, aliens, windows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from client.show.style import Style
from cosmic_net.cards import faces
from cosmic_net.engine.texts import one
from protocol.text import clean

PLANET = re.compile(r"(red|blue|green|yellow|purple)-(\d+)\Z")
_OPEN, _CLOSE = "\ue000", "\ue001"
_TAG = re.compile(f"{_OPEN}(\\w+){_CLOSE}")
_PLANETS = re.compile(r"(?<![\w-])(red|blue|green|yellow|purple)-\d+(?![\w-])")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_TYPE_ORDER = {kind: place for place, kind in enumerate(faces.TYPES)}

PHASES = {
    "setup": "setup",
    "start-turn": "new turn",
    "regroup": "regroup",
    "destiny": "destiny",
    "launch": "launch",
    "alliance": "alliance",
    "planning": "planning",
    "reveal": "reveal",
    "resolution": "resolution",
}

TOPICS = {
    "aim": "the aim",
    "again": "a second encounter",
    "alien": "an alien",
    "ally": "whom to join",
    "destiny": "whom to meet",
    "invite": "invitations",
    "lose": "ships to lose",
    "new-hand": "a new hand",
    "open": "the opening",
    "regroup": "a place for a ship",
    "return": "a place for ships",
    "rewards": "rewards",
    "select": "an encounter card",
    "ships": "ships",
    "deal": "a deal",
    "deal-ships": "ships for the deal",
    "give": "cards to give",
    "side": "a side",
}


class Cast:
    """Who sits where, for one screen: names, marks and colours."""

    def __init__(self, names: Mapping[str, str], style: Style, me: str | None = None) -> None:
        self.style = style
        self.me = me
        self.plain = {seat: clean(name, 24) or seat for seat, name in names.items()}

    def name(self, seat: str) -> str:
        """A player's name in the seat's colour."""
        return self.style.paint(self.plain.get(seat, seat), seat)

    def marked(self, seat: str) -> str:
        """The mark and the name: `▲ Ana`."""
        return f"{self.style.mark(seat)} {self.name(seat)}"

    def tags(self) -> dict[str, str]:
        """Stand-ins for all names, for a sentence that is still to be cleaned; `finish` puts the names in."""
        return {seat: f"{_OPEN}{seat}{_CLOSE}" for seat in self.plain}

    def finish(self, text: str) -> str:
        """Cleans a text that came over the wire, then puts in the names and colours."""
        named = _TAG.sub(lambda match: self.name(match[1]), clean(text))
        return _PLANETS.sub(lambda match: self.style.paint(match[0], match[1]), named)

    def fill(self, text: str, args: Mapping[str, Any]) -> str:
        """A question or option of the host with its {placeholders} filled in, ready for the screen."""
        return self.finish(one(fill(text, args, self.tags())))


def title(face: str) -> str:
    """A card as people read it: `Attack 08`, `Reinforcement +3`, `Zombie flare`."""
    return clean(faces.title(face), 60)


def alien_name(alien: str) -> str:
    """An alien's name from its id."""
    return clean(faces.alien_name(alien), 40)


def card_order(face: str) -> tuple[int, int, str]:
    """Hands are sorted: attacks by value, negotiates, morph, reinforcements, artifacts, flares."""
    try:
        kind = faces.type_of(face)
    except ValueError:
        return len(_TYPE_ORDER), 0, face
    number = faces.number(face) if kind in (faces.ATTACK, faces.REINFORCEMENT) else 0
    return _TYPE_ORDER[kind], number, face


def sorted_cards(cards: list[list[Any]]) -> list[tuple[int, str]]:
    """Cards ([id, face]) in the order in which a hand is shown."""
    return sorted(((int(card), str(face)) for card, face in cards), key=lambda c: (card_order(c[1]), c[0]))


def window_name(window: str) -> str:
    """A window's name in words: `after-reveal` -> `after reveal`, `before:ships-sent` -> `before ships sent`."""
    return clean(window.replace(":", " ").replace("-", " "), 60)


def value_text(key: str, value: Any, names: Mapping[str, str]) -> str:
    """A value in a question or option as people read it."""
    if isinstance(value, list):
        return ", ".join(value_text(key, item, names) for item in value)
    if not isinstance(value, str):
        return str(value)
    if key in ("card", "cards", "face"):
        return title(value)
    if key in ("alien", "aliens", "what"):
        return title(value) if value in faces.ARTIFACTS or "reinforcement" in value else alien_name(value)
    if key == "window":
        return window_name(value)
    return names.get(value, clean(value, 60))


def fill(text: str, args: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A text of the host with its {placeholders} filled in; `names` maps seats to what stands for them."""
    return _PLACEHOLDER.sub(
        lambda match: value_text(match[1], args[match[1]], names) if match[1] in args else match[0], clean(text, 300)
    )


def count(number: int, thing: str, many: str | None = None) -> str:
    """`1 ship`, `4 ships`."""
    return f"{number} {thing if number == 1 else many or thing + 's'}"


def listed(words: list[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""
