"""Screens that tests hold as files in `golden/` (see `tests/support/golden.py`)."""

from __future__ import annotations

from pathlib import Path

from client.show.style import width
from tests.support import golden

FOLDER = Path(__file__).parent / "golden"


def same(name: str, lines: list[str], columns: int = 80) -> None:
    """Asserts that the lines are those of the file, and that none is too long."""
    too_long = [line for line in lines if width(line) > columns]
    assert not too_long
    golden.same(FOLDER / f"{name}.txt", lines)
