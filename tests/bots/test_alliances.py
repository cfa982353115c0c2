"""Invitations and alliances of the sensible bot, in positions made for it."""

from __future__ import annotations

from typing import Any

from tests.bots.tables import asked, decide, homes, position

ALL = ("green", "yellow")
FOUR_FOR_RED = homes("red", "blue-2", "blue-3", "green-1", "green-2")
FOUR_FOR_GREEN = homes("green", "blue-2", "blue-3", "red-1", "red-2")


def at_alliance(players: dict[str, Any]) -> Any:
    start = {"offense": "red", "phase": "alliance", "defense": "blue", "target": "blue-1", "gate": {"red": 4}}
    return position(players, start)


def test_nobody_joins_an_offense_that_would_win_the_game() -> None:
    game = at_alliance({"red": {"ships": FOUR_FOR_RED}})
    for seat in ALL:
        question = asked(game, "ally", seat, {("red", "invite"): list(ALL), ("blue", "invite"): []})
        for number in range(5):
            assert decide(game, question, number) == ["decline"]
        game.answer(seat, question.id, ["decline"])


def test_an_offense_that_would_win_the_game_meets_all_others_on_the_other_side() -> None:
    game = at_alliance({"red": {"ships": FOUR_FOR_RED}})
    invited = asked(game, "invite", "blue")
    assert decide(game, invited) == ["green", "yellow"]
    for seat in ALL:
        question = asked(game, "ally", seat, {("red", "invite"): list(ALL), ("blue", "invite"): list(ALL)})
        assert decide(game, question) == ["defense"]
        game.answer(seat, question.id, ["defense"])


def test_nobody_joins_an_ally_who_would_win_the_game() -> None:
    game = at_alliance({"green": {"ships": FOUR_FOR_GREEN}})
    answers = {("red", "invite"): list(ALL), ("blue", "invite"): [], ("green", "ally"): ["offense"]}
    question = asked(game, "ally", "yellow", answers)
    assert decide(game, question) == ["decline"]


def test_the_offense_does_not_invite_who_would_win_by_it() -> None:
    game = at_alliance({"green": {"ships": FOUR_FOR_GREEN}, "red": {"hand": ["attack-08"]}})
    assert "green" not in decide(game, asked(game, "invite", "red"))


def test_a_player_joins_the_offense_to_win_together_with_it() -> None:
    game = at_alliance({"red": {"ships": FOUR_FOR_RED}, "green": {"ships": FOUR_FOR_GREEN}})
    question = asked(game, "ally", "green", {("red", "invite"): list(ALL), ("blue", "invite"): list(ALL)})
    assert decide(game, question) == ["offense"]


def test_an_ally_keeps_its_colonies() -> None:
    ships = {"green-1": 1, "green-2": 1, "green-3": 1, "green-4": 3, "green-5": 2, "red-1": 1}
    game = at_alliance({"green": {"ships": ships}})
    answers = {("red", "invite"): list(ALL), ("blue", "invite"): list(ALL), ("green", "ally"): ["offense"]}
    sent = decide(game, asked(game, "ships", "green", answers))
    assert sent
    assert all(count < ships[planet] for planet, count in sent.items())


def test_a_player_without_a_ship_to_spare_stays_out() -> None:
    ships = {"green-1": 1, "green-2": 1, "green-3": 1}
    game = at_alliance({"green": {"ships": ships}})
    question = asked(game, "ally", "green", {("red", "invite"): list(ALL), ("blue", "invite"): []})
    assert decide(game, question) == ["decline"]
