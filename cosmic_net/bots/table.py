"""A whole game in one process: an agent at every seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cosmic_net.bots.agent import Agent
from cosmic_net.engine.game import Game


def step(game: Game, agents: Mapping[str, Agent]) -> None:
    """Answers one open question of the game; windows in which nobody can do anything are closed."""
    decision = game.pending[0]
    if decision.kind == "react" and not decision.bounds["actions"]:
        game.answer(decision.seat, decision.id, None)
        return
    answer = agents[decision.seat].answer(game.look(decision.seat), decision.to_data())
    game.answer(decision.seat, decision.id, answer)


def play(game: Game, agents: Mapping[str, Agent], watch: Callable[[Game], None] | None = None) -> Game:
    """Plays a game to its end; `watch` is called after every input."""
    while not game.over:
        step(game, agents)
        if watch is not None:
            watch(game)
    return game
