"""Random legal play on random tables: nothing breaks, nothing is lost, every game ends and replays to itself."""

from __future__ import annotations

import msgpack  # type: ignore[import-untyped]
import pytest

from cosmic_net.engine.game import Game
from tests.support.random_games import digest, play_random

FEW, MANY = range(60), range(2000)


def check(number: int) -> None:
    game = play_random(number)
    assert game.winners
    again = Game.replay(game.setup, digest("seed", number), game.inputs)
    assert [(e.kind, e.data, e.secret) for e in again.events] == [(e.kind, e.data, e.secret) for e in game.events]
    for seat in (None, *game.setup.seats):
        packed = msgpack.packb(game.view(seat))
        assert packed == msgpack.packb(again.view(seat))
        assert msgpack.unpackb(packed, strict_map_key=False) == game.view(seat)


@pytest.mark.parametrize("number", FEW)
def test_a_random_game_ends_conserves_everything_and_replays_to_itself(number: int) -> None:
    check(number)


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_random_games(block: int) -> None:
    for number in MANY[block * 100 : block * 100 + 100]:
        check(number)
