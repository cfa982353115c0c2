"""Reads the fact files, and the words they use for roles."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from cosmic_net.engine import verbs

FOLDER = Path(__file__).parent

#: The aliens of this game.
TWENTY = (
    "amoeba", "anti-matter", "barbarian", "filch", "gambler", "healer", "machine", "macron", "mirror", "miser",
    "oracle", "parasite", "philanthropist", "reincarnator", "remora", "sorcerer", "tick-tock", "trader", "will",
    "zombie",
)  # fmt: skip

#: Lists of roles in the fact files, and the constant of `engine.verbs` that says the same.
ROLES = {
    ("any",): verbs.ANY,
    ("main",): verbs.MAIN,
    ("offense",): verbs.OFFENSE,
    ("defense",): verbs.DEFENSE,
    ("ally",): verbs.ALLY,
    ("offensive-ally",): verbs.OFFENSIVE_ALLY,
    ("bystander",): verbs.BYSTANDER,
    ("not-offense",): verbs.NOT_OFFENSE,
    ("not-main",): verbs.NOT_MAIN,
    ("main", "ally"): verbs.MAIN_OR_ALLY,
    ("main", "bystander"): verbs.MAIN_OR_BYSTANDER,
    ("offense", "ally"): verbs.OFFENSE_OR_ALLY,
}


def role(words: list[str]) -> str:
    """The constant for a list of roles."""
    return ROLES[tuple(words)]


@cache
def read(name: str) -> Any:
    """The content of a fact file."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"), Loader=loader)


@cache
def aliens() -> dict[str, Any]:
    """The facts of all aliens by id."""
    return {alien["id"]: alien for alien in read("aliens")["aliens"]}


@cache
def census() -> list[dict[str, Any]]:
    """All hooks: of powers, flares and cards."""
    return [*read("hooks-powers"), *read("hooks-flares-cards")]
