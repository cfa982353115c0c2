"""Numbered answers and the ways to type them: a number, a word, a unique beginning of a word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from client.errors import Unclear
from client.show.words import PLANET

LONGEST_NAME = 5
"""A name that is typed has at most so many words."""
FILLERS = {"and", "the", "a", "an", "with"}


@dataclass(frozen=True)
class Option:
    """One legal answer: its number, its word (what Tab writes), its label for the screen, other words, its value."""

    number: int
    word: str
    label: str
    value: Any
    others: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """Everything that names it, in the form of `normal`."""
        return tuple(dict.fromkeys(normal(word) for word in (self.word, *self.others) if normal(word)))


def normal(text: str) -> str:
    """A text as it is compared: small letters, everything between words a hyphen."""
    return re.sub(r"[^0-9a-z\u00c0-\uffff+#]+", "-", text.lower()).strip("-")


def planet_words(place: str, names: Mapping[str, str]) -> tuple[str, ...]:
    """The other ways to name a planet: `r1`, `red1`, `Ana 1`; none for another place."""
    match = PLANET.match(place)
    if not match:
        return ()
    seat, number = match.groups()
    return (f"{seat[0]}{number}", f"{seat}{number}", f"{names.get(seat, seat)} {number}")


def pick(text: str, options: Sequence[Option], what: str = "answer") -> Option:
    """The one option that a text names. Raises Unclear with the reason."""
    wanted = normal(text)
    if not wanted:
        raise Unclear(f"Name one {what}.")
    if re.fullmatch(r"#?[0-9]+", wanted):
        return _by_number(int(wanted.lstrip("#")), options, what)
    exact = [option for option in options if wanted in option.words]
    if exact:
        return exact[0]
    begins = [option for option in options if any(word.startswith(wanted) for word in option.words)]
    inside = begins or [option for option in options if any(f"-{wanted}" in f"-{word}" for word in option.words)]
    if len({option.word for option in inside}) > 1:
        raise Unclear(f"{text.strip()!r} could be {_either(inside)}.")
    if not inside:
        raise Unclear(f"There is no {what} {text.strip()!r}; {_choices(options)}.")
    return inside[0]


def pick_many(text: str, options: Sequence[Option], what: str = "answer") -> list[Option]:
    """The options that a text names one after the other, none twice. Raises Unclear."""
    words = [word for word in re.split(r"[\s,;]+", text.strip()) if word and word.lower() not in FILLERS]
    left, found = list(options), []
    while words:
        option, used = _next(words, left, options, what)
        left.remove(option)
        found.append(option)
        words = words[used:]
    return found


def _next(words: list[str], left: list[Option], options: Sequence[Option], what: str) -> tuple[Option, int]:
    """The option that the words begin with, and how many of them name it."""
    for length in range(min(LONGEST_NAME, len(words)), 0, -1):
        name = normal(" ".join(words[:length]))
        for option in left:
            if name in option.words:
                return option, length
    option = pick(words[0], options, what)
    if option in left:
        return option, 1
    raise Unclear(f"{option.word} is named twice.")


def _by_number(number: int, options: Sequence[Option], what: str) -> Option:
    for option in options:
        if option.number == number:
            return option
    raise Unclear(f"There is no {what} number {number}; {_choices(options)}.")


def _either(options: Iterable[Option]) -> str:
    words = list(dict.fromkeys(option.word for option in options))
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _choices(options: Sequence[Option]) -> str:
    if not options:
        return "there is nothing to choose from"
    words = [f"{option.number} {option.word}" for option in options]
    return "choose " + (", ".join(words) if len(words) <= 6 else f"one of the {len(words)} numbers")
