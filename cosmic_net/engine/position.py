"""Positions: a game that starts in the middle, for scenarios.

A position is plain data; what it does not say is filled in legally: the rest of the decks is shuffled, a player
without `hand` gets eight cards of that rest, and a sheet of which neither cards nor tokens are given is set up.

    {"players": {"red": {"hand": ["attack-08"], "ships": {"red-1": 4}, "warp": 0, "removed": 0,
                         "sheets": {ALIEN: ["morph"]}, "tokens": {ALIEN: 3}}},
     "deck": [faces, top first], "discards": [faces, top last], "destiny": [faces, top first],
     "destiny_discards": [faces],
     "start": {"offense": "red", "phase": "planning", "nth": 1, "defense": "blue", "target": "blue-1",
               "gate": {"red": 4}, "side": {}, "allies": {"green": "offense"}}}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cosmic_net.cards import decks, faces
from cosmic_net.engine import hands
from cosmic_net.engine.drawing import HAND_SIZE
from cosmic_net.engine.options import BadSetup
from cosmic_net.engine.state import Card, Power, owner_of

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def place(t: Table, position: Mapping[str, Any]) -> None:
    """Sets the state to a position. Raises BadSetup if it needs cards or ships that the game does not have."""
    for seat in t.state.seats:
        _place_player(t, seat, position.get("players", {}).get(seat, {}))
    t.state.discards = list(position.get("discards", []))
    _place_deck(t, list(position.get("deck", [])))
    _place_destiny(t, position)
    for player in t.state.players.values():
        player.power_lost = len(t.homes(player.seat)) < t.state.options.homes_for_power


def first_player(t: Table) -> str:
    """Who has the turn in which the position stands."""
    start = (t.setup.position or {}).get("start", {})
    return str(start.get("offense", t.state.seats[0]))


def start_of(t: Table) -> dict[str, Any]:
    """Where in a turn the game starts; empty for an ordinary game."""
    return dict((t.setup.position or {}).get("start", {}))


def encounter(t: Table, start: Mapping[str, Any]) -> None:
    """Puts the first encounter where the position has it; ships on the gate and beside the planet come on top."""
    enc = t.enc
    enc.defense = start.get("defense")
    enc.target = start.get("target")
    enc.system = start.get("system") or (owner_of(enc.target) if enc.target else enc.defense)
    for where, pile in (("gate", enc.gate), ("side", enc.side)):
        for seat, count in start.get(where, {}).items():
            pile[seat] = count
    for seat, side in start.get("allies", {}).items():
        enc.allies[seat] = side
        enc.has_allied.add(seat)
        enc.invited[side].append(seat)


def _place_player(t: Table, seat: str, wanted: Mapping[str, Any]) -> None:
    player = t.player(seat)
    if "ships" in wanted:
        for ships in t.state.planets.values():
            ships.pop(seat, None)
        for planet, count in wanted["ships"].items():
            if planet not in t.state.planets:
                raise BadSetup(f"there is no planet {planet}")
            if count:
                t.state.planets[planet][seat] = count
        t.board.look_at(seat)
    player.warp = wanted.get("warp", 0)
    player.removed = wanted.get("removed", 0)
    hands.put_in(t, seat, wanted.get("hand") or [])
    for alien, on_sheet in wanted.get("sheets", {}).items():
        power = t.power_of(seat, alien)
        if power is None:
            raise BadSetup(f"{seat} has no sheet of {alien}")
        power.cards = [Card(t.card_id(), face) for face in on_sheet]
    for alien, count in wanted.get("tokens", {}).items():
        power = t.power_of(seat, alien)
        if power is None:
            raise BadSetup(f"{seat} has no sheet of {alien}")
        power.tokens = count


def _place_deck(t: Table, top: list[str]) -> None:
    """The deck: the named cards on top, below them all cards that are nowhere else, shuffled."""
    options = t.state.options
    placed = top + t.state.discards
    for player in t.state.players.values():
        placed += [card.face for card in player.hand]
        placed += [card.face for power in player.powers for card in power.cards]
    rest = decks.cosmic(options.artifacts)
    if options.flares:
        rest += [faces.flare_of(alien) for alien in _flares(t, placed)]
    for face in placed:
        if face not in rest:
            raise BadSetup(f"the deck of this game has no (further) {face}")
        rest.remove(face)
    t.rng.shuffle(rest)
    players = (t.setup.position or {}).get("players", {})
    for seat in t.state.seats:
        if players.get(seat, {}).get("hand") is None:
            dealt, rest = rest[:HAND_SIZE], rest[HAND_SIZE:]
            hands.put_in(t, seat, dealt)
    t.state.deck = top + rest


def has_sheet_laid(t: Table, seat: str, power: Power) -> bool:
    """Whether the position says what lies on a sheet, so that its Game Setup is over."""
    wanted = ((t.setup.position or {}).get("players", {})).get(seat, {})
    return power.id in wanted.get("sheets", {}) or power.id in wanted.get("tokens", {})


def _flares(t: Table, placed: list[str]) -> list[str]:
    """The ten flares of this game: those named in the position, those of the aliens in play, others at random."""
    named = [face.removeprefix("flare-") for face in placed if face.startswith("flare-")]
    in_play = [power.id for player in t.state.players.values() for power in player.powers]
    others = [alien for alien in t.state.pool if alien not in named and alien not in in_play]
    t.rng.shuffle(others)
    wanted = list(dict.fromkeys(named + in_play)) + others
    return wanted[: max(decks.FLARES_IN_DECK, len(named))]


def _place_destiny(t: Table, position: Mapping[str, Any]) -> None:
    top = list(position.get("destiny", []))
    t.state.destiny_discards = list(position.get("destiny_discards", []))
    rest = decks.destiny(t.state.seats)
    for face in top + t.state.destiny_discards:
        if face not in rest:
            raise BadSetup(f"the destiny deck of this game has no (further) {face}")
        rest.remove(face)
    t.rng.shuffle(rest)
    t.state.destiny_deck = top + rest
