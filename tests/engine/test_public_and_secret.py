"""What is public and what is secret (section 10 of the rules), looked up in what players are told.

That nothing else gives a secret away is tried on whole games in `tests/properties`.
"""

from __future__ import annotations

from typing import Any

import pytest

from cosmic_net.bots.agent import Agent
from cosmic_net.bots.chance import Chance
from cosmic_net.engine.events import Event
from cosmic_net.engine.game import Game
from cosmic_net.scenario import parse

POSITION = """\
title: A position
players:
  red:    {alien: tick-tock, tokens: 7, hand: [attack-20, negotiate, attack-06], colonies: {green-1: 2}, warp: 1}
  blue:   {alien: miser, hand: [negotiate, morph], hoard: [attack-40, attack-30]}
  green:  {hand: [attack-08]}
discards: [attack-04, plague, attack-05]
destiny_discards: [green, wild]
start: {offense: red, phase: planning, target: blue-1, gate: {red: 2}}
play: []
expect: {}
"""


@pytest.fixture
def game() -> Game:
    """The position, when both are to select."""
    game = Game(parse(POSITION, "position.yaml").setup, bytes(32))
    wait_for(game, "select")
    return game


def wait_for(game: Game, topic: str) -> None:
    """Lets windows close, and the defense keep its hand, until something else is asked."""
    while game.pending[0].topic != topic:
        assert game.pending[0].kind == "react" or game.pending[0].topic == "new-hand"
        game.close(game.pending[0].group)


def select(game: Game, seat: str, face: str) -> Agent:
    agent = Agent(Chance(bytes(32)), seat.encode())
    decision = next(decision for decision in game.pending if decision.seat == seat)
    card = next(card.id for card in game.state.players[seat].hand if card.face == face)
    game.answer(seat, decision.id, agent.seal(decision.to_data(), card))
    return agent


def reveal(game: Game, agents: dict[str, Agent]) -> None:
    wait_for(game, "open")
    for decision in list(game.pending):
        game.answer(decision.seat, decision.id, agents[decision.seat].open(decision.to_data()))


def words(data: Any) -> set[str]:
    """All texts in plain data."""
    if isinstance(data, str):
        return {data}
    if isinstance(data, dict):
        return {word for key, value in data.items() for word in words(key) | words(value)}
    return {word for item in data for word in words(item)} if isinstance(data, list | tuple) else set()


def test_everybody_sees_numbers_ships_sheets_tokens_and_piles(game):
    """I01."""
    seen = game.view(None)
    assert {seat: player["hand"] for seat, player in seen["players"].items()} == {"red": 3, "blue": 2, "green": 1}
    assert {seat: player["warp"] for seat, player in seen["players"].items()} == {"red": 1, "blue": 0, "green": 0}
    assert {seat: player["foreign"] for seat, player in seen["players"].items()} == {"red": 1, "blue": 0, "green": 0}
    assert seen["planets"]["green-1"] == {"green": 4, "red": 2}
    assert seen["encounter"]["gate"] == {"red": 2}
    sheets = {seat: [power["alien"] for power in player["powers"]] for seat, player in seen["players"].items()}
    assert sheets == {"red": ["tick-tock"], "blue": ["miser"], "green": []}
    assert seen["players"]["red"]["powers"][0]["tokens"] == 7
    assert seen["players"]["blue"]["powers"][0]["cards"] == 2
    assert seen["deck"] == len(game.state.deck)
    assert seen["destiny"]["deck"] == 14 - 2


def test_everybody_may_look_through_the_discards_in_their_order(game):
    """I02."""
    for seat in (None, "red", "blue", "green"):
        assert game.view(seat)["discards"] == ["attack-04", "plague", "attack-05"]
        assert game.view(seat)["destiny"]["discards"] == ["destiny-green", "destiny-wild"]


@pytest.mark.parametrize("seat", [None, "green"])
def test_hands_sheets_and_selected_cards_are_secret(game, seat):
    """I03: nobody else finds the faces anywhere in what he is told."""
    red = select(game, "red", "attack-20")
    blue = select(game, "blue", "morph")
    assert game.view(seat)["encounter"]["cards"] == {"offense": "sealed", "defense": "sealed"}
    told = words(game.view(seat)) | words([event.seen_by(seat) for event in game.events])
    assert not told & {"attack-20", "morph", "negotiate", "attack-06", "attack-40", "attack-30"}
    assert words(game.view("red")["hand"]) >= {"attack-20", "negotiate", "attack-06"}
    reveal(game, {"red": red, "blue": blue})
    assert game.view(seat)["encounter"]["cards"]["offense"] == "attack-20"


def test_the_order_of_decks_is_secret(game):
    """I03: of the decks nobody is told more than how many cards they have."""
    for seat in (None, "red", "blue", "green"):
        assert game.view(seat)["deck"] == 72 - 3 - 6 - 2
        assert isinstance(game.view(seat)["destiny"]["deck"], int)


def test_the_id_of_an_opened_card_does_not_tell_when_it_came(game):
    """Nobody can foresee an id, so it links no opened card to a gift, a draw or a trade that others did not see."""
    other = Game(game.setup, bytes([1]) * 32)
    ids = [[card.id for player in each.state.players.values() for card in player.hand] for each in (game, other)]
    assert not set(ids[0]) & set(ids[1])
    assert ids[0] != sorted(ids[0])


def test_a_card_taken_at_random_is_seen_by_the_two_concerned(game):
    """I06."""
    red, blue = select(game, "red", "attack-06"), select(game, "blue", "negotiate")
    reveal(game, {"red": red, "blue": blue})
    while not (passed := [event for event in game.events if event.kind == "cards-passed"]):
        game.close(game.pending[0].group)
    (event,) = passed
    assert (event.data["seat"], event.data["taker"], event.data["count"]) == ("red", "blue", 2)
    for concerned in ("red", "blue"):
        assert sorted(seen(event, concerned)["cards"]) == ["attack-20", "negotiate"]
    for other in (None, "green"):
        assert "cards" not in seen(event, other)


def seen(event: Event, seat: str | None) -> dict[str, Any]:
    fields = event.seen_by(seat)
    assert fields is not None
    return fields
