"""A running game becomes the text of a scenario: its position, with nothing played and nothing expected yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cosmic_net.engine.catalog import CATALOG
from cosmic_net.engine.events import Event
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import NO_ALIEN, Options
from cosmic_net.scenario.listening import Log, Stop
from cosmic_net.scenario.parser import NOT_HERE, parse, plain
from cosmic_net.scenario.positions import PHASES

Cards = Mapping[str, Sequence[str]]


def dump(game: Game, title: str = "A position") -> str:
    """The position at the start of the running encounter, with all hands and both decks as they are."""
    number = game.state.encounter.number if game.state.encounter else 0
    then = _back_to(game, number)
    state = then.state
    hands = {seat: [card.face for card in player.hand] for seat, player in state.players.items()}
    sheets = {p.id: [card.face for card in p.cards] for player in state.players.values() for p in player.powers}
    decks = {"deck": state.deck, "destiny": state.destiny_deck}
    return _text(title, then.view(None), hands, sheets, decks)


def dump_view(view: Mapping[str, Any], title: str = "A position") -> str:
    """The position as one player sees it: other hands are left out, and so become random cards.

    A scenario can start in mid-encounter up to the choice of cards. Of a position after that it starts at Planning as
    long as no ship has left the gate, and later than that with the encounter anew.
    """
    own = {view["me"]: [face for _, face in view["hand"]]} if "me" in view else {}
    sheets = {alien: [face for _, face in cards] for alien, cards in view.get("sheets", {}).items()}
    return _text(title, view, own, sheets, {})


def _back_to(game: Game, number: int) -> Game:
    """The same game where this encounter starts; for the first one, where the game starts."""

    def heard(event: Event) -> None:
        if event.kind == "encounter-started" and event.data["number"] == number:
            raise Stop

    then = Game(game.setup, game.seed)
    then.table.events = Log(then.events, heard)
    for entry in game.inputs:
        if then.state.encounter is not None and then.state.encounter.number == number:
            break
        try:
            then.apply(entry)
        except Stop:
            assert then.state.encounter is not None
            then.state.encounter.phase = PHASES[1]  # the start of the turn is over
            break
    return then


def _text(title: str, view: Mapping[str, Any], hands: Cards, sheets: Cards, decks: Cards) -> str:
    lines = [f"title: {title}"]
    if changed := _options(view["options"]):
        lines.append(f"options: {plain(changed)}")
    lines.append("players:")
    for seat in view["seats"]:
        lines += _player(view, seat, hands.get(seat), sheets)
    piles = {
        "deck": decks.get("deck", []),
        "discards": view["discards"],
        "destiny": [face.removeprefix("destiny-") for face in decks.get("destiny", [])],
        "destiny_discards": [face.removeprefix("destiny-") for face in view["destiny"]["discards"]],
    }
    lines += [f"{name}: {plain(list(pile))}" for name, pile in piles.items() if pile]
    if not _in_place(view):
        lines.append("# Ships of the encounter were on their way; they are in the warp, and the encounter starts anew.")
    lines += [f"start: {plain(_start(view))}", "play: []", "expect: {}", ""]
    text = "\n".join(lines)
    scenario = parse(text, "position")
    game = Game(scenario.setup, scenario.shuffle)
    first = next((d.bounds.get("window", d.topic) for d in game.pending), "encounter")
    return f"{text}until: {first}\n"


def _options(options: Mapping[str, Any]) -> dict[str, Any]:
    usual = Options().to_data() | {"flares": None}
    return {name: value for name, value in options.items() if name not in NOT_HERE and value != usual.get(name)}


def _player(view: Mapping[str, Any], seat: str, hand: Sequence[str] | None, sheets: Cards) -> Iterator[str]:
    player = view["players"][seat]
    powers = player["powers"]
    ships = {planet: there[seat] for planet, there in view["planets"].items() if there.get(seat)}
    home = {planet: ships.get(planet, 0) for planet in view["planets"] if planet.startswith(f"{seat}-")}
    entry: dict[str, Any] = {"alien": powers[0]["alien"] if powers else NO_ALIEN}
    if hand is not None:
        entry["hand"] = list(hand)
    entry["home"] = list(home.values())
    if away := {planet: count for planet, count in ships.items() if planet not in home}:
        entry["colonies"] = away
    if _in_place(view):
        entry["warp"] = player["warp"]
    if player["removed"]:
        entry["removed"] = player["removed"]
    for power in powers[:1]:
        entry |= _sheet(power, sheets)
    yield f"  {seat}: {plain(entry)}"
    for power in powers[1:]:
        yield f"  # {seat} has a second sheet as well: {power['alien']}"


def _sheet(power: Mapping[str, Any], sheets: Cards) -> dict[str, Any]:
    """What lies on a sheet; said also when it is nothing, if the sheet would be set up again otherwise."""
    alien = CATALOG.aliens[power["alien"]]
    entry: dict[str, Any] = {}
    if power["tokens"] or alien.sheet.setup:
        entry["tokens"] = power["tokens"]
    if on_sheet := sheets.get(power["alien"]):
        entry["hoard"] = list(on_sheet)
    return entry


def _in_place(view: Mapping[str, Any]) -> bool:
    """Whether all ships are where a scenario can put them."""
    enc = view["encounter"]
    in_the_air = any(player["lifted"] for player in view["players"].values())
    early = enc is None or enc["phase"] in PHASES
    return not in_the_air and (early or (enc["phase"] == "reveal" and enc["offense"] in enc["gate"]))


def _start(view: Mapping[str, Any]) -> dict[str, Any]:
    enc = view["encounter"]
    if enc is None:
        return {"offense": view["seats"][0], "phase": "start-turn"}
    if not _in_place(view):
        return {"offense": enc["offense"], "phase": "regroup", "nth": enc["nth"]}
    phase = enc["phase"] if enc["phase"] in PHASES else PHASES[-1]
    start = {"offense": enc["offense"], "phase": phase, "nth": enc["nth"]}
    if PHASES.index(phase) >= PHASES.index("launch"):
        start |= {key: enc[key] for key in ("defense", "system", "target") if enc[key]}
    start |= {key: dict(enc[key]) for key in ("gate", "side", "allies") if enc[key]}
    return start
