"""The board: planets, ships, powers, counts. Fits 80 columns for five players."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from client.show.style import USUAL_WIDTH, cut, pad, width, wrap
from client.show.words import Cast, alien_name, listed, sorted_cards, title

NAME_COLUMNS = 14
GAP = "    "
COUNTS = ("warp", "hand", "home", "foreign")


def board(cast: Cast, view: Mapping[str, Any]) -> list[str]:
    """The whole board."""
    goal = view["options"].get("goal") or view["options"].get("planets", 5)
    systems = {seat: _system(view, seat) for seat in view["seats"]}
    columns = max((len(planets) for planets in systems.values()), default=5)
    each = max(5, min(9, (cast.style.width - NAME_COLUMNS - 26) // max(1, columns)))
    lines = [_headline(columns, each)]
    for seat in view["seats"]:
        lines += _player(cast, view, seat, systems[seat], each, columns)
    lines += _extra_planets(cast, view, systems)
    lines += _encounter(cast, view)
    lines.append(_piles(view, goal))
    return [cast.style.plain_text(line.rstrip()) for line in lines]


def beside_hand(cast: Cast, view: Mapping[str, Any], sealed: set[int]) -> list[str]:
    """The board with one's own hand to the right of it, for wide terminals."""
    narrow = Cast(cast.plain, cast.style.at(USUAL_WIDTH), cast.me)
    left, right = board(narrow, view), []
    if "hand" in view:
        beside = Cast(cast.plain, cast.style.at(cast.style.width - USUAL_WIDTH - len(GAP)), cast.me)
        right = ["your hand", *hand(beside, sorted_cards(view["hand"]), sealed)]
    lines = zip_longest(left, right, fillvalue="")
    return [(pad(of_board, USUAL_WIDTH) + GAP + of_hand).rstrip() for of_board, of_hand in lines]


def _headline(columns: int, each: int) -> str:
    numbers = "".join(pad(str(number), each) for number in range(1, columns + 1))
    return pad("", NAME_COLUMNS - 7) + "planet " + numbers + "".join(f"{name:>6}" for name in COUNTS[:3]) + " foreign"


def _system(view: Mapping[str, Any], seat: str) -> list[str]:
    own = [planet for planet in view["planets"] if planet.rsplit("-", 1)[0] == seat]
    return sorted(own, key=lambda planet: int(planet.rsplit("-", 1)[1]))


def _player(cast: Cast, view: Mapping[str, Any], seat: str, planets: list[str], each: int, columns: int) -> list[str]:
    """Two lines or more: name, planets and counts; below, the alien and what did not fit."""
    player = view["players"][seat]
    cells = [_cell(cast, view, planet, each) for planet in planets] + [[""]] * (columns - len(planets))
    name = f"{cast.style.mark(seat)} {cast.style.paint(cut(cast.plain.get(seat, seat), NAME_COLUMNS - 3), seat)}"
    counts = f"{player['warp']:>6}{player['hand']:>6}{player['home']:>6}{player['foreign']:>8}"
    first = pad(name, NAME_COLUMNS) + "".join(pad(cell[0], each) for cell in cells) + counts
    lines = [first]
    below = [cell[1:] for cell in cells]
    power = _powers(player, cast)
    if any(below):
        lines.append(pad("", NAME_COLUMNS) + "".join(pad(" ".join(rest[:1]), each) for rest in below))
    return lines + wrap(power, cast.style.width, "    ", "  ")


def _cell(cast: Cast, view: Mapping[str, Any], planet: str, each: int) -> list[str]:
    """The ships of a planet, as the lines of a cell that narrow; the target has a sign before it."""
    encounter = view.get("encounter") or {}
    sign = "» " if encounter.get("target") == planet and not encounter.get("result") else ""
    ships = [f"{cast.style.mark(seat)}{number}" for seat, number in view["planets"][planet].items() if number]
    lines, line = [], sign + (ships[0] if ships else "–")
    for text in ships[1:]:
        if width(line) + 1 + width(text) > each - 1:
            lines.append(line)
            line = text
        else:
            line += f" {text}"
    return [*lines, line]


def _powers(player: Mapping[str, Any], cast: Cast) -> str:
    powers = [_power(power, player, cast) for power in player["powers"]] or ["no alien"]
    out = f"; {player['removed']} ships out of the game" if player.get("removed") else ""
    return ", ".join(powers) + out


def _power(power: Mapping[str, Any], player: Mapping[str, Any], cast: Cast) -> str:
    notes = []
    if player.get("lost"):
        notes.append(f"power lost, {player['home']} home colonies")
    elif not power.get("works", True):
        notes.append("zapped")
    if power.get("tokens"):
        notes.append(f"{power['tokens']} tokens")
    if power.get("cards"):
        notes.append(f"{power['cards']} cards on it")
    if power.get("lent_by"):
        notes.append(f"lent by {cast.name(power['lent_by'])}" if power["lent_by"] in cast.plain else "lent")
    return alien_name(power["alien"]) + (f" ({'; '.join(notes)})" if notes else "")


def _extra_planets(cast: Cast, view: Mapping[str, Any], systems: Mapping[str, list[str]]) -> list[str]:
    known = {planet for planets in systems.values() for planet in planets}
    others = [planet for planet in view["planets"] if planet not in known]
    return [f"{planet}: {' '.join(_cell(cast, view, planet, 40))}" for planet in others]


def _encounter(cast: Cast, view: Mapping[str, Any]) -> list[str]:
    """Who attacks what, with which ships."""
    encounter = view.get("encounter") or {}
    if not encounter.get("target") or encounter.get("result"):
        return []
    gate = " ".join(f"{cast.style.mark(seat)}{number}" for seat, number in encounter["gate"].items() if number)
    side = " ".join(f"{cast.style.mark(seat)}{number}" for seat, number in encounter["side"].items() if number)
    beside = f", beside it {side}" if side else ""
    return [f"gate {gate or '–'} » {cast.finish(encounter['target'])}{beside}"]


def _piles(view: Mapping[str, Any], goal: int) -> str:
    discards = view.get("discards", [])
    top = f" (top: {title(discards[-1])})" if discards else ""
    return (
        f"deck {view['deck']}   discards {len(discards)}{top}   destiny {view['destiny']['deck']}   "
        f"{goal} foreign colonies win"
    )


def hand(cast: Cast, cards: list[tuple[int, str]], sealed: set[int]) -> list[str]:
    """One's own hand, numbered as `?` counts it."""
    from client.show.style import in_columns

    if not cards:
        return ["Your hand is empty."]
    labels = [
        f"{number} {title(face)}" + (" (sealed)" if card in sealed else "")
        for number, (card, face) in enumerate(cards, 1)
    ]
    return in_columns(labels, cast.style.width)


def others_shown(cast: Cast, seen: list[Mapping[str, Any]]) -> list[str]:
    """What was shown to this player alone, last."""
    lines = []
    for entry in seen[-3:]:
        cards = [title(card if isinstance(card, str) else card[1]) for card in entry.get("cards", [])]
        if cards:
            who = cast.name(entry["seat"]) if entry.get("seat") in cast.plain else "somebody"
            lines += wrap(f"You saw of {who}: {listed(cards)}.", cast.style.width, "  ")
    return lines
