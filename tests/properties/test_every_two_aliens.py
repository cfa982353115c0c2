"""Every two aliens at one table, with answers that nobody should give and clocks that run out: nothing breaks.

Whatever is answered, only IllegalAnswer comes out, and then nothing has changed; what is legal is in normal form; no
ship and no card is lost, no hand has fewer than no cards, and the record replays to the same game.
"""

from __future__ import annotations

import random
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest

from cosmic_net.bots.table import step
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.errors import IllegalAnswer
from cosmic_net.engine.game import Game
from tests.support.paired_tables import PAIRS, SOME, table
from tests.support.random_games import agents, assert_conserved, digest

ODD: list[Any] = [
    None, True, False, 0, 1, -1, 2**70, 1.0, float("nan"), "", "x", "red", "offense", b"", bytes(32), [], [[]], [None],
    [1], [True], ["red"], ["yes"], ["yes", "yes"], ["redraw"], {}, {"red-1": -1}, {"red-1": True}, {"red-1": 2**60},
    {"red-1": 1.5}, {None: 1}, {"commitment": bytes(32)}, {"commitment": bytes(32), "signature": bytes(64)},
    {"commitment": "x"}, {"commitment": bytes(32), "signature": None}, {"option": "miser"}, {"option": []},
    {"card": 1, "nonce": bytes(32)}, {"card": -1, "nonce": bytes(32)}, {"card": 2**80, "nonce": bytes(32)},
    {"card": True, "nonce": bytes(32)}, {"card": 1}, {"offer": None}, {"offer": {}}, {"offer": {"red": None}},
    {"offer": {"red": {"random": 1.0}}}, {"offer": {"red": {"random": 1}}}, {"offer": {"red": {"faces": [[]]}}},
    {"offer": {"red": {"types": []}}}, {"offer": {"red": {"colony": []}}}, {"offer": {"free": {"red": 1}}},
    {"offer": {"red": {"choice": 1}, "free": {"red": 0}}}, {"offer": {"red": {"choice": 1}, "free": 5}},
    {"accept": None}, {"accept": True}, {"accept": 0}, {"refuse": 1}, {"refuse": True}, (1,), "a" * 5000,
]  # fmt: skip


def spoilt(rng: random.Random, answer: Any) -> Any:
    """Something like a legal answer, which may be legal still."""
    if isinstance(answer, list):
        return rng.choice([answer + answer, [*answer, rng.choice(ODD)], answer[:-1], [spoilt(rng, a) for a in answer]])
    if isinstance(answer, dict):
        changed = {key: rng.choice([value, rng.choice(ODD), spoilt(rng, value)]) for key, value in answer.items()}
        return changed | ({rng.choice(["red", "gate", "warp", "x", "red-1"]): rng.choice(ODD)} if answer else {})
    if isinstance(answer, bool) or answer is None:
        return rng.choice(ODD)
    if isinstance(answer, int):
        return answer + rng.choice((-1, 1, 10**6))
    if isinstance(answer, str):
        return rng.choice((answer + "x", answer.upper(), [answer]))
    return rng.choice(ODD)


def told(game: Game) -> list[Any]:
    """All that anybody is told, and what is written down."""
    views = [msgpack.packb(game.view(seat)) for seat in (None, *game.setup.seats)]
    return [game.pending, len(game.inputs), len(game.events), views]


def refuse(game: Game, decision: Decision, answer: Any, thoroughly: bool) -> bool:
    """Tries an answer that may be illegal; returns whether it is legal, and then does not give it."""
    try:
        normal = decision.check(answer)
    except IllegalAnswer:
        before = told(game) if thoroughly else [game.pending]
        with pytest.raises(IllegalAnswer):
            game.answer(decision.seat, decision.id, answer)
        assert before == (told(game) if thoroughly else [game.pending])
        return False
    assert decision.check(normal) == normal
    return True


def play(pair: tuple[str, str], number: int, most: int) -> Game:
    """Plays a table for so many inputs at most; one table in three is answered by people who mean well."""
    setup = table(pair, number)
    rng = random.Random(f"play {pair} {number}")
    game = Game(setup, digest(pair, number))
    bots = agents(setup, number, eager=rng.choice((96, 200)))
    rate = rng.choice((0.0, 0.03, 0.15))
    while not game.over and len(game.inputs) < most:
        decision = rng.choice(game.pending)
        if rng.random() < rate:
            game.close(decision.group)
        elif rng.random() < rate * 3:
            honest = bots[decision.seat].answer(game.look(decision.seat), decision.to_data())
            answer = rng.choice([rng.choice(ODD), spoilt(rng, honest)])
            if refuse(game, decision, answer, thoroughly=rng.random() < 0.1) and rng.random() < 0.5:
                game.answer(decision.seat, decision.id, answer)
        else:
            step(game, bots)
        assert_conserved(game)
        assert min(player["hand"] for player in game.look()["players"].values()) >= 0
    again = Game.replay(setup, game.seed, game.inputs)
    assert [(e.kind, e.data, e.secret) for e in again.events] == [(e.kind, e.data, e.secret) for e in game.events]
    return game


@pytest.mark.parametrize("pair", SOME, ids=" and ".join)
def test_some_aliens_meet_and_nothing_breaks(pair: tuple[str, str]) -> None:
    play(pair, SOME.index(pair), most=100)


@pytest.mark.soak
@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_every_two_aliens_meet_and_nothing_breaks(pair: tuple[str, str]) -> None:
    for number in range(6):
        play(pair, number, most=2500)
