"""The two sides of an encounter as sums that one can check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from client.show.style import pad, width, wrap
from client.show.words import Cast, count, title

SIDES = ("offense", "defense")


class Side(NamedTuple):
    """One side: whose, the card's face and value, ships by seat (the main player's first), additions, the total."""

    seat: str
    face: str
    card: int
    ships: Mapping[str, int]
    added: int
    total: int


def standing(view: Mapping[str, Any]) -> dict[str, Side] | None:
    """Both sides as they stand, from what lies open; None unless both cards are attacks.

    What powers will make of the numbers is only in the totals that the host announces.
    """
    encounter = view.get("encounter") or {}
    if any(encounter.get("kinds", {}).get(side) != "attack" for side in SIDES):
        return None
    return {side: _side(view, encounter, side) for side in SIDES}


def announced(
    main: Mapping[str, str], cards: Mapping[str, str], parts: Mapping[str, Mapping[str, Any]]
) -> dict[str, Side]:
    """Both sides as the host has counted them (the `totals` event), with the main players and faces as told before."""
    return {
        side: Side(
            main.get(side, side),
            cards.get(side, ""),
            part["card"],
            part["ships"],
            part["added"],
            part["total"],
        )
        for side, part in parts.items()
    }


def lines(cast: Cast, sides: Mapping[str, Side], *, final: bool) -> list[str]:
    """The sums, the equals signs below each other: `▲ Ana  Attack 15 + 4 ships + 2 Cy  = 21`."""
    names = max(width(cast.marked(side.seat)) for side in sides.values())
    ending = "" if final else " so far"
    room = cast.style.width - width(f" = 100{ending}")
    indent = " " * (names + 6)
    texts = {
        name: wrap(_terms(cast, side), room, indent, f"    {pad(cast.marked(side.seat), names)}  ")
        for name, side in sides.items()
    }
    column = max(width(line) for text in texts.values() for line in text)
    found = []
    for name, text in texts.items():
        found += [*text[:-1], f"{pad(text[-1], column)}  = {sides[name].total}{ending}"]
    return found


def ships_lines(cast: Cast, view: Mapping[str, Any]) -> list[str]:
    """How many ships each side has in the encounter: `ships: Ana 4 + 2 Cy against Ben 3`; nothing before the aim."""
    encounter = view.get("encounter") or {}
    if not encounter.get("target") or any(encounter.get(side) not in view["seats"] for side in SIDES):
        return []
    sides = " against ".join(_ships_of(cast, view, str(encounter[side]), side) for side in SIDES)
    return wrap(f"ships: {sides}", cast.style.width, "    ", "  ")


def ships_there(cast: Cast, ships: Mapping[str, int]) -> str:
    """Whose ships are on a planet: `●3 ▲1`."""
    return " ".join(f"{cast.style.mark(seat)}{number}" for seat, number in ships.items() if number) or "empty"


def _ships_of(cast: Cast, view: Mapping[str, Any], main: str, side: str) -> str:
    ships = ships_of(view, side)
    others = [f" + {number} {cast.name(seat)}" for seat, number in ships.items() if seat != main]
    return f"{cast.name(main)} {ships.get(main, 0)}" + "".join(others)


def _terms(cast: Cast, side: Side) -> str:
    shown = title(side.face) if side.face and side.face != "sealed" else str(side.card)
    if side.face.startswith("attack-") and int(side.face.rsplit("-", 1)[1]) != side.card:
        shown = f"{shown} (counts {side.card})"
    text = shown
    for seat, number in side.ships.items():
        who = count(abs(number), "ship") if seat == side.seat else f"{abs(number)} {cast.name(seat)}"
        text += f" {'-' if number < 0 else '+'} {who}"
    if side.added:
        text += f" + {side.added} reinforcement"
    return text


def _side(view: Mapping[str, Any], encounter: Mapping[str, Any], side: str) -> Side:
    seat = encounter[side]
    ships = ships_of(view, side)
    card, added = encounter["values"][side], encounter["additions"].get(side, 0)
    return Side(seat, encounter["cards"][side], card, ships, added, card + sum(ships.values()) + added)


def ships_of(view: Mapping[str, Any], side: str) -> dict[str, int]:
    """The ships of a side in the encounter, by seat, the main player's first."""
    encounter = view.get("encounter") or {}
    main = str(encounter.get(side))
    ships: dict[str, int] = {}
    if side == "defense" and encounter.get("target") in view["planets"]:
        ships[main] = view["planets"][encounter["target"]].get(main, 0)
    pile = encounter.get("gate" if side == "offense" else "side", {})
    for seat in [main, *(seat for seat in view["seats"] if seat != main)]:
        if pile.get(seat):
            ships[seat] = ships.get(seat, 0) + pile[seat]
    return {seat: number for seat, number in ships.items() if number}
