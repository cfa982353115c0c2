"""A question to the player: what all kinds have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from client.ask.options import Option, normal
from client.errors import Unclear
from client.show.style import in_columns, width, wrap
from client.show.words import Cast
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.errors import IllegalAnswer


class Nothing:
    """Stands for "Enter does nothing here": None is an answer (a pass)."""


NOTHING = Nothing()


class Next(NamedTuple):
    """What Tab offers: a word that replaces the last `replaces` characters, and what it means."""

    word: str
    meaning: str
    replaces: int


class Question(ABC):
    """One open decision, ready to be shown and answered.

    `options` are the numbered answers; `enter` is what Enter alone answers, NOTHING unless that is harmless.
    """

    options: Sequence[Option] = ()
    enter: Any = NOTHING
    enter_text = ""
    """What Enter does, in a word."""

    def __init__(self, decision: Mapping[str, Any], view: Mapping[str, Any], cast: Cast) -> None:
        self.decision = dict(decision)
        self.view = view
        self.cast = cast

    @property
    def id(self) -> int:
        """The decision's number."""
        return int(self.decision["id"])

    @property
    def text(self) -> str:
        """The question itself."""
        return self.cast.fill(self.decision["text"], self.decision.get("args", {}))

    def lines(self) -> list[str]:
        """The question and its numbered answers."""
        columns = self.cast.style.width
        return [*wrap(self.cast.style.bold(self.text), columns), *self.body(columns)]

    def body(self, columns: int) -> list[str]:
        """The numbered answers."""
        labels = [f"{option.number} {option.label}" for option in self.options]
        if sum(width(label) + 3 for label in labels) > columns * 8:
            labels = [f"{option.number} {option.word}" for option in self.options]
        if any(width(label) > columns - 2 for label in labels):
            return [line for label in labels for line in wrap(label, columns, "    ", "  ")] + self.hints()
        return in_columns(labels, columns) + self.hints()

    def hints(self) -> list[str]:
        """Lines below the answers: what Enter does, how to answer."""
        return [f"  [Enter] {self.enter_text}"] if self.enter_text else []

    def parse(self, text: str) -> Any:
        """The answer that a typed line means, checked. Raises Unclear, which says why it is none."""
        answer = self.enter if not text.strip() else self.read(text.strip())
        if isinstance(answer, Nothing):
            raise Unclear("Please choose; there is no harmless default here.")
        return self.check(answer)

    def check(self, answer: Any) -> Any:
        """The answer, if the bounds of the question allow it. Raises Unclear with the reason."""
        try:
            return self._decision().check(answer)
        except IllegalAnswer as error:
            raise Unclear(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error

    @abstractmethod
    def read(self, text: str) -> Any:
        """The answer that a line means, not checked yet. Raises Unclear."""

    def complete(self, text: str) -> list[Next]:
        """What can come next behind a half-typed line."""
        start = len(text) - len(text.lstrip())
        return next_words(text[start:], self.options)

    def confirm(self, answer: Any) -> str:
        """For what cannot be taken back and deserves a second look: what will happen. Else ""."""
        return ""

    def _decision(self) -> Decision:
        fields = {"id", "group", "seat", "kind", "topic", "text", "args", "default", "clock", "timer"}
        known = {name: self.decision[name] for name in fields if name in self.decision}
        bounds = {name: value for name, value in self.decision.items() if name not in fields}
        return Decision(bounds=bounds, **known)


def next_words(text: str, options: Sequence[Option]) -> list[Next]:
    """The options whose words begin with the text, or have a part that does."""
    wanted = normal(text)
    found = [option for option in options if any(word.startswith(wanted) for word in option.words)]
    found = found or [option for option in options if any(f"-{wanted}" in f"-{word}" for word in option.words)]
    by_word = {option.word: option for option in reversed(found)}
    return [Next(word, by_word[word].label, len(text)) for word in dict.fromkeys(option.word for option in found)]
