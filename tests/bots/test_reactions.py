"""When the sensible bot acts in a window, and that no question at a loss finds it without a legal answer."""

from __future__ import annotations

from typing import Any

import pytest

from cosmic_net.bots import NAMES, make
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Options
from cosmic_net.engine.rng import Rng
from tests.bots.tables import asked, decide, digest, homes, position

ARTIFACTS = Options(aliens="fixed", flares=False)
START = {"offense": "red", "phase": "planning", "defense": "blue", "target": "blue-1", "gate": {"red": 4}}


class Unreadable(dict[str, Any]):
    """A view that must not be looked at."""

    def __getitem__(self, key: str) -> Any:
        raise AssertionError(f"looked at {key}")


def revealed(red: list[str], blue: list[str], more: dict[str, Any] | None = None) -> Game:
    """Red attacks blue with the first card of each hand, and both cards are up."""
    players = {"red": {"hand": red}, "blue": {"hand": blue}}
    for seat, extra in (more or {}).items():
        players[seat] = players.get(seat, {}) | extra
    return position(players, START, ARTIFACTS)


def window(game: Game, seat: str, name: str) -> Decision:
    for _ in range(100):
        question = asked(game, "window", seat)
        if question.bounds["window"] == name:
            return question
        game.answer(seat, question.id, None)
    raise AssertionError(f"no window {name}")


def test_without_anything_to_do_it_passes_without_looking() -> None:
    bot = make("sensible", b"seed")
    assert bot.decide(Unreadable(), {"kind": "react", "actions": [], "id": 1, "topic": "window"}) is None


def test_it_reinforces_when_that_turns_the_result() -> None:
    game = revealed(["attack-08", "reinforcement-3"], ["attack-10"])
    assert decide(game, window(game, "red", "after-reveal")) == "reinforcement-3"


@pytest.mark.parametrize(
    ("red", "blue"),
    [
        (["attack-08", "reinforcement-3"], ["attack-20"]),  # not enough
        (["attack-20", "reinforcement-3"], ["attack-08"]),  # won anyway
        (["attack-08", "reinforcement-3"], ["negotiate"]),  # of no use
    ],
)
def test_it_keeps_a_reinforcement_that_changes_nothing(red: list[str], blue: list[str]) -> None:
    game = revealed(red, blue)
    assert decide(game, window(game, "red", "after-reveal")) is None


def test_several_reinforcements_together_count() -> None:
    game = revealed(["attack-08", "reinforcement-2", "reinforcement-3"], ["attack-12"])
    assert decide(game, window(game, "red", "after-reveal")) in ("reinforcement-2", "reinforcement-3")


def test_emotions_are_controlled_to_stop_who_would_win_the_game() -> None:
    near = {"ships": homes("red", "blue-2", "blue-3", "green-1", "green-2")}
    game = revealed(["attack-20"], ["attack-08"], {"red": near, "green": {"hand": ["emotion-control"]}})
    assert decide(game, window(game, "green", "after-reveal")) == "emotion-control"


def test_the_tubes_are_used_with_many_own_ships_in_the_warp_and_not_for_others() -> None:
    few = {f"red-{i}": 2 for i in range(1, 6)}
    start = {"offense": "red", "phase": "regroup"}
    many = position({"red": {"ships": few, "hand": ["mobius-tubes"]}}, start, ARTIFACTS)
    assert decide(many, window(many, "red", "regroup-start")) == "mobius-tubes"
    others = {seat: {"ships": {f"{seat}-{i}": 1 for i in range(1, 6)}} for seat in ("blue", "green", "yellow")}
    none = position({"red": {"hand": ["mobius-tubes"]}} | others, start, ARTIFACTS)
    assert decide(none, window(none, "red", "regroup-start")) is None


def test_the_plague_falls_on_the_leader() -> None:
    players = {"blue": {"hand": ["plague"]}, "green": {"ships": homes("green", "red-1", "red-2", "blue-1")}}
    game = position(players, {"offense": "red", "phase": "regroup"}, ARTIFACTS)
    question = window(game, "blue", "regroup-start")
    assert decide(game, question) == "plague"
    game.answer("blue", question.id, "plague")
    assert decide(game, asked(game, "plague", "blue")) == ["green"]


def test_a_deal_of_others_that_wins_the_game_is_quashed() -> None:
    near = {"ships": homes("red", "green-1", "green-2", "green-3", "green-4")}
    for colony, expected in (("blue-2", "quash"), (None, None)):
        game = revealed(["negotiate"], ["negotiate", "negotiate"], {"red": near, "yellow": {"hand": ["quash"]}})
        offer = {"red": {}, "blue": {"colony": colony} if colony else {"random": 1}}
        other = asked(game, "deal", "red")
        game.answer("red", other.id, {"offer": offer})
        game.answer("blue", asked(game, "deal", "blue").id, {"accept": other.id})
        assert decide(game, window(game, "yellow", "before:deal-agreed")) == expected


def test_the_same_question_gets_the_same_answer() -> None:
    game = revealed(["attack-08", "attack-10", "attack-12"], ["attack-10"])
    question = asked(game, "select", "red")
    assert len({decide(game, question, 4) for _ in range(5)}) == 1


def test_bots_are_made_by_name() -> None:
    assert NAMES == ("sensible", "chance")
    with pytest.raises(ValueError, match="no such bot"):
        make("clever", b"")


@pytest.mark.parametrize("number", range(40))
def test_unknown_questions_get_legal_answers(number: int) -> None:
    rng = Rng(digest("question", number))
    game = revealed(["attack-08", "negotiate", "attack-30"], ["attack-10"])
    for kind in ("choose", "ships", "cards", "declare", "react"):
        question = _question(kind, rng, game)
        answer = make("sensible", digest("bot", number)).decide(game.view("red"), question.to_data())
        question.check(answer)


def _question(kind: str, rng: Rng, game: Game) -> Decision:
    seats, planets = list(game.setup.seats), list(game.state.planets)
    names = (["a", "b", "c", "d"], seats, planets[:7], ["yes", "no"], ["ship", "card"], seats[1:2])[rng.below(6)]
    hand = [list(card) for card in game.state.players["red"].hand]
    held = (hand, [[90, "plague"], [91, "attack-04"]], [*hand, [92, "flare-zombie"]])[rng.below(3)]
    places = ({"red-1": 2, "gate": 1}, {"blue-4": 3, "red-2": 5}, {"red-1": 3, "red-2": 3}, {"odd": 2})[rng.below(4)]
    size = {"choose": len(names), "cards": len(held), "ships": sum(places.values())}.get(kind, 20)
    high = 1 + rng.below(size)
    bounds: dict[str, Any] = {"min": rng.below(high + 1), "max": high}
    if kind == "choose":
        bounds["options"] = [{"id": name, "text": name, "args": {}} for name in names]
    elif kind == "cards":
        bounds["cards"] = held
    elif kind == "ships":
        bounds["places"] = places
    elif kind == "react":
        action = {"id": "thing", "text": "use it", "args": {"alien": "thing"}}
        played = {"id": "flare-thing", "text": "play it (wild)", "args": {}, "card": [99, "flare-thing"]}
        bounds = {"window": ("odd", "after-reveal", "before:card-played")[rng.below(3)], "actions": [action, played]}
    topic = ("odd", "take", "claim", "direction", "believe", "stake", "aim", "lose")[
        rng.below(6 if kind == "choose" else 8)
    ]
    return Decision(number := rng.below(1000), number, "red", kind, topic, "Which?", bounds, None)
