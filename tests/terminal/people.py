"""People at terminals: they read the screen and type what its question asks for, nothing else."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.terminal.screen import LIMIT, Terminal, wait_all

Habits = Sequence[tuple[str, str | Callable[[str], str]]]
COMMAND = [sys.executable, "-m", "client"]


def start(home: Path, *arguments: str, rows: int = 24, columns: int = 80, **environment: str) -> Terminal:
    """Starts the program with these arguments at a terminal of its own."""
    variables = {"COSMIC_NET_HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return Terminal([*COMMAND, *arguments], variables, rows, columns, log=home / "client.log")


class Person:
    """Somebody at a terminal with a habit for every question.

    `habits` are (pattern, what is typed or a function of the question's lines); the first that matches the open
    question counts. A question is answered once.
    """

    def __init__(self, name: str, terminal: Terminal, habits: Habits) -> None:
        self.name = name
        self.terminal = terminal
        self.habits = habits
        self.answered: list[str] = []
        self._last = ""

    def _prompt_at(self) -> int | None:
        lines = self.terminal.lines
        return next((n for n in range(len(lines) - 1, -1, -1) if lines[n].startswith(f"{self.name}>")), None)

    @property
    def typed(self) -> str:
        """What stands behind the prompt."""
        at = self._prompt_at()
        return "" if at is None else self.terminal.lines[at].removeprefix(f"{self.name}>").strip()

    @property
    def question(self) -> str:
        """What stands above the prompt: the block that ends with the line that is typed."""
        lines, at = self.terminal.lines, self._prompt_at()
        if at is None:
            return ""
        start = at
        while start > 0 and at - start < 12 and self._is_part(lines[start - 1]):
            start -= 1
        return "\n".join(lines[start:at])

    @staticmethod
    def _is_part(line: str) -> bool:
        return bool(line) and not line.startswith(("── ", "> ", "           ")) and not re.match(r"[a-z ]{10} \S", line)

    def act(self) -> bool:
        """Answers the open question if there is a habit for it and it was not answered yet."""
        if not self.terminal.quiet:
            return False
        if self.typed:  # the question has changed meanwhile, and what was typed did not fit the new one
            self._last = ""
            self.terminal.type("\x15")
            return True
        question = self.question
        if self.terminal.has("Enter again answers it"):  # the Enter came for a question that was closed meanwhile
            self._last = ""
        if not question or question == self._last:
            return False
        for pattern, answer in self.habits:
            if re.search(pattern, question, re.M):
                self._last = question
                self.answered.append(question)
                self.terminal.enter(answer if isinstance(answer, str) else answer(question))
                return True
        return False


def play_until(people: Sequence[Person], condition: Callable[[], bool], what: str, seconds: float = LIMIT) -> None:
    """Lets everybody answer what they are asked until a condition holds."""

    def step() -> bool:
        if condition():
            return True
        for person in people:
            person.act()
        return False

    wait_all([person.terminal for person in people], step, what, seconds)
