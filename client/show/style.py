"""How text looks on this terminal: its width, whether it has colours, whether it can draw the shapes of the seats.

A seat is a colour, a shape and a name, never a colour alone. Where shapes cannot be drawn, or a terminal may draw them
two columns wide, letters stand for them.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TextIO

SHAPES = {"red": "▲", "blue": "●", "green": "■", "yellow": "◆", "purple": "★"}
LETTERS = {"red": "R", "blue": "B", "green": "G", "yellow": "Y", "purple": "P"}
_COLOURS = {"red": "31", "blue": "94", "green": "32", "yellow": "33", "purple": "35"}
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
_ASCII = str.maketrans(
    {"─": "-", "·": "-", "–": "-", "»": ">", "…": "~", "×": "x", "▲": "R", "●": "B", "■": "G", "◆": "Y", "★": "P"}
)
_WIDE_LANGUAGES = ("zh", "ja", "ko")

LEAST_WIDTH = 40
USUAL_WIDTH = 80
MOST_WIDTH = 160
WIDE = 120
"""From this width on the board is shown by itself, once in an encounter, beside the hand."""


@dataclass(frozen=True)
class Style:
    """What the terminal can do."""

    width: int = USUAL_WIDTH
    colour: bool = False
    shapes: bool = True

    @classmethod
    def of(cls, out: TextIO, environment: Mapping[str, str] = os.environ, *, plain: bool = False) -> Style:
        """The style for this output, as its terminal and the environment have it."""
        terminal = out.isatty() and environment.get("TERM") != "dumb"
        colour = terminal and not plain and "NO_COLOR" not in environment
        return cls(width_of(out), colour, _can_draw_shapes(out, environment))

    def at(self, width: int) -> Style:
        """The same style at another width."""
        return replace(self, width=max(LEAST_WIDTH, min(width, MOST_WIDTH)))

    def mark(self, seat: str) -> str:
        """The shape (or letter) of a seat, in its colour."""
        marks = SHAPES if self.shapes else LETTERS
        return self.paint(marks.get(seat, "?"), seat)

    def paint(self, text: str, seat: str) -> str:
        """A text in the colour of a seat."""
        return self._code(text, _COLOURS.get(seat, ""))

    def bold(self, text: str) -> str:
        return self._code(text, "1")

    def dim(self, text: str) -> str:
        return self._code(text, "2")

    def alarm(self, text: str) -> str:
        return self._code(text, "1;31")

    def rule(self, title: str) -> str:
        """A line across the screen with a title in it."""
        start = f"── {title} "
        return self.plain_text(start + "─" * max(0, self.width - width(start)))

    def plain_text(self, text: str) -> str:
        """The text with the characters that this terminal can draw."""
        return text if self.shapes else text.translate(_ASCII)

    def _code(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and code and text else text


def width_of(out: TextIO = sys.stdout) -> int:
    """How many columns an output has; the usual number if it is no terminal."""
    if not out.isatty():
        return USUAL_WIDTH
    return max(LEAST_WIDTH, min(shutil.get_terminal_size((USUAL_WIDTH, 24)).columns, MOST_WIDTH))


def _can_draw_shapes(out: TextIO, environment: Mapping[str, str]) -> bool:
    if environment.get("TERM") in ("dumb", "linux") or environment.get("COSMIC_NET_ASCII"):
        return False
    language = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG") or ""
    if language.startswith(_WIDE_LANGUAGES):
        return False
    try:
        "".join(SHAPES.values()).encode(out.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def width(text: str) -> int:
    """How many columns a text takes, colours not counted."""
    return sum(_columns(character) for character in uncoloured(text))


def uncoloured(text: str) -> str:
    """The text without colours."""
    return _ESCAPE.sub("", text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, columns: int) -> str:
    """The text with spaces behind it up to a width."""
    return text + " " * max(0, columns - width(text))


def cut(text: str, columns: int) -> str:
    """A text without colours, cut to a width; the cut is shown."""
    if width(text) <= columns:
        return text
    kept = ""
    for character in text:
        if width(kept + character) > columns - 1:
            break
        kept += character
    return kept + "…"


def wrap(text: str, columns: int, indent: str = "", first: str | None = None) -> list[str]:
    """The words of a text in lines of at most so many columns; `first` stands before the first line."""
    line, empty, lines = indent if first is None else first, True, []
    for word in text.split():
        if not empty and width(line) + 1 + width(word) > columns:
            lines.append(line)
            line, empty = indent, True
        line += word if empty else f" {word}"
        empty = False
    return [*lines, line.rstrip()]


def fitted(text: str, out: TextIO | None = None) -> str:
    """A text of one or more lines, broken between words where a terminal would break them within."""
    out = sys.stdout if out is None else out
    if not out.isatty():
        return text
    lines = (wrap(line, width_of(out), " " * (len(line) - len(line.lstrip()))) for line in text.split("\n"))
    return "\n".join("\n".join(line) for line in lines)


def flow(items: Iterable[str], columns: int, indent: str = "  ", gap: str = "   ") -> list[str]:
    """Texts one after the other; a line is broken between two of them, never within one."""
    lines: list[str] = []
    for item in items:
        if lines and width(lines[-1]) + len(gap) + width(item) <= columns:
            lines[-1] += gap + item
        else:
            lines.append(indent + item)
    return lines


def in_columns(items: Iterable[str], columns: int, indent: str = "  ", gap: int = 3) -> list[str]:
    """Short texts side by side, as many a line as fit, all equally wide."""
    texts = list(items)
    if not texts:
        return []
    each = max(width(text) for text in texts) + gap
    a_line = max(1, (columns - len(indent) + gap) // each)
    rows = [texts[start : start + a_line] for start in range(0, len(texts), a_line)]
    return [(indent + "".join(pad(text, each) for text in row)).rstrip() for row in rows]
