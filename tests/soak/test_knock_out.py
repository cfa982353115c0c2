"""With any one effect switched off, some scenario fails: no effect is there for nothing, and none goes untested.

An effect is one marked method of an alien (power, wild, super) or of another card. Switching it off takes its hooks
and values out of the catalog; only scenarios that name its owner are run.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cosmic_net.engine.catalog import CATALOG
from cosmic_net.scenario import run_text

pytestmark = pytest.mark.soak

FOLDER = Path(__file__).parents[1] / "scenarios"
TEXTS = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.yaml")}


def effects() -> Iterator[tuple[str, str]]:
    """Every effect of the game: (owner, method)."""
    for owner, content in {**CATALOG.aliens, **CATALOG.artifacts, **CATALOG.others}.items():
        methods = [hook.name.split(".", 1)[1] for hook in content.hooks]
        methods += [value.effect.__name__ for value in content.values]
        for method in dict.fromkeys(methods):
            yield owner, method


def without(content: Any, method: str) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The hooks and values of a card or alien, less those of one method."""
    hooks = tuple(hook for hook in content.hooks if hook.name.split(".", 1)[1] != method)
    values = tuple(value for value in content.values if value.effect.__name__ != method)
    return hooks, values


def fails(text: str, name: str) -> bool:
    """Whether a scenario fails, or cannot even be played any more because something else used the effect."""
    try:
        return not run_text(text, name).passed
    except RuntimeError:
        return True


@pytest.mark.parametrize(("owner", "method"), list(effects()))
def test_without_the_effect_some_scenario_fails(owner: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content = {**CATALOG.aliens, **CATALOG.artifacts, **CATALOG.others}[owner]
    hooks, values = without(content, method)
    monkeypatch.setattr(type(content), "hooks", hooks)
    monkeypatch.setattr(type(content), "values", values)
    concerned = {name: text for name, text in TEXTS.items() if owner in text}
    assert concerned, f"no scenario names {owner}"
    for name, text in concerned.items():
        if fails(text, name):
            return
    pytest.fail(f"{len(concerned)} scenarios name {owner}, and none needs {method}")
