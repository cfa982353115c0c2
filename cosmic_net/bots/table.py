"""A whole game in one process: an agent at every seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cosmic_net.bots.agent import Agent
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.game import Game


def step(game: Game, agents: Mapping[str, Agent]) -> None:
    """Answers one open question of the game; windows in which nobody can do anything are closed."""
    decision = game.pending[0]
    if decision.kind == "react" and not decision.bounds["actions"]:
        _pass(game, decision)
    elif decision.kind == "deal":
        _bargain(game, agents)
    else:
        answer = agents[decision.seat].answer(game.look(decision.seat), decision.to_data())
        game.answer(decision.seat, decision.id, answer)


def _pass(game: Game, decision: Decision) -> None:
    """Passes for a player who can do nothing; closes the window if nobody can."""
    if any(other.bounds["actions"] for other in game.pending if other.group == decision.group):
        game.answer(decision.seat, decision.id, None)
    else:
        game.close(decision.group)


def _bargain(game: Game, agents: Mapping[str, Agent]) -> None:
    """Lets the two speak in turn: first whoever did not make the newest offer. If both are silent, time is over."""
    offers = game.pending[0].bounds["offers"]
    newest = max(offers, key=lambda offer: int(offer["id"]))["by"] if offers else None
    for decision in sorted(game.pending, key=lambda decision: decision.seat == newest):
        answer = agents[decision.seat].answer(game.look(decision.seat), decision.to_data())
        if answer is not None:
            game.answer(decision.seat, decision.id, answer)
            return
    game.close(game.pending[0].group)


def play(game: Game, agents: Mapping[str, Agent], watch: Callable[[Game], None] | None = None) -> Game:
    """Plays a game to its end; `watch` is called after every input."""
    while not game.over:
        step(game, agents)
        if watch is not None:
            watch(game)
    return game
