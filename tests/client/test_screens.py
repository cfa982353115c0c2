"""What is on the screen at 80 columns, held as text: board, reveal, deal, lobby, status, questions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from client.game.told import Told
from client.show import board, lobby, lookup, status
from client.show.explain import PHASES, Explainer
from client.show.story import Story
from client.show.style import Style, cut, in_columns, pad, uncoloured, width, wrap
from client.show.words import Cast, sorted_cards
from protocol import messages as m
from tests.client import decisions as d
from tests.client.games import NAMES
from tests.client.golden import FOLDER, same

PLAIN = Style()
LETTERS = Style(shapes=False)
COLOURS = Style(colour=True)


def told(view: dict[str, Any]) -> Told:
    known = Told(lambda note: None, lambda: None)
    known.name_of = lambda seat: NAMES.get(seat, seat)  # type: ignore[method-assign]
    known.view = view
    return known


def in_mid_encounter() -> dict[str, Any]:
    """What Ana saw of a game in the planning of its fifth encounter."""
    view: dict[str, Any] = json.loads((FOLDER / "view.json").read_text(encoding="utf-8"))
    return view


def whole_story(style: Style, *, explain: bool = False) -> list[str]:
    """A game's first encounters, as they were told to Ana."""
    story = Story(told({"seats": list(NAMES)}), style, Explainer(explain))
    events = json.loads((FOLDER / "events.json").read_text(encoding="utf-8"))
    lines = []
    for event in events:
        sealed = {"commitment": b"\x01\x02" * 16} if event["kind"] == "card-sealed" else {}
        lines += story.event(event | sealed)
    return lines


def test_the_board() -> None:
    same("board", board.board(Cast(NAMES, PLAIN, "red"), in_mid_encounter()))


def test_the_board_in_letters() -> None:
    lines = board.board(Cast(NAMES, LETTERS, "red"), in_mid_encounter())
    same("board-letters", lines)
    assert "\n".join(lines).isascii()


def test_the_board_of_five_players_on_one_planet_fits() -> None:
    view = in_mid_encounter()
    view["planets"]["red-1"] = {"red": 4, "blue": 12, "green": 3, "yellow": 1}
    view["players"]["blue"] |= {"lost": True, "home": 1}
    same("board-crowded", board.board(Cast(NAMES | {"blue": "Wolfeschlegelsteinhausen"}, PLAIN), view))


def test_the_story_of_some_encounters() -> None:
    same("story", whole_story(PLAIN))


def test_the_story_explained() -> None:
    same("story-explained", whole_story(PLAIN, explain=True))


def test_no_colour_is_needed_and_colours_change_nothing_else() -> None:
    coloured = whole_story(COLOURS)
    assert any("\x1b[" in line for line in coloured)
    assert [uncoloured(line) for line in coloured] == whole_story(PLAIN)


def test_each_phase_is_explained_once_until_told_to_stop() -> None:
    explainer = Explainer(True)
    assert all(explainer.line(phase) for phase in PHASES)
    assert not any(explainer.line(phase) for phase in PHASES)
    assert Explainer(False).line("launch") == ""


def test_the_sums_of_a_reveal_can_be_checked() -> None:
    view = d.VIEW | {
        "seats": list(NAMES),
        "encounter": {
            **d.VIEW["encounter"],
            "kinds": {"offense": "attack", "defense": "attack"},
            "values": {"offense": 15, "defense": 8},
            "cards": {"offense": "attack-15", "defense": "attack-08"},
            "additions": {"offense": 0, "defense": 5},
            "side": {"yellow": 2},
        },
    }
    known = told(view)
    story = Story(known, PLAIN)
    began = {"n": 1, "kind": "encounter-started", "phase": "regroup", "number": 3, "offense": "red", "nth": 1}
    lines = story.event(began)
    lines += story.event({"n": 2, "kind": "defense-determined", "phase": "destiny", "seat": "blue"})
    cards = {"offense": "attack-15", "defense": "attack-08"}
    lines += story.event({"n": 3, "kind": "cards-revealed", "phase": "reveal", "cards": cards})
    parts = {
        "offense": {"card": 15, "ships": {"red": 4, "green": 2}, "added": 0, "total": 21},
        "defense": {"card": 8, "ships": {"blue": 4, "yellow": 2}, "added": 5, "total": 19},
    }
    lines += story.event({"n": 4, "kind": "totals", "phase": "reveal", "parts": parts})
    outcome = {"result": "offense", "offense": "red", "defense": "blue", "target": "blue-3", "margin": 2}
    lines += story.event({"n": 5, "kind": "outcome", "phase": "reveal", **outcome})
    same("reveal", lines)


def test_totals_that_powers_have_changed_are_told_again() -> None:
    story = Story(told({"seats": list(NAMES)}), PLAIN)
    story.event({"n": 1, "kind": "encounter-started", "phase": "regroup", "number": 3, "offense": "red", "nth": 2})
    story.event({"n": 2, "kind": "defense-determined", "phase": "destiny", "seat": "blue"})
    story.event({"n": 3, "kind": "cards-revealed", "cards": {"offense": "attack-15", "defense": "attack-08"}})
    parts = {
        "offense": {"card": 51, "ships": {"red": -4}, "added": 0, "total": 47},
        "defense": {"card": 8, "ships": {"blue": 16}, "added": 0, "total": 24},
    }
    lines = story.event({"n": 4, "kind": "totals", "phase": "reveal", "parts": parts})
    assert lines == [
        "    ▲ Ana  Attack 15 (counts 51) - 4 ships  = 47",
        "    ● Ben  Attack 08 + 16 ships             = 24",
    ]


def test_the_questions() -> None:
    zap = d.option("cosmic-zap", "play {card}", card="cosmic-zap")
    odds = "ships 4 + 2 to 4; of the 37 attacks not discarded 21 beat 08, 3 beat 30"
    lines = []
    for decision in (
        d.aim(), d.invite(), d.ally(), d.ships(), d.cards(), d.react(zap), d.react(),
        d.deal(offers=[d.their_offer()]),
    ):  # fmt: skip
        lines += [*d.ask(decision).lines(), ""]
    same("questions", [*lines, *d.ask(d.seal(), odds=odds).lines()])


def table(**changes: Any) -> m.Table:
    seats = [
        m.SeatInfo(seat="red", name="Ana", owner=True, presence="here"),
        m.SeatInfo(seat="blue", name="Ben", ready=True, presence="here"),
        m.SeatInfo(seat="green", name="Cy", presence="away"),
        m.SeatInfo(seat="yellow"),
        m.SeatInfo(seat="purple", name="Procyon", bot=True, ready=True, presence="here"),
    ]
    fields: dict[str, Any] = {
        "name": "Friday", "phase": "lobby", "seats": seats, "watchers": ["Zoë"], "clocks": m.Clocks(),
        "options": {"planets": 5, "goal": None, "flares": True, "aliens": "flares", "alert": "red", "ask": "all"},
    }  # fmt: skip
    return m.Table(**(fields | changes))


def test_the_lobby() -> None:
    cast, you = Cast({**NAMES, "purple": "Procyon"}, PLAIN), m.You(seat="blue")
    lines = lobby.table(cast, table(), you)
    same("lobby", [*lines, "", lobby.toolbar(cast, table(), you)])


def test_what_changes_in_the_lobby_is_told_in_sentences() -> None:
    old = table()
    seats = [
        m.SeatInfo(seat="red", name="Ana", owner=True, presence="here"),
        m.SeatInfo(seat="blue", name="Ben", presence="here"),
        m.SeatInfo(seat="green"),
        m.SeatInfo(seat="yellow", name="Dee", presence="here"),
        m.SeatInfo(seat="purple", name="Procyon", bot=True, ready=True, presence="here"),
    ]
    new = table(seats=seats, options=dict(old.options, planets=4))
    assert lobby.changes(Cast(NAMES, PLAIN), old, new) == [
        "● Ben is not ready any more.",
        "■ Cy has left the seat.",
        "◆ Dee sits down.",
        "The options are now: 4 planets, 4 foreign colonies win, flares on, aliens by two flares.",
    ]


def test_who_changes_his_seat_is_told_of_once() -> None:
    old = table()
    blue, yellow = (next(one for one in old.seats if one.seat == seat) for seat in ("blue", "yellow"))
    moved = {"blue": m.SeatInfo(seat="blue"), "yellow": m.SeatInfo(seat="yellow", name=blue.name, presence="here")}
    new = table(seats=[moved.get(one.seat, one) for one in old.seats])
    assert not yellow.name
    assert lobby.changes(Cast(NAMES, PLAIN), old, new) == ["Ben sits at ◆ yellow now."]


def test_a_running_game_has_no_open_seats() -> None:
    cast, you = Cast(NAMES, PLAIN), m.You(seat="blue")
    assert any("open (yellow)" in line for line in lobby.table(cast, table(), you))
    assert not any("open" in line.partition("clocks")[0] for line in lobby.table(cast, table(phase="playing"), you))


def test_who_leaves_and_whose_connection_is_cut_is_told_apart() -> None:
    cast = Cast(NAMES, PLAIN)
    assert lobby.presence(cast, "blue", "gone") == "Ben has left."
    assert lobby.presence(cast, "blue", "away") == "Ben's connection is gone."


def test_without_a_connection_the_status_says_so_and_not_who_is_awaited() -> None:
    cast = Cast(NAMES, PLAIN, "red")
    assert "waiting for" not in status.awaited(cast, told(in_mid_encounter()), connected=False)
    assert "no connection; trying again" in status.awaited(cast, told(in_mid_encounter()), connected=False)
    assert lobby.toolbar(cast, table(), m.You(seat="red"), connected=False) == "lobby · no connection; trying again"


def test_the_status_says_what_is_awaited_and_of_whom() -> None:
    view = in_mid_encounter()
    known = told(view)
    cast = Cast(NAMES, PLAIN, "red")
    same("status", [status.colonies(cast, view), status.awaited(cast, known)])
    window = {"kind": "react", "topic": "window", "window": "after-reveal", "group": 1, "timer": 1}
    view["waiting"] = [{"seat": seat, **window} for seat in NAMES]
    assert "after reveal: 4 players" in status.awaited(cast, known)
    view["waiting"] = [{"seat": "blue", "kind": "seal", "topic": "select", "group": 1, "timer": 1}]
    assert "waiting for Ben (an encounter card)" in status.awaited(cast, known)
    view["waiting"] = []
    assert "waiting for nobody" in status.awaited(cast, known)


@pytest.mark.parametrize("columns", [40, 60, 80, 120, 160])
def test_the_status_fits_whatever_the_names(columns: int) -> None:
    view = in_mid_encounter()
    names = dict.fromkeys(NAMES, "Wolfeschlegelsteinhausen")
    style = PLAIN.at(columns)
    assert width(status.colonies(Cast(names, style, "red"), view)) <= columns


def test_a_hand_is_sorted_and_numbered() -> None:
    cards = sorted_cards([[9, "flare-zombie"], [4, "negotiate"], [2, "attack-30"], [7, "attack-08"], [1, "morph"]])
    lines = board.hand(Cast(NAMES, PLAIN), cards, {2})
    assert lines == [
        "  1 Attack 08            2 Attack 30 (sealed)   3 Negotiate",
        "  4 Morph                5 Zombie flare",
    ]


def test_looking_up_says_what_the_sheets_say() -> None:
    text = " ".join(lookup.look_up("zomb", PLAIN))
    assert "Zombie" in text
    assert "wild" in text
    assert "super" in text
    assert "Cosmic Zap" in " ".join(lookup.look_up("cosmic zap", PLAIN))
    assert lookup.card("flare-zombie", PLAIN) == lookup.look_up("zombie", PLAIN)
    assert "third" not in " ".join(lookup.card("attack-08", PLAIN))


def test_texts_are_measured_cut_and_broken_by_columns() -> None:
    assert width("\x1b[31m▲\x1b[0m 漢字") == 6
    assert pad("漢", 4) == "漢  "
    assert cut("Wolfeschlegel", 5) == "Wolf…"
    assert wrap("one two three", 8, "  ", "") == ["one two", "  three"]
    assert in_columns(["a", "b", "c"], 14) == ["  a   b   c"]
