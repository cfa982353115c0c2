"""Guessing: answers to questions that are not of the rules themselves but of some card or alien.

They go by the topic where `hints` names it, else by what the question looks like: whoever is to be named suffers,
cards that one gives are the worst and cards that one takes the best, ships that one loses are the least missed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cosmic_net.bots import cards, fleet, hints, worth
from cosmic_net.bots.outlook import Outlook
from cosmic_net.cards import faces
from cosmic_net.engine.rng import Rng
from cosmic_net.engine.state import OFFENSE

Decision = Mapping[str, Any]


def choose(o: Outlook, decision: Decision, rng: Rng, sealed: str | None) -> list[str] | None:
    """The answer to a question of the kind `choose`; None if nothing can be guessed."""
    names: list[str] = [option["id"] for option in decision["options"]]
    low, high = decision["min"], decision["max"]
    single = low <= 1 <= high
    if single and (known := _CHOICES.get(decision["topic"])):
        return known(o, names, rng, sealed)
    if all(name in o.seats for name in names):
        friendly = decision["topic"] in hints.FRIENDLY
        ranked = sorted(names, key=lambda seat: (_grudge(o, seat, rng), seat), reverse=not friendly)
        count = high if not friendly and o.me not in names else max(low, min(1, high))
        return ranked[:count]
    if all(name in o.planets for name in names) and single:
        return [max(names, key=lambda planet: (_site(o, planet), rng.below(8)))]
    if single and set(names) == {"yes", "no"}:
        return ["yes" if rng.below(100) < hints.YES.get(decision["topic"], 60) else "no"]
    return None


def _grudge(o: Outlook, seat: str, rng: Rng) -> float:
    """How much one wishes a player ill: oneself not at all, enemies in this encounter and leaders most."""
    if seat == o.me:
        return -100.0
    mine, theirs = o.my_side, o.side_of(seat)
    against = mine is not None and theirs is not None
    return (
        3.0 * o.foreign[seat] + (4.0 if against and mine != theirs else -4.0 if against else 0.0) + rng.below(100) / 50
    )


def _site(o: Outlook, planet: str) -> float:
    """How good a planet is to come to: new foreign colonies first, then few ships of others."""
    there = sum(count for seat, count in o.planets[planet].items() if seat != o.me)
    return 10.0 * o.gain(o.me, planet) - there


def _direction(o: Outlook, names: list[str], rng: Rng, sealed: str | None) -> list[str]:
    """Into an encounter that one is likely to win, out of any other."""
    strong = sealed is not None and faces.type_of(sealed) == faces.ATTACK and faces.number(sealed) >= 10
    wanted = "in" if strong else "out"
    return [wanted] if wanted in names else [names[0]]


def _claim(o: Outlook, names: list[str], rng: Rng, sealed: str | None) -> list[str]:
    """The truth about half the time, else something that would win."""
    if sealed in names and rng.below(100) < 55:
        return [str(sealed)]
    high = [name for name in names if name in ("attack-14", "attack-15", "attack-20", "attack-23")]
    return [high[rng.below(len(high))]] if high else names[:1]


def _believe(o: Outlook, names: list[str], rng: Rng, sealed: str | None) -> list[str]:
    return ["challenge" if "challenge" in names and rng.below(100) < 55 else names[0]]


def _card_or_ship(o: Outlook, names: list[str], rng: Rng, sealed: str | None) -> list[str]:
    """A ship if many are in the warp, else a card."""
    ships = [name for name in names if "ship" in name]
    rest = [name for name in names if name not in ships]
    wanted = ships if ships and (fleet.few(o) or not rest) else rest
    return wanted[:1] or names[:1]


def _richest(o: Outlook, names: list[str], rng: Rng, sealed: str | None) -> list[str]:
    return [max(names, key=lambda seat: o.players[seat]["hand"] if seat in o.players else 0)]


_CHOICES: dict[str, Callable[[Outlook, list[str], Rng, str | None], list[str]]] = {
    "direction": _direction,
    "claim": _claim,
    "believe": _believe,
    "take": _card_or_ship,
    "trade-with": _richest,
}


def ships(o: Outlook, decision: Decision) -> dict[str, int]:
    """Ships that leave places where they stand, or come to places."""
    if all(most <= standing(o, place) for place, most in decision["places"].items()):
        return fleet.take(o, decision["places"], decision["min"])
    return fleet.put(o, decision["places"], decision["max"])


def standing(o: Outlook, place: str) -> int:
    """How many own ships are at a place outside the warp."""
    if place in (fleet.GATE, fleet.SIDE):
        return int(o.enc.get(place, {}).get(o.me, 0))
    return o.planets.get(place, {}).get(o.me, 0)


def pick(view: Mapping[str, Any], decision: Decision) -> list[int]:
    """Cards: few and bad ones out of the own hand, many and good ones from elsewhere."""
    held = {card[0] for card in view["hand"]}
    if decision["topic"] in hints.GOOD_CARDS or not all(card[0] in held for card in decision["cards"]):
        return cards.most(decision["cards"], decision["max"])
    count = decision["max"] if decision["topic"] in hints.PAID_CARDS else decision["min"]
    return cards.least(decision["cards"], count)


def declare(o: Outlook, decision: Decision, rng: Rng) -> int:
    """A number: as `hints` has it for the topic, else anything in the lower half."""
    low, high = int(decision["min"]), int(decision["max"])
    if decision["topic"] in hints.MOST:
        return high
    wanted = hints.NUMBERS.get(decision["topic"])
    if wanted is not None:
        return max(low, min(high, wanted))
    return low + rng.below((high - low) // 2 + 1)


def side(o: Outlook, names: list[str]) -> str:
    """The side that one would like to win."""
    offense = worth.if_offense_wins(o, o.allies, o.ships_here)
    better = OFFENSE if offense > worth.if_defense_wins(o, o.allies, o.ships_here) else "defense"
    return better if better in names else names[0]
