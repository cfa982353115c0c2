"""Whole games told sentence by sentence: a change of the rules shows as a diff of their files, to be read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from cosmic_net.bots.table import play
from cosmic_net.engine.game import Game
from cosmic_net.engine.texts import sentence
from protocol import codec
from tests.support import golden
from tests.support.random_games import agents, digest, random_setup

FOLDER = Path(__file__).parent / "golden"
GAMES = (3, 5, 6, 8, 12, 31, 33, 36)
"""Three to five players who answer by chance, with four and five planets, aliens chosen in every way."""


def told(game: Game) -> Iterator[str]:
    """A game as all may see it, and a digest of all that is left of it."""
    for name, value in game.setup.options.to_data().items():
        yield f"{name}: {value}"
    for event in game.events:
        data = event.seen_by(None)
        if data is not None:
            if event.kind == "encounter-started":
                yield f"-- encounter {data['number']}"
            yield f"{event.kind}: {sentence(data)}".removesuffix(": ")
    yield f"winners: {', '.join(game.winners)}"
    left = [game.inputs, *(game.view(seat) for seat in game.setup.seats)]
    yield f"inputs and views: {hashlib.sha256(codec.pack_value(left)).hexdigest()}"


@pytest.mark.parametrize("number", GAMES)
def test_a_whole_game_is_told_as_before(number: int) -> None:
    setup = random_setup(number)
    game = play(Game(setup, digest("seed", number)), agents(setup, number))
    golden.same(FOLDER / f"game-{number}.txt", told(game))
