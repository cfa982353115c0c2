"""The position of a scenario: players, ships, decks and the start, as the engine takes them (`engine.position`).

What is not said is filled in: ships stand on the home planets, a hand that is not given is eight cards from the rest
of the deck, and what is left of the decks is shuffled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from cosmic_net.cards import decks
from cosmic_net.engine.options import NO_ALIEN, Options
from cosmic_net.engine.state import DEFENSE, OFFENSE, SIDES, owner_of
from cosmic_net.scenario.lines import Map, known
from cosmic_net.scenario.words import FACES, Words

PLAYER_KEYS = {"alien", "hand", "home", "colonies", "warp", "removed", "tokens", "hoard"}
START_KEYS = {"offense", "phase", "nth", "defense", "target", "system", "gate", "side", "allies"}
PHASES = ("start-turn", "regroup", "destiny", "launch", "alliance", "planning")
#: The phases in which the defense, the target planet and the ships on the gate must be known already.
NEEDS = {"launch": ("defense",), "alliance": ("target", "gate"), "planning": ("target", "gate")}
PILES = ("deck", "discards", "destiny", "destiny_discards")


def read(words: Words, options: Options, top: Map) -> dict[str, Any]:
    """The whole position of a scenario."""
    start = _start(words, top)
    position: dict[str, Any] = {"start": start, "players": {}}
    for seat in words.seats:
        position["players"][seat] = _player(words, options, top["players"], seat, start)
    for pile in PILES:
        if pile in top:
            items = words.items(top[pile], top.at(pile))
            word = words.destiny if pile.startswith("destiny") else words.face
            position[pile] = [word(item, line) for item, line in zip(items, items.lines, strict=True)]
    _check_cards(words, options, top, position)
    return position


# ---- players


def _player(words: Words, options: Options, players: Map, seat: str, start: Mapping[str, Any]) -> dict[str, Any]:
    given = players[seat]
    line = players.at(seat)
    known(words.source, given, PLAYER_KEYS, f"the player {seat}")
    alien = given.get("alien", NO_ALIEN)
    removed = words.number(given.get("removed", 0), given.at("removed"))
    result: dict[str, Any] = {"removed": removed}
    if "hand" in given:
        if given["hand"] is None:
            words.source.fail(given.at("hand"), "write [] for a hand without cards")
        result["hand"] = words.faces(given["hand"], given.at("hand"))
    away = removed + start.get("gate", {}).get(seat, 0) + start.get("side", {}).get(seat, 0)
    result |= _ships(words, options, given, seat, line, away)
    if "tokens" in given:
        result["tokens"] = {_sheet(words, alien, given, "tokens"): _tokens(words, given)}
    if "hoard" in given:
        result["sheets"] = {_sheet(words, alien, given, "hoard"): words.faces(given["hoard"], given.at("hoard"))}
    return result


def _sheet(words: Words, alien: str, given: Map, key: str) -> str:
    if alien == NO_ALIEN:
        words.source.fail(given.at(key), f"{key} lie on a sheet, and this player has none")
    return alien


def _tokens(words: Words, given: Map) -> int:
    return words.number(given["tokens"], given.at("tokens"))


def _ships(words: Words, options: Options, given: Map, seat: str, line: int, away: int) -> dict[str, Any]:
    """Where a player's ships are. Without `home` those not mentioned stand at home; with it, in the warp."""
    total = options.planets * options.ships
    ships: dict[str, int] = {}
    colonies = words.map(given.get("colonies", Map(line)), given.at("colonies"))
    for planet, count in colonies.items():
        words.planet(planet, colonies.at(planet))
        if owner_of(planet) == seat:
            words.source.fail(colonies.at(planet), f"{planet} is a home planet of {seat}; it belongs in home")
        ships[planet] = words.number(count, colonies.at(planet), least=1)
    warp = words.number(given.get("warp", 0), given.at("warp"))
    rest = total - away - warp - sum(ships.values())
    if "home" in given:
        home = _home(words, options, given, seat)
        rest -= sum(home.values())
        if rest > 0 and "warp" not in given:
            warp, rest = rest, 0
        if rest > 0:
            words.source.fail(line, f"{rest} ships of {seat} are missing (of {total})")
    else:
        home = _filled(options, seat, rest)
        rest = min(rest, 0)
    if rest < 0:
        words.source.fail(line, f"{seat} has {-rest} ships too many (of {total})")
    return {"ships": home | ships, "warp": warp}


def _home(words: Words, options: Options, given: Map, seat: str) -> dict[str, int]:
    value, line = given["home"], given.at("home")
    if isinstance(value, Map):
        for planet, count in value.items():
            if words.planet(planet, value.at(planet)) and owner_of(planet) != seat:
                words.source.fail(value.at(planet), f"{planet} is no home planet of {seat}")
            words.number(count, value.at(planet))
        return dict(value)
    items = words.items(value, line)
    if len(items) != options.planets:
        words.source.fail(line, f"home needs {options.planets} numbers, one for each planet of {seat}")
    return {f"{seat}-{i}": words.number(n, line) for i, n in enumerate(items, 1)}


def _filled(options: Options, seat: str, rest: int) -> dict[str, int]:
    """The home planets with what is left: as many as usual on each, less on the later ones of the fullest."""
    home = {f"{seat}-{i}": options.ships for i in range(1, options.planets + 1)}
    for _ in range(options.planets * options.ships - max(rest, 0)):
        fullest = max(home, key=lambda planet: (home[planet], planet))
        home[fullest] -= 1
    return home


# ---- cards


def _check_cards(words: Words, options: Options, top: Map, position: Mapping[str, Any]) -> None:
    """Fails if the position needs a card more often than the deck of this game has it."""
    there = Counter(decks.cosmic(options.artifacts))
    if options.flares:
        there.update(face for face in FACES if face.startswith("flare-"))
    used: Counter[str] = Counter()
    for line, face in _cards_with_lines(top):
        used[face] += 1
        have = there[face]
        if used[face] > have:
            words.source.fail(line, f"the deck of this game has {face} {have or 'no'} times, not {used[face]}")
    destiny = Counter(decks.destiny(words.seats))
    for pile in ("destiny", "destiny_discards"):
        for face in position.get(pile, []):
            destiny[face] -= 1
            if destiny[face] < 0:
                words.source.fail(top.at(pile), f"the destiny deck of this game has no further {face}")


def _cards_with_lines(top: Map) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    holders = [(top["players"][seat], key) for seat in top["players"] for key in ("hand", "hoard")]
    for holder, key in [*holders, (top, "deck"), (top, "discards")]:
        value = holder.get(key)
        if isinstance(value, list):
            found += zip(value.lines, value, strict=True)  # type: ignore[attr-defined]
        elif value is not None:
            found.append((holder.at(key), value))
    return found


def faces_named(top: Map) -> list[str]:
    """All cards that the position names; for the question whether flares are in the game."""
    return [str(face) for _, face in _cards_with_lines(top)]


# ---- the start


def _start(words: Words, top: Map) -> dict[str, Any]:
    line = top.at("start")
    given = words.map(top.get("start", Map(line)), line)
    known(words.source, given, START_KEYS, "start")
    phase = given.get("phase", "regroup")
    if phase not in PHASES:
        words.source.fail(given.at("phase"), f"phase is one of {', '.join(PHASES)}")
    for key in NEEDS.get(phase, ()):
        if key not in given and not (key == "defense" and "target" in given):
            words.source.fail(given.line, f"a start in {phase} needs {key}")
    nth = words.number(given.get("nth", 1), given.at("nth"), least=1)
    offense = words.seat(given.get("offense", words.seats[0]), given.at("offense"))
    start: dict[str, Any] = {"phase": phase, "nth": nth, "offense": offense}
    if phase == "start-turn" and nth > 1:
        words.source.fail(given.at("phase"), "the start of a turn comes before its first encounter only")
    if "target" in given:
        start["target"] = words.planet(given["target"], given.at("target"))
        start["defense"] = owner_of(start["target"])
    for key in ("defense", "system"):
        if key in given:
            start[key] = words.seat(given[key], given.at(key))
    if start.get("defense") == offense:
        words.source.fail(given.line, "the offense cannot be the defense; name another defense")
    return start | _in_the_encounter(words, given, start)


def _in_the_encounter(words: Words, given: Map, start: Mapping[str, Any]) -> dict[str, Any]:
    """The ships on the gate and beside the planet, and who is allied with whom by that."""
    result: dict[str, Any] = {}
    allies: dict[str, str] = {}
    for where, side in (("gate", OFFENSE), ("side", DEFENSE)):
        piles = words.map(given.get(where, Map(given.line)), given.at(where))
        result[where] = {}
        for seat, count in piles.items():
            words.seat(seat, piles.at(seat))
            result[where][seat] = words.number(count, piles.at(seat), least=1)
            if seat not in (start["offense"], start.get("defense")):
                allies[seat] = side
    named = words.map(given.get("allies", Map(given.line)), given.at("allies"))
    for seat, side in named.items():
        words.seat(seat, named.at(seat))
        if side not in SIDES or allies.get(seat, side) != side:
            words.source.fail(named.at(seat), f"{seat} is an ally of the offense or of the defense")
        allies[seat] = side
    return result | {"allies": allies}
