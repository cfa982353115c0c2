"""Which encounter card the sensible bot plays."""

from __future__ import annotations

from typing import Any

from cosmic_net.bots import make
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.options import Options
from tests.bots.tables import asked, decide, homes, position

ORACLE = Options(aliens="fixed", fixed={"red": "oracle"}, flares=False, artifacts=False)


def chosen(players: dict[str, Any], seat: str = "red", options: Options | None = None, number: int = 1) -> str:
    start = {"offense": "red", "phase": "planning", "defense": "blue", "target": "blue-1", "gate": {"red": 4}}
    game = position(players, start, options or Options(aliens="fixed", flares=False, artifacts=False))
    question = asked(game, "select", seat)
    answer = decide(game, question, number)
    return str(next(face for card, face in question.bounds["cards"] if card == answer))


def test_against_an_open_card_it_plays_the_lowest_that_wins() -> None:
    red = {"hand": ["attack-04", "attack-15", "attack-20", "attack-40"]}
    blue = {"hand": ["attack-10"]}
    assert chosen({"red": red, "blue": blue}, options=ORACLE) == "attack-15"


def test_against_an_open_card_that_it_cannot_beat_it_keeps_its_good_ones() -> None:
    red = {"hand": ["attack-04", "attack-15", "attack-20"]}
    blue = {"hand": ["attack-40"]}
    assert chosen({"red": red, "blue": blue}, options=ORACLE) == "attack-04"


def test_with_the_game_at_stake_it_plays_its_best_card() -> None:
    red = {"ships": homes("red", "blue-2", "blue-3", "green-1", "green-2"), "hand": ["negotiate", "attack-08"]}
    blue = {"hand": ["attack-06", "attack-12", "attack-23", "negotiate"]}
    for number in range(8):
        assert chosen({"red": red, "blue": blue}, "red", number=number) == "attack-08"
        assert chosen({"red": red, "blue": blue}, "blue", number=number) == "attack-23"


def test_with_a_hopeless_hand_it_negotiates() -> None:
    blue = {"ships": {"blue-1": 4, "blue-2": 4, "blue-3": 4, "blue-4": 4}, "hand": ["attack-00", "negotiate"]}
    red = {"hand": ["attack-08"] * 3}
    assert sum(chosen({"red": red, "blue": blue}, "blue", number=n) == "negotiate" for n in range(20)) >= 15


def test_equal_hands_do_not_always_play_the_same_card() -> None:
    red = {"hand": ["attack-12", "attack-13", "attack-14", "attack-15"]}
    assert len({chosen({"red": red}, number=number) for number in range(30)}) > 1


def test_the_card_on_the_table_is_not_given_away() -> None:
    start = {"offense": "red", "phase": "planning", "defense": "blue", "target": "blue-1", "gate": {"red": 4}}
    game = position({"red": {"hand": ["attack-04", "attack-10"]}}, start)
    bot, question = make("sensible", b"seed"), asked(game, "select", "red")
    held = question.bounds["cards"]
    sealed = bot.decide(game.view("red"), question.to_data())
    give = Decision(90, 90, "red", "cards", "give", "Which?", {"cards": held, "min": 1, "max": 1}, [held[0][0]])
    assert bot.decide(game.view("red"), give.to_data()) == [card for card, _ in held if card != sealed]
