"""All content of the game, gathered from `aliens/` and `cards/`: adding a file there is all it takes."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

import cosmic_net.aliens
import cosmic_net.cards.artifacts
from cosmic_net.cards.reinforcements import REINFORCEMENTS
from cosmic_net.engine.table import Catalog
from cosmic_net.engine.texts import TEXTS
from cosmic_net.engine.verbs import Alien, Artifact


def _modules(package: ModuleType) -> list[ModuleType]:
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__))
    prefix = package.__name__
    return [importlib.import_module(f"cosmic_net.{prefix.removeprefix('cosmic_net.')}.{name}") for name in names]


def _aliens() -> dict[str, Alien]:
    found = {}
    for module in _modules(cosmic_net.aliens):
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Alien) and value is not Alien:
                found[value.sheet.id] = value()
    return found


def _artifacts() -> dict[str, Artifact]:
    found = {}
    for module in _modules(cosmic_net.cards.artifacts):
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Artifact) and value is not Artifact:
                found[value.id] = value()
    return found


CATALOG = Catalog(_aliens(), _artifacts(), {card.id: card() for card in REINFORCEMENTS})

for _alien in CATALOG.aliens.values():
    TEXTS.update(_alien.texts)
