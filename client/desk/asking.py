"""What is asked of the player: one question, and perhaps a window of reactions that runs beside it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from client.ask import Next, Question, question
from client.ask.choices import PASS_WORDS, React
from client.ask.options import normal
from client.errors import Unclear
from client.show import odds
from client.show.style import wrap

if TYPE_CHECKING:
    from client.desk.desk import Desk

log = logging.getLogger(__name__)

WINDOW = "w"
"""Before a number it means the window beside the question: `w1`; alone it lets the window pass."""
HINT = "(`pass encounter` lets all of these pass until the next encounter)"


class Asking:
    """The open questions of one desk, made anew when the game has moved."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._made: dict[int, tuple[int, Question]] = {}
        self._first_window: int | None = None

    def forget(self) -> None:
        """The screen has another width, or settings have changed: questions are made anew."""
        self._made.clear()

    def question(self) -> Question | None:
        """The question that is to be answered; a window only if nothing else is asked."""
        prompts = self._prompts()
        return self._make(prompts[0]) if prompts else None

    def window(self) -> React | None:
        """The window that runs beside the question."""
        for prompt in self._prompts()[1:]:
            if prompt["kind"] == "react":
                made = self._make(prompt)
                return made if isinstance(made, React) else None
        return None

    def lines(self) -> list[str]:
        """The question with its answers, and the window in a line below it."""
        asked, window = self.question(), self.window()
        lines = asked.lines() + self.hint() if asked is not None else []
        if window is not None:
            actions = "".join(f" · [{WINDOW}{option.number}] {option.label}" for option in window.options)
            text = self._desk.style.plain_text(f"meanwhile, {window.text} [{WINDOW}] pass{actions}")
            lines += wrap(self._desk.style.dim(text), self._desk.style.width, "    ", "  ")
        return lines

    def hint(self) -> list[str]:
        """How not to be asked so often, with the first window of all."""
        asked, style = self.question(), self._desk.style
        if not isinstance(asked, React) or self._desk.told.seat in self._desk.told.passes:
            return []
        if self._first_window is None:
            self._first_window = asked.id
        return [style.dim(line) for line in wrap(HINT, style.width, "  ")] if asked.id == self._first_window else []

    def read(self, text: str) -> tuple[Question, Any]:
        """Which question a line answers, and how. Raises Unclear."""
        asked, window = self.question(), self.window()
        if asked is None:
            raise Unclear(self._desk.why_nothing())
        if window is not None and (answer := self._for_window(window, text)):
            return window, answer[0]
        return asked, asked.parse(text)

    def complete(self, text: str) -> list[Next]:
        """The legal answers that begin like the text."""
        asked, window = self.question(), self.window()
        found = asked.complete(text) if asked is not None else []
        return found + (window.complete(text) if window is not None and text.strip() else [])

    def _for_window(self, window: React, text: str) -> list[Any] | None:
        """The answer to the window, in a list; None if the line is not about the window."""
        wanted = normal(text)
        if wanted == WINDOW or wanted in PASS_WORDS[:2]:
            return [None]
        if wanted.startswith(WINDOW) and wanted[1:].strip("-").isdigit():
            return [window.parse(wanted[1:].strip("-"))]
        exact = [option.value for option in window.options if wanted in option.words]
        return exact or None

    def _prompts(self) -> list[dict[str, Any]]:
        if self._desk.told.view is None:
            return []
        return sorted(self._desk.player.prompts, key=lambda prompt: (prompt["kind"] == "react", prompt["id"]))

    def _make(self, decision: dict[str, Any]) -> Question | None:
        view, revision = self._desk.told.view, self._desk.told.revision
        assert view is not None
        known = self._made.get(decision["id"])
        if known is not None and known[0] == revision:
            return known[1]
        seat, line = self._desk.told.seat, ""
        if decision["kind"] == "seal" and self._desk.odds and seat is not None:
            line = odds.line(view, seat, [face for _, face in decision["cards"]])
        try:
            made = question(decision, view, self._desk.cast, self._desk.player.sealed_cards(), line)
        except (KeyError, ValueError, TypeError):
            log.exception("a question cannot be shown: %r", decision)
            return None
        self._made = {decision_id: entry for decision_id, entry in self._made.items() if entry[0] == revision}
        self._made[decision["id"]] = (revision, made)
        return made
