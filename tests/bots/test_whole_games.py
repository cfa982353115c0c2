"""Whole games of bots: every answer is legal, every game ends soon, and thinking beats chance."""

from __future__ import annotations

import pytest

from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Options
from tests.bots.tables import BARE, digest, play
from tests.support.random_games import assert_conserved, random_setup

FEW = range(16)


@pytest.mark.parametrize("number", FEW)
def test_bots_end_a_game_on_any_table_with_legal_answers(number: int) -> None:
    setup = random_setup(number)
    game = play(setup.options, number, len(setup.seats))
    assert game.winners
    assert game.state.encounters < 100
    assert_conserved(game)


def test_the_same_seeds_make_the_same_game() -> None:
    one, other = play(Options(), 3), play(Options(), 3)
    assert one.inputs == other.inputs


def test_a_game_of_bots_replays_to_itself() -> None:
    game = play(Options(), 5, 5)
    again = Game.replay(game.setup, digest("seed", 5), game.inputs)
    assert again.view(None) == game.view(None)


def test_one_sensible_bot_among_three_that_play_by_chance_wins_most_games() -> None:
    won = 0
    for number in range(24):
        kinds = dict.fromkeys(("red", "blue", "green", "yellow"), "chance")
        me = list(kinds)[number % 4]
        game = play(Options(), number, 4, kinds | {me: "sensible"})
        won += me in game.winners
    assert won >= 13  # a quarter would be 6


@pytest.mark.parametrize("number", range(16))
def test_nobody_helps_another_to_win_without_winning_too(number: int) -> None:
    game = play(BARE, number, 3 + number % 3)
    last = max(i for i, event in enumerate(game.events) if event.kind == "encounter-started")
    winners = set(game.winners)
    assert game.state.encounter is not None
    result = game.state.encounter.result
    for event in game.events[last:]:
        if event.kind == "allied" and event.data["side"] == result == "offense":
            assert event.data["seat"] in winners
        if event.kind == "deal-agreed":
            assert set(event.data["seats"]) <= winners
        if event.kind == "invited" and event.data["side"] == result == "offense":
            assert event.data["seat"] in winners or not winners & set(event.data["seats"])
