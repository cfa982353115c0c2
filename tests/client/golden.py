"""Texts that a test holds as files in `golden/`; `COSMIC_NET_GOLDEN=write` makes them anew, to be read as a diff."""

from __future__ import annotations

import os
from pathlib import Path

from client.show.style import width

FOLDER = Path(__file__).parent / "golden"


def same(name: str, lines: list[str], columns: int = 80) -> None:
    """Asserts that the lines are those of the file, and that none is too long."""
    too_long = [line for line in lines if width(line) > columns]
    assert not too_long
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    path = FOLDER / f"{name}.txt"
    if os.environ.get("COSMIC_NET_GOLDEN") == "write":
        FOLDER.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
