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
    "again": "a second encounter",
    "aim": "the aim",
    "alien": "an alien",
    "ally": "whom to join",
    "believe": "whether to believe it",
    "change": "who becomes another alien",
    "claim": "a claim about a card",
    "deal": "a deal",
    "deal-ships": "ships for the deal",
    "destiny": "whom to meet",
    "direction": "which way the ships go",
    "discard": "cards to discard",
    "force-field": "whose alliance to cancel",
    "give": "cards to give",
    "give-to": "who gets a card",
    "heal": "whom to heal",
    "hide": "cards to lay aside",
    "hoard": "which hand is the hoard",
    "invite": "invitations",
    "lend-to": "who borrows the power",
    "look": "whose hand to look at",
    "loot": "cards to keep",
    "lose": "ships to lose",
    "new-hand": "a new hand",
    "open": "the opening",
    "pay": "a ship to pay",
    "pay-card": "a card to pay",
    "plague": "who catches the plague",
    "regroup": "a place for a ship",
    "return": "a place for ships",
    "reverse": "whose card is reversed",
    "rewards": "rewards",
    "select": "an encounter card",
    "settle": "a place for a colony",
    "ships": "ships",
    "side": "a side",
    "spread": "a spread",
    "stake": "a stake",
    "system": "whose system",
    "take": "what to take",
    "theft": "whose card to take",
    "trade-with": "whom to trade with",
    "warp-ships": "ships out of the warp",
}
"""What is asked, by the topic of a decision, as it is said of others: `waiting for Ben (the aim)`."""

WINDOWS = {
    "hand-check": "before a new hand",
    "turn-start": "start of the turn",
    "regroup-start": "start of the encounter",
    "after-regroup": "after regroup",
    "before-destiny": "before destiny",
    "destiny-chosen": "a destiny card is up",
    "destiny-settled": "after destiny",
    "before-aim": "before the aim",
    "after-aim": "after the aim",
    "after-launch": "after launch",
    "before-invitations": "before the invitations",
    "alliances-formed": "after the alliances",
    "before-selection": "before cards are selected",
    "first-card-open": "one card lies open",
    "after-selection": "after cards are selected",
    "first-of-all": "cards come up",
    "after-reveal": "after reveal",
    "after-outcome": "after the outcome",
    "looting": "before compensation",
    "extra-losses": "after the losses",
    "after-encounter": "after the encounter",
    "encounter-choice": "before a second encounter",
}
EVENTS = {
    "ship-retrieved": "a ship leaves the warp",
    "destiny-drawn": "destiny is drawn",
    "ships-sent": "the ships are sent",
    "cards-selected": "cards are selected",
    "cards-revealed": "a card comes up",
    "deal-agreed": "the deal is carried out",
    "compensation-taken": "compensation is taken",
    "rewards-taken": "rewards are taken",
    "cards-discarded": "the cards are put away",
    "encounter-ended": "the encounter",
    "ships-lost": "ships go to the warp",
    "ships-freed": "ships leave the warp",
    "colony-founded": "a colony is founded",
    "power-lost": "a power is lost",
    "cards-drawn": "cards are drawn",
    "deck-reshuffled": "the deck is shuffled",
    "hand-replaced": "a new hand is taken",
    "card-discarded": "a card is discarded",
    "power-used": "a power is used",
    "card-played": "a card is played",
    "claim-made": "a claim about a card",
    "fee-drawn": "a fee is drawn",
}
"""Windows by name, and those before and after an event: `before ships go to the warp`."""


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
    """A window in words: `after-reveal` -> `after reveal`, `before:ships-lost` -> `before ships go to the warp`."""
    when, _, event = window.partition(":")
    if event in EVENTS:
        return clean(f"{when} {EVENTS[event]}", 60)
    return WINDOWS.get(window, clean(window.replace(":", " ").replace("-", " "), 60))


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
