"""Fleet: from which places ships are taken, and where they are put."""

from __future__ import annotations

from collections.abc import Mapping

from cosmic_net.bots.outlook import Outlook
from cosmic_net.engine.state import owner_of

GATE, SIDE = "gate", "side"


def spare(o: Outlook) -> int:
    """How many ships can leave the colonies without ending one that matters."""
    mine = o.colonies
    free = sum(mine.values()) - len(mine)
    lonely = sum([count == 1 and owner_of(planet) == o.me for planet, count in mine.items()])
    return free + min(lonely, max(0, o.homes[o.me] - o.homes_for_power - 1))


def few(o: Outlook) -> bool:
    """Whether so many ships are away that getting some back is better than a card."""
    outside = sum(o.colonies.values())
    return bool(outside < 0.65 * o.options["planets"] * o.options["ships"])


def take(o: Outlook, places: Mapping[str, int], count: int) -> dict[str, int]:
    """Takes ships where they are missed least; the last ship of a colony goes last."""
    left = {place: most for place, most in places.items() if most}
    homes = sum(_is_home(o, place) for place in places)
    ease = {place: _ease(o, place, left[place], homes) for place in left}
    taken: dict[str, int] = {}
    for _ in range(min(count, sum(left.values()))):
        place = max(ease, key=ease.__getitem__)
        left[place] -= 1
        taken[place] = taken.get(place, 0) + 1
        if left[place]:
            ease[place] = _ease(o, place, left[place], homes)
            continue
        del ease[place]
        if _is_home(o, place):
            homes -= 1
            ease |= {other: _ease(o, other, left[other], homes) for other in ease if left[other] == 1}
    return taken


def _is_home(o: Outlook, place: str) -> bool:
    return place in o.planets and owner_of(place) == o.me


def _ease(o: Outlook, place: str, left: int, homes: int) -> float:
    """How easily a ship leaves a place: ships without a colony, then colonies with more, then single ones."""
    if place not in o.planets:
        return 1000.0
    if left > o.colonies.get(place, left):
        return 500.0
    if left > 1:
        return (100.0 if not _is_home(o, place) else 90.0) + left
    if not _is_home(o, place):
        return 0.0
    return 50.0 if homes > o.homes_for_power else 10.0


def put(o: Outlook, places: Mapping[str, int], count: int) -> dict[str, int]:
    """Puts ships where they are fewest, on home colonies first, so that those stay alive."""
    standing = {place: o.planets.get(place, {}).get(o.me, 0) for place in places}
    room = dict(places)
    need = {place: standing[place] - (2.5 if _is_home(o, place) else 0.0) for place in places if room[place]}
    placed: dict[str, int] = {}
    for _ in range(min(count, sum(room.values()))):
        place = min(need, key=need.__getitem__)
        room[place] -= 1
        need[place] += 1
        placed[place] = placed.get(place, 0) + 1
        if not room[place]:
            del need[place]
    return placed
