"""Outlook: a view as one player reads it, each fact worked out when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cosmic_net.bots.lazy import lazy
from cosmic_net.engine.state import DEFENSE, OFFENSE, owner_of

#: Powers that win by running out of tokens: one goes whenever the defense wins or a deal is made.
TOKEN_CLOCKS = frozenset({"tick-tock"})


class Outlook:
    """What `me` can read from a view; by default the player whose view it is.

    Asked for another seat it tells how things look from there, as far as this view knows.
    """

    def __init__(self, view: Mapping[str, Any], me: str | None = None) -> None:
        self.view = view
        self.me: str = view["me"] if me is None else me

    @lazy
    def options(self) -> Mapping[str, Any]:
        """The options of the table."""
        found: Mapping[str, Any] = self.view["options"]
        return found

    @lazy
    def goal(self) -> int:
        """How many foreign colonies win."""
        goal = self.options["goal"]
        return int(self.options["planets"] if goal is None else goal)

    @lazy
    def homes_for_power(self) -> int:
        """With fewer home colonies a power is lost (W01)."""
        return 3 if self.options["planets"] == 5 else 2

    @lazy
    def seats(self) -> Sequence[str]:
        """All seats, clockwise."""
        found: Sequence[str] = self.view["seats"]
        return found

    @lazy
    def others(self) -> list[str]:
        """All seats but one's own."""
        return [seat for seat in self.seats if seat != self.me]

    @lazy
    def players(self) -> Mapping[str, Any]:
        """What everybody can see of the players."""
        found: Mapping[str, Any] = self.view["players"]
        return found

    @lazy
    def powers(self) -> dict[str, dict[str, int]]:
        """For every seat the aliens whose powers work now, with the tokens on their sheets."""
        return {
            seat: {power["alien"]: power["tokens"] for power in player["powers"] if power["works"]}
            for seat, player in self.players.items()
        }

    @lazy
    def planets(self) -> Mapping[str, Mapping[str, int]]:
        """The ships on every planet."""
        found: Mapping[str, Mapping[str, int]] = self.view["planets"]
        return found

    @lazy
    def enc(self) -> Mapping[str, Any]:
        """The running encounter; empty before the first one."""
        return self.view["encounter"] or {}

    @lazy
    def colonies(self) -> dict[str, int]:
        """The own colonies, with the number of ships."""
        me = self.me
        return {planet: ships[me] for planet, ships in self.planets.items() if me in ships}

    @lazy
    def homes(self) -> dict[str, int]:
        """For every seat the number of its home colonies."""
        return {seat: player["home"] for seat, player in self.players.items()}

    @lazy
    def foreign(self) -> dict[str, int]:
        """For every seat the number of its foreign colonies."""
        return {seat: player["foreign"] for seat, player in self.players.items()}

    @lazy
    def hand(self) -> Sequence[Sequence[Any]]:
        """The own hand, as [id, face]; the sealed card is still in it."""
        found: Sequence[Sequence[Any]] = self.view["hand"]
        return found

    @lazy
    def leader(self) -> str:
        """The other player who is closest to winning."""
        return max(self.others, key=lambda seat: self.foreign[seat])

    def reaches(self, seat: str, more: int = 1) -> bool:
        """Whether that many more foreign colonies win the game for a player."""
        return self.foreign[seat] + more >= self.goal

    def system(self, seat: str) -> list[str]:
        """The planets of a player's system."""
        return [planet for planet in self.planets if owner_of(planet) == seat]

    def gain(self, seat: str, planet: str | None) -> int:
        """How many foreign colonies a player has more after landing on a planet: 1 or 0."""
        if planet is None or owner_of(planet) == seat:
            return 0
        return 0 if self.planets.get(planet, {}).get(seat) else 1

    # ---- the encounter

    @lazy
    def offense(self) -> str:
        """Who has the encounter."""
        return str(self.enc.get("offense"))

    @lazy
    def defense(self) -> str | None:
        """Who is met, once that is known."""
        found: str | None = self.enc.get("defense")
        return found

    @lazy
    def target(self) -> str | None:
        """The planet the gate points at, once that is known."""
        found: str | None = self.enc.get("target")
        return found

    @lazy
    def allies(self) -> dict[str, str]:
        """Who has allied with which side."""
        return dict(self.enc.get("allies", {}))

    def side_of(self, seat: str) -> str | None:
        """The side a player is on; None for a bystander."""
        if seat == self.offense:
            return OFFENSE
        if seat == self.defense:
            return DEFENSE
        return self.allies.get(seat)

    @lazy
    def my_side(self) -> str | None:
        """The side one is on oneself."""
        return self.side_of(self.me)

    @lazy
    def is_main(self) -> bool:
        """Whether one is a main player."""
        return self.me in (self.offense, self.defense)

    @lazy
    def opponent(self) -> str | None:
        """The other main player; for others than main players the defense."""
        return self.offense if self.me == self.defense else self.defense

    @lazy
    def defending(self) -> int:
        """How many ships the defense has on the planet aimed at."""
        if self.target is None or self.defense is None:
            return 0
        return self.planets.get(self.target, {}).get(self.defense, 0)

    @lazy
    def ships_here(self) -> int:
        """How many own ships are in the encounter (T08)."""
        found: int = self.enc.get("gate", {}).get(self.me, 0) + self.enc.get("side", {}).get(self.me, 0)
        return found + (self.defending if self.me == self.defense else 0)

    @lazy
    def last_tick(self) -> str | None:
        """The player who wins as soon as a defense wins or a deal is made, if there is one."""
        for seat, powers in self.powers.items():
            for alien in TOKEN_CLOCKS.intersection(powers):
                if powers[alien] <= 1:
                    return seat
        return None
