"""What the engine's own source says of its windows and numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "cosmic_net"

#: Functions that open windows, and how many arguments come before the names.
OPENERS = {"window": 1, "window_beside": 2, "_react": 1}


@cache
def trees() -> list[ast.Module]:
    """The game's code, file by file."""
    return [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))]


@cache
def engine_windows() -> set[str]:
    """All windows that the engine or an alien opens."""
    opened: set[str] = set()
    functions = [node for tree in trees() for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        for call in [node for node in ast.walk(function) if isinstance(node, ast.Call)]:
            name = _name(call)
            for argument in call.args[OPENERS.get(name, len(call.args)) :]:
                found = set(_windows(argument, function))
                opened |= {f"after:{each}" for each in found} if name == "_react" else found
    return opened


@cache
def engine_numbers() -> set[str]:
    """All names that the engine asks for with `number`."""
    calls = [node for tree in trees() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    asked = [call.args[0] for call in calls if _name(call) == "number" and call.args]
    return {
        argument.value for argument in asked if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _windows(argument: ast.expr, function: ast.FunctionDef) -> Iterator[str]:
    """The names in an argument: a name, `before("event")`, either with a subject of its own, or `*names`."""
    match argument:
        case ast.Tuple(elts=[first, *_]):
            yield from _windows(first, function)
        case ast.Constant(value=str(name)):
            yield name
        case ast.Call(func=ast.Name(id="before" | "after" as when), args=[ast.Constant(value=str(event))]):
            yield f"{when}:{event}"
        case ast.Starred(value=ast.Name(id=variable)):
            for node in ast.walk(function):
                if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == variable:
                    yield from _all_in(node.value)


def _all_in(value: ast.expr) -> Iterator[str]:
    for node in ast.walk(value):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.fullmatch(r"[a-z]+(-[a-z]+)+", node.value)
        ):
            yield node.value
