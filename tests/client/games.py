"""Games in process, for questions and views as a host would send them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from client.show.style import Style
from client.show.words import Cast
from cosmic_net.bots.agent import Agent
from cosmic_net.bots.chance import Chance
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Options, Setup

SEATS = ("red", "blue", "green", "yellow")
NAMES = {"red": "Ana", "blue": "Ben", "green": "Cy", "yellow": "Dee"}
CAST = Cast(NAMES, Style(), "red")


def game(number: int, **options: Any) -> Game:
    """A game of four whose shuffle comes from a number."""
    setup = Setup("test", SEATS, dict.fromkeys(SEATS, b"k" * 32), Options(**{"aliens": "random", **options}))
    return Game(setup, number.to_bytes(32, "big"))


def asked(
    number: int, encounters: int = 12, **options: Any
) -> Iterator[tuple[Game, dict[str, Any], Mapping[str, Any]]]:
    """Every question of a game of dice throwers, as its own player sees it: (game, decision, view)."""
    played = game(number, **options)
    agents = {seat: Agent(Chance(bytes([i + number]) * 32), bytes([i])) for i, seat in enumerate(SEATS)}
    while not played.over and played.state.encounters <= encounters:
        decision = played.pending[0]
        view = played.view(decision.seat)
        yield played, decision.to_data(), view
        played.answer(decision.seat, decision.id, agents[decision.seat].answer(view, decision.to_data()))
