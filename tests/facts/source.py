"""What the engine's own source says of its windows and numbers."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "cosmic_net"


@cache
def engine_source() -> str:
    """All of the game's code as one text."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py")))


def engine_windows() -> set[str]:
    """All windows that the engine or an alien opens."""
    opened: set[str] = set()
    for call in re.findall(r"window\(\s*t,\s*((?:[^()]|\([^()]*\))*)\)", engine_source()):
        text = call.split("subject=")[0]
        for kind, event in re.findall(r'(before|after)\("([a-z-]+)"\)', text):
            opened.add(f"{kind}:{event}")
        opened.update(re.findall(r'(?<!\()"([a-z-]+)"', text))
    opened.update(f"after:{event}" for event in re.findall(r'_react\(t, "([a-z-]+)"', engine_source()))
    return opened


def engine_numbers() -> set[str]:
    """All names that the engine asks for with `number`."""
    return set(re.findall(r't\.number\(\s*"([a-z-]+)"', engine_source()))
