"""Launching: whom to meet, which planet, how many ships, and whether to go on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cosmic_net.bots import fleet, strengths, worth
from cosmic_net.bots.odds import Odds
from cosmic_net.bots.outlook import Outlook
from cosmic_net.cards import faces
from cosmic_net.engine.rng import Rng
from cosmic_net.engine.state import OFFENSE, owner_of

MOST_SHIPS = 4
#: What allies, who are not known yet, may do to the offense's lead.
ALLIES = (-5, -1, 3)


class Prospect:
    """What an encounter on a planet promises, from the chance to win and what it brings.

    The defense is `seat`, or the one who is met already.
    """

    def __init__(self, o: Outlook, odds: Odds, planet: str, seat: str | None = None) -> None:
        self._o, self._odds = o, odds
        defense = seat or o.defense or owner_of(planet)
        there = o.planets[planet].get(defense, 0)
        self._against = strengths.points(o, defense, there)
        gained = {o.me: 1} if o.gain(o.me, planet) else {}
        homes: dict[str, int] = {}
        if there:
            (homes if owner_of(planet) == defense else gained)[defense] = -1
        if owner_of(planet) == o.me and not o.planets[planet].get(o.me):
            homes[o.me] = 1
        self._won = worth.score(o, gained, homes) + worth.second_encounter(o)

    def value(self, ships: int = MOST_SHIPS) -> float:
        """The same with so many ships on the gate."""
        ahead = strengths.points(self._o, self._o.me, ships) - self._against
        chance = sum([self._odds.hand_wins(OFFENSE, ahead + change) for change in ALLIES]) / len(ALLIES)
        return chance * self._won - (1 - chance) * worth.SHIP * ships


def aim(o: Outlook, decision: Mapping[str, Any], rng: Rng) -> str:
    """The most promising of the planets offered, any of several that are alike."""
    odds = Odds(o)
    names: list[str] = [option["id"] for option in decision["options"]]
    values = {name: Prospect(o, odds, name).value() if name in o.planets else 0.0 for name in names}
    return _best(values, rng)


def _best(values: Mapping[str, float], rng: Rng) -> str:
    highest = max(values.values())
    alike = [name for name, value in values.items() if value > highest - 0.01]
    return alike[rng.below(len(alike))]


def destiny(o: Outlook, decision: Mapping[str, Any], rng: Rng) -> str:
    """Whom to meet after a wild card, or what to do with the own colour."""
    odds, options = Odds(o), decision["options"]
    return _best({option["id"]: _destiny_value(o, odds, option) for option in options}, rng)


def _destiny_value(o: Outlook, odds: Odds, option: Mapping[str, Any]) -> float:
    name: str = option["id"]
    if name in o.seats:
        planets = [planet for planet in o.system(name) if o.gain(o.me, planet)]
        weak: float = 0.15 * (8 - o.players[name]["hand"])
        return weak + max((Prospect(o, odds, planet, name).value() for planet in planets), default=-9.0)
    about = option.get("args", {})
    planet: str = about.get("planet", "")
    if planet not in o.planets:
        return 3.0  # drawing again leads to somebody, usually
    if about.get("seat") in o.seats:
        return Prospect(o, odds, planet, about["seat"]).value()
    return 6.0 if fleet.spare(o) else -1.0


def ships(o: Outlook, decision: Mapping[str, Any]) -> dict[str, int]:
    """The ships to launch: as many as pay, from where they are missed least."""
    low, high = decision["min"], decision["max"]
    most = max(low, min(high, fleet.spare(o)))
    if o.target is None or o.target not in o.planets:
        return fleet.take(o, decision["places"], most)
    prospect, there = Prospect(o, Odds(o), o.target), o.enc.get("gate", {}).get(o.me, 0)
    best = max(range(low, most + 1), key=lambda n: prospect.value(n + there))
    return fleet.take(o, decision["places"], best)


def settling(o: Outlook, decision: Mapping[str, Any]) -> dict[str, int]:
    """Ships for a new colony of one's own: two if they can be spared."""
    count = max(decision["min"], min(decision["max"], 2, fleet.spare(o)))
    return fleet.take(o, decision["places"], count)


def again(o: Outlook) -> bool:
    """Whether a second encounter promises anything with the cards that are left."""
    attacks = [faces.number(face) for _, face in o.hand if faces.type_of(face) == faces.ATTACK]
    enough = 6 if o.reaches(o.me) else 8
    return fleet.spare(o) > 1 and (max(attacks, default=0) >= enough or len(attacks) > 2)
