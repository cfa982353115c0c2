"""The board: who has colonies where, worked out anew only for a player who founds or gives up a colony."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cosmic_net.engine.state import owner_of


class Board:
    """The colonies of every player, in the order of the planets; for looking only."""

    def __init__(self, planets: Mapping[str, Mapping[str, int]], seats: Iterable[str]) -> None:
        self._planets = planets
        self.colonies: dict[str, list[str]] = {}
        """All of them."""
        self.homes: dict[str, list[str]] = {}
        """Those in the own system (T03)."""
        self.foreign: dict[str, list[str]] = {}
        """Those in other systems (T03)."""
        for seat in seats:
            self.look_at(seat)

    def look_at(self, seat: str) -> None:
        """A player's colonies have changed."""
        own = self.colonies[seat] = [planet for planet, ships in self._planets.items() if seat in ships]
        self.homes[seat] = [planet for planet in own if owner_of(planet) == seat]
        self.foreign[seat] = [planet for planet in own if owner_of(planet) != seat]
