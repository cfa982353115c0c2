"""YAML that remembers its lines: maps and lists that can say where each of their entries stands.

Keys are taken as they are written (no key becomes a boolean or a number); values are what YAML makes of them. A key
that is given twice, an alias into itself and a tag of Python's are errors.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

import yaml

#: Deeper nesting than this is no scenario.
DEEPEST = 20


class ScenarioError(Exception):
    """A scenario that cannot be run as it is written; the message begins with file and line."""


class Source:
    """Where values come from: the name of a file, for messages."""

    def __init__(self, name: str) -> None:
        self.name = name

    def fail(self, line: int, message: str) -> NoReturn:
        """Raises ScenarioError for a line."""
        raise ScenarioError(f"{self.name}:{line}: {message}")


class Map(dict[str, Any]):
    """A map with the line of each key in `lines`, and its own in `line`."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}

    def at(self, key: str) -> int:
        """The line of a key, or the map's own if the key is not there."""
        return self.lines.get(key, self.line)


class List(list[Any]):
    """A list with the line of each item in `lines`, and its own in `line`."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: list[int] = []


def load(text: str, source: Source) -> Map:
    """The text as a map with lines. Raises ScenarioError if it is no YAML, or no map."""
    try:
        loader = yaml.SafeLoader(text)
        try:
            node = loader.get_single_node()
            value = None if node is None else _build(loader, node, source, 0)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        source.fail(mark.line + 1 if mark else 1, f"this is no YAML: {error.problem or error.context}")
    except yaml.YAMLError as error:
        source.fail(1, f"this is no YAML: {error}")
    if not isinstance(value, Map):
        source.fail(1, "a scenario is a map of keys (title, players, play, expect, …)")
    return value


def _build(loader: yaml.SafeLoader, node: yaml.Node, source: Source, depth: int) -> Any:
    line = node.start_mark.line + 1
    if depth > DEEPEST:
        source.fail(line, "this is nested too deeply")
    if isinstance(node, yaml.MappingNode):
        result = Map(line)
        for key, value in node.value:
            at = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                source.fail(at, "a key has to be a word")
            if key.value in result:
                source.fail(at, f"{key.value} is given twice")
            result.lines[key.value] = at
            result[key.value] = _build(loader, value, source, depth + 1)
        return result
    if isinstance(node, yaml.SequenceNode):
        items = List(line)
        for item in node.value:
            items.lines.append(item.start_mark.line + 1)
            items.append(_build(loader, item, source, depth + 1))
        return items
    return loader.construct_object(node)


def known(source: Source, what: Map, keys: Iterable[str], where: str) -> None:
    """Fails for a key that is not among the known ones."""
    allowed = sorted(keys)
    for key in what:
        if key not in allowed:
            source.fail(what.at(key), f"unknown key {key} in {where}; known are {', '.join(allowed)}")
