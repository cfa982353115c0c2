"""Who may import whom, and what the engine may not touch (docs/architecture.md, "The import law").

The law is read off the source, so that an import inside a function or under ``TYPE_CHECKING`` counts too.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# What each package may import of this project besides itself.
MAY_IMPORT = {
    "cosmic_net": set(),
    "protocol": {"cosmic_net"},
    "client": {"protocol", "cosmic_net"},
    "host": {"protocol", "cosmic_net"},
}
OURS = {*MAY_IMPORT, "tests"}

# The engine is pure: no randomness but its own, no network, files, clocks, threads or processes.
FORBIDDEN = {
    "cosmic_net": {
        "asyncio",
        "builtins",
        "concurrent",
        "datetime",
        "glob",
        "importlib.resources",
        "io",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
        "random",
        "secrets",
        "select",
        "selectors",
        "shutil",
        "signal",
        "socket",
        "socketserver",
        "ssl",
        "subprocess",
        "tempfile",
        "threading",
        "time",
        "uuid",
    },
    # Bytes in, bytes out.
    "protocol": {"select", "selectors", "socket", "socketserver", "zmq"},
    "client": set(),
    "host": set(),
}
FORBIDDEN_CALLS = {"cosmic_net": {"breakpoint", "eval", "exec", "input", "open", "print"}}

# Third parties that a part of the engine may use. The rest of it has the standard library alone.
THIRD_PARTIES = {"cosmic_net.scenario": {"yaml"}}


def violations(module: str, source: str) -> list[str]:
    """What is against the law in the source of ``module`` (its dotted name), as 'line: what' sentences."""
    package = module.partition(".")[0]
    tree = ast.parse(source)
    found = [
        (line, f"imports {name}: {why}")
        for line, name in imports(tree)
        if (why := why_not(package, module, name)) is not None
    ]
    found += [
        (node.lineno, f"calls {node.func.id}()")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in FORBIDDEN_CALLS.get(package, ())
    ]
    return [f"{module}:{line}: {what}" for line, what in sorted(found)]


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything imported. Relative imports stay inside the package: none of them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in (
            "__import__",
            "import_module",
        ):
            name = beginning(node.args[0]) if node.args else None
            if name is None:
                yield node.lineno, "?"
            elif not name.startswith("."):
                yield node.lineno, name


def beginning(expression: ast.expr) -> str | None:
    """What a string expression begins with, as far as the source tells: f"client.{x}" with "client."."""
    match expression:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=[first, *_]):
            return beginning(first)
        case ast.FormattedValue(value=ast.Name(id="__name__" | "__package__")):
            return "."
        case ast.Name(id="__name__" | "__package__"):
            return "."
        case ast.BinOp(left=left, op=ast.Add()):
            return beginning(left)
    return None


def why_not(package: str, module: str, name: str) -> str | None:
    """Why ``module`` may not import ``name``, or None when it may."""
    if name == "?":
        return "a computed name has to begin with one that the source shows"
    top = name.partition(".")[0]
    if top == package:
        return None
    if top in OURS:
        return None if top in MAY_IMPORT[package] else f"{package} may not import {top}"
    for forbidden in FORBIDDEN[package]:
        if f"{name}.".startswith(f"{forbidden}."):
            return f"forbidden in {package}"
    if package == "cosmic_net" and top not in sys.stdlib_module_names:
        for part, allowed in THIRD_PARTIES.items():
            if f"{module}.".startswith(f"{part}.") and top in allowed:
                return None
        return "not in the standard library"
    return None


def modules(package: str) -> Iterator[tuple[str, Path]]:
    """Every module of the package: its dotted name and its file."""
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_the_package_keeps_the_law(package):
    sources = list(modules(package))
    assert (package, ROOT / package / "__init__.py") in sources
    broken = [line for name, path in sources for line in violations(name, path.read_text(encoding="utf-8"))]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        # The layers.
        ("cosmic_net.engine.state", "import protocol"),
        ("cosmic_net.engine.state", "from host import seats"),
        ("cosmic_net.bots", "import client.main"),
        ("protocol.codec", "import client"),
        ("protocol.codec", "from host.seats import Seat"),
        ("client.main", "import host"),
        ("client.main", "from host.main import run"),
        ("host.main", "import client.render"),
        ("host.main", "from protocol import codec\nfrom client import main"),
        ("client.main", "from tests import helpers"),
        # Wherever the import stands.
        ("client.main", "def start():\n    import host.main"),
        ("client.main", "if TYPE_CHECKING:\n    from host import Table"),
        ("client.main", "try:\n    import host\nexcept ImportError:\n    pass"),
        ("client.main", "import importlib\nimportlib.import_module('host.main')"),
        ("client.main", "import_module(f'host.{name}')"),
        ("client.main", "import_module('host.' + name)"),
        ("client.main", "import_module(name)"),
        ("client.main", "__import__('host')"),
        # The engine: nothing outside the standard library ...
        ("cosmic_net.engine.state", "import msgpack"),
        ("cosmic_net.engine.state", "from msgspec import Struct"),
        ("cosmic_net.engine.state", "import yaml"),
        ("cosmic_net.scenarios_of_old", "import yaml"),
        ("cosmic_net.scenario.parse", "import zmq"),
        # ... and not all of that.
        ("cosmic_net.engine.rng", "import random"),
        ("cosmic_net.engine.rng", "from secrets import token_bytes"),
        ("cosmic_net.engine.rng", "import os.path"),
        ("cosmic_net.engine.rng", "from os import urandom as seed"),
        ("cosmic_net.engine.driver", "import json, socket"),
        ("cosmic_net.engine.driver", "import asyncio"),
        ("cosmic_net.engine.driver", "from threading import Lock"),
        ("cosmic_net.engine.driver", "from concurrent.futures import Future"),
        ("cosmic_net.engine.driver", "from time import monotonic"),
        ("cosmic_net.engine.driver", "import datetime as dt"),
        ("cosmic_net.engine.driver", "import subprocess"),
        ("cosmic_net.engine.driver", "import logging.handlers"),
        ("cosmic_net.cards", "from pathlib import Path"),
        ("cosmic_net.cards", "from importlib import resources"),
        ("cosmic_net.cards", "import importlib.resources"),
        ("cosmic_net.cards", "text = open('cards.txt').read()"),
        ("cosmic_net.aliens.zombie", "def power(game):\n    print(game)"),
        ("cosmic_net.scenario.runner", "print('passed')"),
        # The protocol: no sockets.
        ("protocol.session", "import zmq"),
        ("protocol.session", "import zmq.asyncio"),
        ("protocol.session", "from socket import socket"),
    ],
)
def test_a_violation_is_found(module, source):
    [found] = violations(module, source)
    assert found.startswith(f"{module}:")


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("cosmic_net.engine.state", "from __future__ import annotations\nimport dataclasses, enum, hashlib"),
        (
            "cosmic_net.engine.state",
            "from cosmic_net.cards import deck\nfrom . import host, client\nfrom .. import os",
        ),
        ("cosmic_net.aliens", "import_module(f'cosmic_net.aliens.{name}')"),
        ("cosmic_net.aliens", "import_module(f'{__name__}.{name}')"),
        ("cosmic_net.aliens", "import_module('.' + name, __package__)"),
        ("cosmic_net.aliens", "window.open()\nself.print(card)\ntimer = 'time'"),
        ("cosmic_net.scenario", "import yaml"),
        ("cosmic_net.scenario.parse", "from yaml import CSafeLoader"),
        ("protocol.codec", "import msgpack, msgspec\nfrom cosmic_net import engine\nimport time, os"),
        ("client.main", "import zmq, socket\nfrom protocol import codec\nimport cosmic_net.cards"),
        ("client.main", "subprocess.Popen([sys.executable, '-m', 'host'])"),
        ("host.main", "import zmq, asyncio\nfrom protocol import codec\nimport cosmic_net.engine"),
        ("host.main", "print('listening')\nimport clientele"),
    ],
)
def test_what_is_allowed_is_left_alone(module, source):
    assert violations(module, source) == []


def test_every_violation_is_named_with_its_line():
    source = "import random\nfrom host import a, b\n\nprint(open('x'))\n"
    assert violations("cosmic_net.x", source) == [
        "cosmic_net.x:1: imports random: forbidden in cosmic_net",
        "cosmic_net.x:2: imports host.a: cosmic_net may not import host",
        "cosmic_net.x:2: imports host.b: cosmic_net may not import host",
        "cosmic_net.x:4: calls open()",
        "cosmic_net.x:4: calls print()",
    ]
