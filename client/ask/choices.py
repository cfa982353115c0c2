"""Questions whose answers are a list: options, numbers, cards, actions in a window."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from client.ask.options import Option, normal, pick, pick_many, planet_words
from client.ask.question import Next, Question, next_words
from client.errors import Unclear
from client.show.style import wrap
from client.show.sums import ships_lines, ships_there
from client.show.words import PLANET, Cast, fill, listed, sorted_cards, title
from cosmic_net.engine.catalog import CATALOG
from protocol.text import clean

ALLIANCE = ("invite", "ally")
"""Topics of questions for which the ships of both sides count."""
HARMLESS = ("no", "decline")
"""Options that change nothing: Enter may take them."""
NONE_WORDS = ("none", "nobody", "nothing", "no", "-")
PASS_WORDS = ("pass", "p", "no", "none")


class Choose(Question):
    """Choose some of several options."""

    def __init__(self, decision: Mapping[str, Any], view: Mapping[str, Any], cast: Cast) -> None:
        super().__init__(decision, view, cast)
        self.options = _options(decision["options"], cast, view["planets"] if decision["topic"] == "aim" else {})
        self._few, self._most = decision["min"], decision["max"]
        if self._few == 0:
            self.enter, self.enter_text = [], "none"
        elif decision["default"] and decision["default"][0] in HARMLESS:
            self.enter = decision["default"]
            self.enter_text = next(o.label for o in self.options if o.value == decision["default"][0])

    def hints(self) -> list[str]:
        known = ships_lines(self.cast, self.view) if self.decision["topic"] in ALLIANCE else []
        if self._most == 1:
            return known + super().hints()
        how = f"  choose {_range(self._few, self._most)}, say `1 {min(len(self.options), 3)}`"
        return [*known, how + (", or `none` [Enter]" if self._few == 0 else "")]

    def read(self, text: str) -> Any:
        if self._few == 0 and normal(text) in NONE_WORDS:
            return []
        if normal(text) == "all":
            return [option.value for option in self.options]
        if self._most == 1:
            return [pick(text, self.options).value]
        return [option.value for option in pick_many(text, self.options)]

    def complete(self, text: str) -> list[Next]:
        if self._most == 1:
            return super().complete(text)
        return _next_of_many(text, self.options, self._most, none=self._few == 0)


class Cards(Question):
    """Choose some of one's own cards; what was chosen is named before it is sent."""

    def __init__(self, decision: Mapping[str, Any], view: Mapping[str, Any], cast: Cast, sealed: set[int]) -> None:
        super().__init__(decision, view, cast)
        cards = [(card, face) for card, face in sorted_cards(decision["cards"]) if card not in sealed]
        self.options = card_options(cards)
        self._few, self._most = decision["min"], decision["max"]
        if self._few == 0:
            self.enter, self.enter_text = [], "none"

    def hints(self) -> list[str]:
        if self._most == 1:
            return super().hints()
        return [f"  choose {_range(self._few, self._most)}, say `1 {min(len(self.options), 3)}`"]

    def read(self, text: str) -> Any:
        if self._few == 0 and normal(text) in NONE_WORDS:
            return []
        if normal(text) == "all":
            return [option.value for option in self.options]
        return [option.value for option in pick_many(text, self.options, "card")]

    def complete(self, text: str) -> list[Next]:
        return _next_of_many(text, self.options, self._most, none=self._few == 0)

    def confirm(self, answer: Any) -> str:
        named = [option.label for option in self.options if option.value in answer]
        return f"{listed(named) if named else 'No card'}: is that right?"


class Number(Question):
    """Name a number."""

    def hints(self) -> list[str]:
        return [f"  a number, {_range(self.decision['min'], self.decision['max'])}"]

    def read(self, text: str) -> Any:
        if not re.fullmatch(r"[+-]?[0-9]{1,9}", text.replace(" ", "")):
            raise Unclear(f"A number is asked for, {_range(self.decision['min'], self.decision['max'])}.")
        return int(text.replace(" ", ""))

    def complete(self, text: str) -> list[Next]:
        low, high = self.decision["min"], min(self.decision["max"], self.decision["min"] + 20)
        wanted = text.strip()
        return [Next(str(n), "", len(wanted)) for n in range(low, high + 1) if str(n).startswith(wanted)]


class React(Question):
    """A window: act, or let it pass."""

    enter = None
    enter_text = "pass"

    def __init__(self, decision: Mapping[str, Any], view: Mapping[str, Any], cast: Cast) -> None:
        super().__init__(decision, view, cast)
        self.options = _options(decision["actions"], cast)

    @property
    def text(self) -> str:
        """What the window is about."""
        args = self.decision.get("args", {})
        if "seat" in args and "what" in args:
            what = fill("{card}" if "card" in args else "the power of {what}", args, self.cast.tags())
            verb = "plays" if "card" in args else "uses"
            return self.cast.finish(f"{self.cast.tags().get(args['seat'], args['seat'])} {verb} {what}: answer it?")
        return self.cast.finish(fill("{window}", {"window": self.decision["window"]}, {})) + ": act?"

    def lines(self) -> list[str]:
        actions = [f"[{option.number}] {option.label}" for option in self.options]
        line = self.cast.style.plain_text(" · ".join([f"{self.text}  [Enter] pass", *actions]))
        return wrap(line, self.cast.style.width, "  ", "")

    def read(self, text: str) -> Any:
        if normal(text) in PASS_WORDS:
            return None
        if not self.options:
            raise Unclear("There is nothing that you could do now; Enter passes.")
        return pick(text, self.options, "action").value

    def complete(self, text: str) -> list[Next]:
        wanted = text.strip()
        passing = [Next("pass", "let it pass", len(wanted))] if "pass".startswith(normal(wanted)) else []
        return passing + next_words(wanted, self.options)


class Seal(Question):
    """Choose the encounter card: by number, by name, or an attack by its value."""

    def __init__(self, decision: Mapping[str, Any], view: Mapping[str, Any], cast: Cast, odds: str = "") -> None:
        super().__init__(decision, view, cast)
        cards = card_options(sorted_cards(decision["cards"]))
        extra = [
            Option(
                number, str(option["id"]), cast.fill(option["text"], option.get("args", {})), {"option": option["id"]}
            )
            for number, option in enumerate(decision.get("options", []), len(cards) + 1)
        ]
        self.options = [*cards, *extra]
        self._odds = odds

    def hints(self) -> list[str]:
        return wrap(self._odds, self.cast.style.width, "  ", "  ") if self._odds else []

    def _other_options(self, decision: Mapping[str, Any], first: int) -> list[Option]:
        found = []
        for number, option in enumerate(decision.get("options", []), first):
            label = self.cast.fill(option["text"], option.get("args", {}))
            found.append(Option(number, clean(str(option["id"]), 60), label, {"option": option["id"]}))
        return found

    def check(self, answer: Any) -> Any:
        """A card (by id) is legal if it is offered; it becomes a commitment only when it is sent."""
        if answer not in [option.value for option in self.options]:
            raise Unclear("That card is not among those that can be played.")
        return answer

    def read(self, text: str) -> Any:
        wanted = normal(text)
        if wanted.isdigit():
            return self._by_number_or_value(int(wanted))
        return pick(text, self.options, "card").value

    def _by_number_or_value(self, number: int) -> Any:
        by_value = [option for option in self.options if f"attack-{number:02}" == option.word]
        by_number = [option for option in self.options if option.number == number]
        if by_value and by_number and by_value[0].word != by_number[0].word:
            listed_as, by_face = by_number[0].label, by_value[0].label
            raise Unclear(f"{listed_as} is number {number}, {by_face} has the value: `#{number}` or `attack {number}`?")
        return (by_value or [pick(str(number), self.options, "card")])[0].value

    def confirm(self, answer: Any) -> str:
        label = next(option.label for option in self.options if option.value == answer)
        if isinstance(answer, dict):
            return f"You {label}."
        return f"{label} it is. Nobody, not even the host, can see it until both cards are open."


def card_options(cards: Sequence[tuple[int, str]]) -> list[Option]:
    """Cards as numbered answers; a flare is also found by the alien's name."""
    return [Option(n, face, title(face), card, _card_words(face)) for n, (card, face) in enumerate(cards, 1)]


def _card_words(face: str) -> tuple[str, ...]:
    words = [title(face)]
    if face.startswith("attack-"):
        words.append(f"attack {int(face.rsplit('-', 1)[1])}")
    if face.startswith("flare-"):
        words.append(f"{face.removeprefix('flare-')} flare")
    return tuple(words)


def _options(
    options: Sequence[Mapping[str, Any]], cast: Cast, planets: Mapping[str, Mapping[str, int]] | None = None
) -> list[Option]:
    """The host's options as numbered answers. Planets of one system keep their own numbers.

    Of `planets` it is said which ships are there.
    """
    numbers = _planet_numbers([str(option["id"]) for option in options])
    found = []
    for place, option in enumerate(options):
        args = option.get("args", {})
        word = clean(str(option["id"]), 60)
        plain = fill(option["text"], args, cast.plain)
        others = [plain, *(str(value) for value in args.values() if isinstance(value, str))]
        others += [cast.plain[value] for value in args.values() if isinstance(value, str) and value in cast.plain]
        if word in cast.plain:
            others.append(cast.plain[word])
        others += planet_words(word, cast.plain)
        label = cast.fill(option["text"], args)
        if word in cast.plain and option["text"] == "{seat}":
            label = cast.marked(word)
        elif planets and word in planets:
            label += f" ({ships_there(cast, planets[word])})"
        elif word in CATALOG.aliens and option["text"] == "{alien}":
            label = f"{label}: {CATALOG.aliens[word].sheet.short.lower()}"
        found.append(Option(numbers[place], word, label, option["id"], tuple(others)))
    return found


def _planet_numbers(ids: list[str]) -> list[int]:
    planets = [PLANET.match(name) for name in ids]
    if all(planets) and len({match[1] for match in planets if match}) == 1:
        return [int(match[2]) for match in planets if match]
    return list(range(1, len(ids) + 1))


def _next_of_many(text: str, options: Sequence[Option], most: int, *, none: bool) -> list[Next]:
    """What can follow in a list of answers: those not named yet, as long as more may be named."""
    head, _, last = text.rpartition(" ") if " " in text.strip() or text.endswith(" ") else ("", "", text.strip())
    try:
        named = pick_many(head, options) if head.strip() else []
    except Unclear:
        return []
    if len(named) >= most:
        return []
    found = next_words(last, [option for option in options if option not in named])
    if none and not head.strip() and "none".startswith(normal(last)):
        found.append(Next("none", "none of them", len(last)))
    return found


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"
