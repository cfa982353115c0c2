"""What the engine's own source says of its windows and numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "cosmic_net"

#: Functions that open windows, and how many arguments come before the names.
OPENERS = {"window": 1, "window_beside": 2, "_react": 1}


@cache
def calls() -> list[ast.Call]:
    """Every call in the game's code."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))]
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]


@cache
def engine_windows() -> set[str]:
    """All windows that the engine or an alien opens."""
    opened: set[str] = set()
    for call in calls():
        name = _name(call)
        for argument in call.args[OPENERS.get(name, len(call.args)) :]:
            opened |= {f"after:{found}" if name == "_react" else found for found in _windows(argument)}
    return opened


@cache
def engine_numbers() -> set[str]:
    """All names that the engine asks for with `number`."""
    asked = [call.args[0] for call in calls() if _name(call) == "number" and call.args]
    return {
        argument.value for argument in asked if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _windows(argument: ast.expr) -> Iterator[str]:
    """The names in an argument: a name, `before("event")`, or either with a subject of its own."""
    match argument:
        case ast.Tuple(elts=[first, *_]):
            yield from _windows(first)
        case ast.Constant(value=str(name)):
            yield name
        case ast.Call(func=ast.Name(id="before" | "after" as when), args=[ast.Constant(value=str(event))]):
            yield f"{when}:{event}"
