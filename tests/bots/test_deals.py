"""Bargaining: deals between bots succeed, and none of them hands the game to somebody else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from cosmic_net.bots.table import step
from cosmic_net.engine.game import Game
from tests.bots.tables import agents, asked, decide, homes, position

NEAR_RED = homes("red", "green-1", "green-2", "green-3", "green-4")
NEAR_BLUE = homes("blue", "green-1", "green-2", "green-3", "green-4")
TALKERS = {"red": {"hand": ["negotiate"] * 3}, "blue": {"hand": ["negotiate"] * 3}}


def at_planning(changes: Mapping[str, Mapping[str, Any]]) -> Game:
    players = {seat: dict(player) | dict(changes.get(seat, {})) for seat, player in TALKERS.items()}
    players |= {seat: dict(changes[seat]) for seat in changes if seat not in players}
    start = {"offense": "red", "phase": "planning", "defense": "blue", "target": "blue-1", "gate": {"red": 4}}
    return position(players, start)


def finish(game: Game, number: int) -> dict[str, Any]:
    """Plays the encounter to its end; returns the terms that were agreed (empty if none)."""
    bots = agents(game.setup.seats, number)
    while not game.over and not any(event.kind == "deal-done" or _failed(event) for event in game.events):
        step(game, bots)
    agreed = [event.data["terms"] for event in game.events if event.kind == "deal-agreed"]
    return dict(agreed[-1]) if agreed else {}


def _failed(event: Any) -> bool:
    return event.kind in ("deal-refused", "deal-timeout", "turn-ended")


@pytest.mark.parametrize("number", range(8))
def test_two_bots_trade_a_colony_for_a_colony(number: int) -> None:
    terms = finish(at_planning({}), number)
    assert "colony" in terms["red"]
    assert "colony" in terms["blue"]


@pytest.mark.parametrize("number", range(8))
def test_a_colony_that_wins_is_not_given_away(number: int) -> None:
    terms = finish(at_planning({"red": {"ships": NEAR_RED}}), number)
    assert "colony" not in terms.get("blue", {})


@pytest.mark.parametrize("number", range(8))
def test_a_trade_in_which_both_win_is_made_at_once(number: int) -> None:
    game = at_planning({"red": {"ships": NEAR_RED}, "blue": {"ships": NEAR_BLUE}})
    finish(game, number)
    while not game.over:
        step(game, agents(game.setup.seats, number))
    assert game.winners == ["red", "blue"]


def test_it_takes_a_colony_that_is_offered_for_nothing() -> None:
    game = at_planning({})
    question = asked(game, "deal", "blue")
    other = next(decision for decision in game.pending if decision.seat == "red")
    game.answer("red", other.id, {"offer": {"red": {"colony": "red-1"}, "blue": {}}})
    question = asked(game, "deal", "blue")
    assert decide(game, question) == {"accept": other.id}


def test_it_answers_a_shameless_offer_with_another() -> None:
    game = at_planning({})
    asked(game, "deal", "blue")
    other = next(decision for decision in game.pending if decision.seat == "red")
    game.answer("red", other.id, {"offer": {"red": {}, "blue": {"colony": "blue-2", "random": 2}}})
    answer = decide(game, asked(game, "deal", "blue"))
    assert set(answer) == {"offer"}


def test_it_waits_while_the_other_thinks_about_its_offer() -> None:
    game = at_planning({})
    question = asked(game, "deal", "red")
    game.answer("red", question.id, decide(game, question))
    assert decide(game, asked(game, "deal", "red")) is None


def test_it_gives_up_with_somebody_who_never_moves() -> None:
    game = at_planning({})
    shameless = {"offer": {"red": {}, "blue": {"colony": "blue-2", "random": 2}}}
    for _ in range(30):
        game.answer("red", asked(game, "deal", "red").id, shameless)
        answer = decide(game, asked(game, "deal", "blue"))
        if "refuse" in answer:
            return
        game.answer("blue", asked(game, "deal", "blue").id, answer)
    raise AssertionError("it talks for ever")


def test_it_offers_only_cards_that_it_holds() -> None:
    for number in range(10):
        game = at_planning({"red": {"ships": homes("red", *(f"blue-{i}" for i in range(1, 4)))}})
        question = asked(game, "deal", "red")
        gift = decide(game, question, number)["offer"]["red"]
        held = [face for _, face in question.bounds["my_cards"]]
        assert gift.get("choice", 0) + gift.get("random", 0) + len(gift.get("faces", [])) <= len(held)
        assert all(face in held for face in gift.get("faces", []))
