"""Launching: whom to meet, which planet, how many ships, and whether to go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cosmic_net.bots import fleet, strengths, worth
from cosmic_net.bots.odds import Odds
from cosmic_net.bots.outlook import Outlook
from cosmic_net.cards import faces
from cosmic_net.engine.state import OFFENSE, owner_of

MOST_SHIPS = 4
#: What allies, who are not known yet, may do to the offense's lead.
ALLIES = (-5, -1, 3)


def prospect(o: Outlook, odds: Odds, planet: str, seat: str | None = None, ships: int = MOST_SHIPS) -> float:
    """What an encounter on a planet promises, from the chance to win and what it brings.

    The defense is `seat`, or the one who is met already.
    """
    defense = seat or o.defense or owner_of(planet)
    there = o.planets[planet].get(defense, 0)
    ahead = strengths.points(o, o.me, ships) - strengths.points(o, defense, there)
    chance = sum(odds.hand_wins(OFFENSE, ahead + change) for change in ALLIES) / len(ALLIES)
    gained = {o.me: 1} if o.gain(o.me, planet) else {}
    homes = {}
    if there:
        if owner_of(planet) == defense:
            homes[defense] = -1
        else:
            gained[defense] = -1
    if owner_of(planet) == o.me and not o.planets[planet].get(o.me):
        homes[o.me] = 1
    won = worth.score(o, gained, homes) + worth.second_encounter(o)
    return chance * won - (1 - chance) * worth.SHIP * ships


def aim(o: Outlook, decision: Mapping[str, Any]) -> str:
    """The most promising of the planets offered."""
    odds = Odds(o)
    planets: list[str] = [option["id"] for option in decision["options"] if option["id"] in o.planets]
    if not planets:
        return str(decision["options"][0]["id"])
    return max(planets, key=lambda planet: prospect(o, odds, planet))


def destiny(o: Outlook, decision: Mapping[str, Any]) -> str:
    """Whom to meet after a wild card, or what to do with the own colour."""
    odds = Odds(o)
    names: list[str] = [option["id"] for option in decision["options"]]
    return max(names, key=lambda name: _destiny_value(o, odds, name, decision["options"]))


def _destiny_value(o: Outlook, odds: Odds, name: str, options: Sequence[Mapping[str, Any]]) -> float:
    if name in o.seats:
        planets = [planet for planet in o.system(name) if o.gain(o.me, planet)]
        weak: float = 0.15 * (8 - o.players[name]["hand"])
        return weak + max((prospect(o, odds, planet, name) for planet in planets), default=-9.0)
    about = next(option for option in options if option["id"] == name).get("args", {})
    planet: str = about.get("planet", "")
    if planet not in o.planets:
        return 3.0  # drawing again leads to somebody, usually
    if about.get("seat") in o.seats:
        return prospect(o, odds, planet, about["seat"])
    return 6.0 if fleet.spare(o) else -1.0


def ships(o: Outlook, decision: Mapping[str, Any]) -> dict[str, int]:
    """The ships to launch: as many as pay, from where they are missed least."""
    low, high = decision["min"], decision["max"]
    most = max(low, min(high, fleet.spare(o)))
    if o.target is None:
        return fleet.take(o, decision["places"], most)
    odds = Odds(o)
    target, there = o.target, o.enc.get("gate", {}).get(o.me, 0)
    best = max(range(low, most + 1), key=lambda n: prospect(o, odds, target, ships=n + there))
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
