"""Ships from or to places: `4 from red-1 red-2`, `2 red-1 2 red-2`, or `4` alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from client.ask.options import Option, normal, pick, planet_words
from client.ask.question import Next, Question, next_words
from client.errors import Unclear
from client.show.style import in_columns
from client.show.sums import ships_lines
from client.show.words import PLANET, Cast, count, listed

ARRIVING = ("regroup", "return")
"""Topics of questions where ships are put down, not taken up."""
_FILLERS = {"and", "ship", "ships", "with", "on", "to"}


class Ships(Question):
    """Spread a number of ships over places, within the most of each place and of all."""

    def __init__(self, decision: Mapping[str, Any], view: Mapping[str, Any], cast: Cast) -> None:
        super().__init__(decision, view, cast)
        self._places: dict[str, int] = dict(decision["places"])
        self._few, self._most = decision["min"], decision["max"]
        self._single = self._few == self._most == 1
        self._arriving = decision["topic"] in ARRIVING
        self.options = self._numbered()
        if self._few == 0:
            self.enter, self.enter_text = {}, "none"

    def body(self, columns: int) -> list[str]:
        labels = [f"{option.number} {option.label}" for option in self.options]
        return in_columns(labels, columns) + self.hints()

    def hints(self) -> list[str]:
        if self._single:
            return super().hints()
        room = min(self._most, sum(self._places.values()))
        first = self.options[0].word
        few = f"{self._few}" if self._few == room else f"{self._few} to {room}"
        hint = f"  {few} ships: `{room} from {first} …`, `1 {first} …`, or `{room}` alone"
        if self._arriving:
            hint = f"  {few} ships: `{room} {first}`, `1 {first} …`, or `{room}` alone to spread them"
        known = ships_lines(self.cast, self.view) if self.decision["topic"] == "ships" else []
        return [*known, hint, *super().hints()]

    def read(self, text: str) -> Any:
        words = [word for word in re.split(r"[\s,;]+", text.lower()) if word and word not in _FILLERS]
        if words in (["none"], ["0"], ["nobody"]):
            return {}
        if words == ["all"]:
            return self._spread(min(self._most, sum(self._places.values())))
        if self._single:
            return self._one_place([word for word in words if word not in ("from", "1")] or words)
        if len(words) == 1 and words[0].isdigit():
            return self._spread(int(words[0]))
        return self._with_places(words)

    def _one_place(self, words: list[str]) -> dict[str, int]:
        return {pick(" ".join(words), self.options, "place").value: 1}

    def _with_places(self, words: list[str]) -> dict[str, int]:
        """`N from P P` spreads N over the places; otherwise numbers and places alternate."""
        if not words[0].isdigit():
            return self._only_places(words)
        if words[1:2] == ["from"] and words.count("from") == 1:
            return self._over(int(words[0]), words[2:])
        words = [word for word in words if word != "from"]
        numbers, places = words[::2], words[1::2]
        if len(words) % 2 == 0 and all(number.isdigit() for number in numbers):
            chosen: dict[str, int] = {}
            for number, place in zip(numbers, places, strict=True):
                where = pick(place, self.options, "place").value
                chosen[where] = chosen.get(where, 0) + int(number)
            return chosen
        return self._over(int(words[0]), words[1:])

    def _only_places(self, words: list[str]) -> dict[str, int]:
        """Places without a number: allowed if the number is not in doubt."""
        if self._few != self._most:
            raise Unclear(f"Say how many ships, too: `{self._few} from {words[0]}`.")
        return self._over(self._few, words)

    def _over(self, total: int, places: list[str]) -> dict[str, int]:
        """A number of ships spread evenly over the named places, as far as they have them."""
        if not places:
            raise Unclear("From where? Name places, or only the number.")
        chosen = list(dict.fromkeys(pick(place, self.options, "place").value for place in places))
        limits = {place: self._places[place] for place in chosen}
        if total > sum(limits.values()):
            have = ", ".join(f"{place} has {most}" for place, most in limits.items())
            raise Unclear(f"{total} ships are too many: {have}.")
        taken = dict.fromkeys(chosen, 0)
        while total:
            for place in chosen:
                if total and taken[place] < limits[place]:
                    taken[place] += 1
                    total -= 1
        return {place: number for place, number in taken.items() if number}

    def _spread(self, total: int) -> dict[str, int]:
        """A number alone: from the fullest places, emptying none as long as that goes; or to the emptiest."""
        if total > sum(self._places.values()):
            raise Unclear(f"There are only {sum(self._places.values())} ships to choose from.")
        if self._arriving:
            return self._spread_out(total)
        left = dict(self._places)
        for keep in (1, 0):
            while total and (fullest := max(left, key=lambda place: left[place])) and left[fullest] > keep:
                left[fullest] -= 1
                total -= 1
        return {place: most - left[place] for place, most in self._places.items() if most > left[place]}

    def _spread_out(self, total: int) -> dict[str, int]:
        there = {place: self._ships_on(place) or 0 for place in self._places}
        put = dict.fromkeys(self._places, 0)
        for _ in range(total):
            free = [place for place in self._places if put[place] < self._places[place]]
            put[min(free, key=lambda place: there[place] + put[place])] += 1
        return {place: number for place, number in put.items() if number}

    def _ships_on(self, place: str) -> int | None:
        """The player's own ships on a planet; None for another place."""
        there = self.view.get("planets", {}).get(place)
        return None if there is None else int(there.get(self.decision["seat"], 0))

    def confirm(self, answer: Any) -> str:
        """Asked when the places were chosen by this program, or a colony would be given up."""
        emptied = [place for place, number in answer.items() if self._is_emptied(place, number)]
        if not emptied:
            return ""
        where = listed([f"{number} from {place}" for place, number in answer.items()])
        return f"{where}: that gives up your colony on {listed(emptied)}."

    def _is_emptied(self, place: str, number: int) -> bool:
        there = self._ships_on(place)
        return not self._arriving and there is not None and 0 < there <= number

    def complete(self, text: str) -> list[Next]:
        words = text.split()
        last = "" if text.endswith(" ") or not words else words[-1]
        before = words[: len(words) - (1 if last else 0)]
        if self._single:
            return next_words(last, self.options) if not before else []
        if not before:
            room = min(self._most, sum(self._places.values()))
            found = [Next(str(n), count(n, "ship"), len(last)) for n in range(max(1, self._few), room + 1)]
            found += [Next("none", "no ships", len(last))] if self._few == 0 else []
            return [option for option in found if option.word.startswith(last)]
        if len(before) == 1:
            return (
                [Next("from", "from where", len(last))] if "from".startswith(last) else self._places_left(before, last)
            )
        return self._places_left(before, last)

    def _places_left(self, before: list[str], last: str) -> list[Next]:
        named = {normal(word) for word in before}
        left = [option for option in self.options if not named & set(option.words)]
        return next_words(last, left)

    def _numbered(self) -> list[Option]:
        """Own home planets keep their numbers; other places are numbered behind them."""
        me, found = self.decision["seat"], []
        number = int(self.view.get("options", {}).get("planets", 5))
        for place, most in self._places.items():
            match = PLANET.match(place)
            if match and match[1] == me:
                own = int(match[2])
            else:
                number += 1
                own = number
            found.append(Option(own, place, self._label(place, most), place, planet_words(place, self.cast.plain)))
        return found

    def _label(self, place: str, most: int) -> str:
        painted = self.cast.finish(place)
        return painted if self._single or self._arriving else f"{painted} ({most})"
