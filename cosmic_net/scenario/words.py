"""The words of a scenario: seats, planets, cards and aliens, each checked where it stands."""

from __future__ import annotations

from typing import Any

from cosmic_net.cards import decks, faces
from cosmic_net.engine.catalog import CATALOG
from cosmic_net.engine.options import NO_ALIEN, SEATS
from cosmic_net.engine.texts import TEXTS
from cosmic_net.scenario.lines import List, Map, Source


class Words:
    """Checks words of one scenario; every method fails with file and line, or returns the word in full."""

    def __init__(self, source: Source, seats: tuple[str, ...] = SEATS, planets: int = 5) -> None:
        self.source = source
        self.seats = seats
        self.planets = [f"{seat}-{i}" for seat in seats for i in range(1, planets + 1)]

    def seat(self, value: Any, line: int) -> str:
        """A player of this game."""
        if value not in self.seats:
            self.source.fail(line, f"{value} is no player of this game ({', '.join(self.seats)})")
        return str(value)

    def planet(self, value: Any, line: int) -> str:
        """A planet of this game."""
        if value not in self.planets:
            self.source.fail(line, f"there is no planet {value}")
        return str(value)

    def face(self, value: Any, line: int) -> str:
        """A card of the cosmic deck or a flare."""
        if value not in FACES:
            self.source.fail(line, f"there is no card {value}{_hint(value)}")
        return str(value)

    def destiny(self, value: Any, line: int) -> str:
        """A destiny card, with or without its first word: `blue`, `wild`, `destiny-special-warp`."""
        face = value if str(value).startswith("destiny-") else f"destiny-{value}"
        if face not in decks.destiny(self.seats):
            self.source.fail(line, f"there is no destiny card {value}")
        return str(face)

    def alien(self, value: Any, line: int, none: bool = False) -> str:
        """An alien of the game; with `none` also the word none."""
        if value not in CATALOG.aliens and not (none and value == NO_ALIEN):
            self.source.fail(line, f"there is no alien {value}")
        return str(value)

    def number(self, value: Any, line: int, least: int | None = 0) -> int:
        """A whole number, not below `least`."""
        if isinstance(value, bool) or not isinstance(value, int) or (least is not None and value < least):
            self.source.fail(line, f"a number is needed here, not {value}")
        return value

    def text(self, value: Any, line: int) -> str:
        """A word or a sentence."""
        if not isinstance(value, str):
            self.source.fail(line, f"a word is needed here, not {value}")
        return value

    def event(self, value: Any, line: int) -> str:
        """A kind of event."""
        if value not in TEXTS and value not in QUIET_EVENTS:
            self.source.fail(line, f"there is no event {value}")
        return str(value)

    def window(self, value: Any, line: int) -> str:
        """A window in which some effect of the game acts."""
        if value not in WINDOWS:
            self.source.fail(line, f"there is no window {value} in which anything can be done")
        return str(value)

    def faces(self, value: Any, line: int) -> list[str]:
        """A list of cards."""
        items = self.items(value, line)
        return [self.face(item, at) for item, at in zip(items, items.lines, strict=True)]

    def items(self, value: Any, line: int) -> List:
        """A list; a single word is a list of one."""
        if isinstance(value, List):
            return value
        if isinstance(value, Map):
            self.source.fail(line, "a list is needed here")
        single = List(line)
        if value is not None:
            single.append(value)
            single.lines.append(line)
        return single

    def map(self, value: Any, line: int) -> Map:
        """A map."""
        if not isinstance(value, Map):
            self.source.fail(line, "a map of keys and values is needed here")
        return value


#: Events that are told without a sentence.
QUIET_EVENTS = {"card-back", "card-opened-unseen", "cards-brought-back", "encounter-started", "turn-ended"}
_CONTENT = (*CATALOG.aliens.values(), *CATALOG.artifacts.values(), *CATALOG.others.values())
WINDOWS = frozenset(name for content in _CONTENT for hook in content.hooks for name in hook.at)
FACES = frozenset(decks.cosmic()) | {faces.flare_of(alien) for alien in CATALOG.aliens}


def _hint(value: Any) -> str:
    """What may have been meant."""
    text = str(value)
    kind, _, number = text.rpartition("-")
    if kind == faces.ATTACK and number.isdigit() and f"attack-{int(number):02}" in FACES:
        return f"; write attack-{int(number):02}"
    near = sorted(face for face in FACES if text and (face.startswith(text) or text.startswith(face)))
    return f"; did you mean {near[0]}?" if near else ""
