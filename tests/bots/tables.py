"""Tables for the tests of the bots: positions to think about, and whole games."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from cosmic_net.bots import make
from cosmic_net.bots.agent import Agent
from cosmic_net.bots.table import step
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import SEATS, Options, Setup

BARE = Options(aliens="fixed", flares=False, artifacts=False)


def digest(*parts: object) -> bytes:
    """32 bytes from anything that can be written down."""
    return hashlib.sha256(repr(parts).encode()).digest()


def agents(seats: Sequence[str], number: int, kinds: Mapping[str, str] | None = None) -> dict[str, Agent]:
    """A bot at every seat, sensible where `kinds` says nothing else."""
    kinds = kinds or {}
    return {
        seat: Agent(make(kinds.get(seat, "sensible"), digest("bot", number, seat)), digest(number, seat))
        for seat in seats
    }


def play(options: Options, number: int, seats: int = 4, kinds: Mapping[str, str] | None = None) -> Game:
    """Plays a whole game of bots."""
    setup = Setup(f"game-{number}", SEATS[:seats], {}, options)
    game = Game(setup, digest("seed", number))
    bots = agents(setup.seats, number, kinds)
    while not game.over:
        step(game, bots)
        assert len(game.inputs) < 20_000, f"game {number} does not end"
    return game


def homes(seat: str, *extra: str, left_out: int = 0) -> dict[str, int]:
    """Three ships on each home planet but the first `left_out`, and one on each of the further planets."""
    return {f"{seat}-{i}": 3 for i in range(1 + left_out, 6)} | dict.fromkeys(extra, 1)


def position(players: Mapping[str, Any], start: Mapping[str, Any], options: Options = BARE, **more: Any) -> Game:
    """A game that starts in the middle; players not named have three ships on each home planet."""
    seats = SEATS[:4]
    filled = {seat: {"ships": homes(seat), "warp": 5, **players.get(seat, {})} for seat in seats}
    for player in filled.values():
        player["warp"] = 20 - sum(player["ships"].values()) - _out(start, player)
    setup = Setup("position", seats, {}, options, {"players": filled, "start": dict(start), **more})
    return Game(setup, digest("position"))


def _out(start: Mapping[str, Any], player: Mapping[str, Any]) -> int:
    seat = next(iter(player["ships"])).split("-")[0]
    return sum(start.get(place, {}).get(seat, 0) for place in ("gate", "side"))


def asked(game: Game, topic: str, seat: str, answers: Mapping[tuple[str, str], Any] | None = None) -> Decision:
    """Goes on with bots until this question is put to this seat; `answers` replaces the bots' by (seat, topic)."""
    bots = agents(game.setup.seats, 1)
    for _ in range(200):
        for decision in game.pending:
            if decision.topic == topic and decision.seat == seat:
                return decision
        decision = game.pending[0]
        if answers and (decision.seat, decision.topic) in answers:
            game.answer(decision.seat, decision.id, answers[decision.seat, decision.topic])
        else:
            step(game, bots)
    raise AssertionError(f"{topic} was never asked")


def decide(game: Game, decision: Decision, number: int = 1) -> Any:
    """What a sensible bot answers."""
    return make("sensible", digest("decide", number)).decide(game.view(decision.seat), decision.to_data())
