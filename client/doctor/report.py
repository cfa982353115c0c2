"""What the doctor says: one line for each thing that was looked at, and below it what to do."""

from __future__ import annotations

import shutil
import sys
import textwrap

INDENT = " " * 9


class Report:
    """Prints findings as they come, and counts the problems."""

    def __init__(self) -> None:
        self.problems = 0
        self._width = max(shutil.get_terminal_size().columns - 1, 40) if sys.stdout.isatty() else 0

    def heading(self, text: str) -> None:
        """A new subject."""
        print(f"\n{text}" if text else "", flush=True)

    def ok(self, text: str) -> None:
        """Something that is as it should be."""
        self._line("ok", text)

    def note(self, text: str, *todo: str) -> None:
        """Something that is good to know, and is no problem by itself."""
        self._line("note", text, *todo)

    def problem(self, text: str, *todo: str) -> None:
        """Something that is wrong, and what can be done about it."""
        self.problems += 1
        self._line("problem", text, *todo)

    def _line(self, word: str, text: str, *todo: str) -> None:
        for line in (f"{word:<9}{text}", *(f"{INDENT}-> {step}" for step in todo)):
            indent = INDENT if line.startswith(word) else f"{INDENT}   "
            shown = textwrap.fill(line, self._width, subsequent_indent=indent) if self._width else line
            print(shown, flush=True)
