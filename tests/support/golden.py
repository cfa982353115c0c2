"""Texts that tests hold as files; `COSMIC_NET_GOLDEN=write` makes them anew, to be read as a diff."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def same(path: Path, lines: Iterable[str]) -> None:
    """Asserts that the lines are those of the file."""
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    if os.environ.get("COSMIC_NET_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
