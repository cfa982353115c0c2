"""The engine in process: speed with simple bots, and what reaction windows cost a table of people."""

from __future__ import annotations

import itertools
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

from cosmic_net import bots
from cosmic_net.bots.agent import Agent
from cosmic_net.bots.table import step
from cosmic_net.engine.decisions import REACT, Decision
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import SEATS, Options, Setup
from tests.support.random_games import digest

REACTION_S = 3.0
#: The window that people keep when they pass for everything else.
KEPT = "after-reveal"
GAMES, RUNS = 12, 5


def new_game(players: int, number: int) -> tuple[Game, dict[str, Agent]]:
    """A game with everything on, and a sensible bot at every seat."""
    setup = Setup(f"bench-{number}", SEATS[:players], {}, Options())
    seats = {seat: Agent(bots.make("sensible", digest(seat, number)), digest(number, seat)) for seat in setup.seats}
    return Game(setup, digest("bench", number)), seats


def play_all(players: int) -> int:
    """Plays `GAMES` games; returns how many encounters they had."""
    total = 0
    for number in range(GAMES):
        game, seats = new_game(players, number)
        while not game.over:
            step(game, seats)
        total += game.state.encounters
    return total


def speed(players: int) -> dict[str, Any]:
    """Encounters and games a CPU second, the bots' thinking included; median of `RUNS` runs of `GAMES` games.

    Where others keep the machine busy, CPU seconds differ by a third from run to run; the number of function calls
    an encounter is always the same, and tells a small change of the program from noise.
    """
    encounters, games = [], []
    for _ in range(RUNS):
        start = time.process_time()
        total = play_all(players)
        used = time.process_time() - start
        encounters.append(total / used)
        games.append(GAMES / used)
    return {
        "name": "engine",
        "players": players,
        "encounters_per_cpu_s": round(statistics.median(encounters)),
        "games_per_cpu_s": round(statistics.median(games), 1),
        "calls_per_encounter": round(_calls(players)),
    }


def _calls(players: int) -> float:
    """How many calls of Python functions an encounter takes; a generator that goes on counts as called."""
    counted = itertools.count()

    def count(frame: FrameType, event: str, arg: Any) -> None:
        if event == "call":
            next(counted)

    sys.setprofile(count)
    try:
        total = play_all(players)
    finally:
        sys.setprofile(None)
    return next(counted) / total


def idle() -> dict[str, Any]:
    """Beats and seconds an encounter spent in windows that run out because people say nothing.

    Whoever wants nothing lets the time run out: a beat. A window beside another question (`beats_beside`) costs
    nothing of its own, since that question is thought over meanwhile. `standing` is the time if everybody has a
    standing pass for all windows but `after-reveal`, in which reinforcements are played: only that one is waited for.
    """
    beats = beside = standing = encounters = 0
    for number in range(GAMES):
        game, seats = new_game(4, number)
        for windows, alone in _silences(game, seats):
            beats += alone
            beside += not alone
            standing += alone and KEPT in windows
        encounters += game.state.encounters
    return {
        "name": "idle",
        "beats_per_encounter": round(beats / encounters, 2),
        "beats_beside": round(beside / encounters, 2),
        "idle_s_per_encounter": round(beats * REACTION_S / encounters, 1),
        "idle_s_per_encounter_standing": round(standing * REACTION_S / encounters, 1),
    }


def _silences(game: Game, seats: dict[str, Agent]) -> Iterator[tuple[set[str], bool]]:
    """Plays a game; yields for every window that nobody acts in what it is, and whether nothing else was asked."""
    while not game.over:
        group, others = _split(game.pending)
        if not group:
            step(game, seats)
            continue
        acted = False
        while any(decision in game.pending for decision in group):
            before = len(game.inputs)
            step(game, seats)
            acted = acted or isinstance(game.inputs[before].get("answer"), str)
        if not acted:
            yield {decision.bounds["window"] for decision in group}, not others


def _split(pending: Sequence[Decision]) -> tuple[list[Decision], list[Decision]]:
    """The open questions of a window, and the others."""
    group = [decision for decision in pending if decision.kind == REACT]
    return group, [decision for decision in pending if decision.kind != REACT]
