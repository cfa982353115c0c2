"""A whole game through the wire: every view follows its updates, and the record audits and replays."""

from __future__ import annotations

from typing import Any

from cosmic_net.bots.agent import Agent
from cosmic_net.bots.chance import Chance
from cosmic_net.bots.table import step
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Options, Setup
from protocol import audit, codec, limits, messages, patch, transcript
from tests.protocol.recorded import GAME, Played

SEATS = ("red", "blue", "green")
HEAD = messages.Head(count=0, head=bytes(32), signature=bytes(64))
SETUP = Setup(GAME, SEATS, dict.fromkeys(SEATS, bytes(32)), Options(planets=4, aliens="fixed"))


def agents() -> dict[str, Agent]:
    return {seat: Agent(Chance(seat.encode().ljust(32)), seat.encode()) for seat in SEATS}


def over_the_wire(message: messages.Push) -> Any:
    return codec.decode_push(codec.encode(message))


def test_a_client_that_applies_updates_sees_what_the_host_shows() -> None:
    game, players = Game(SETUP, bytes(32)), agents()
    views: dict[str | None, dict[str, Any]] = {"red": {}, None: {}}
    told = 0
    while not game.over:
        step(game, players)
        for seat, old in views.items():
            new = game.view(seat)
            events = [seen for event in game.events[told:] if (seen := event.seen_by(seat)) is not None]
            update = messages.Update(
                n=1, game=GAME, events=events, patch=patch.diff(old, new), entries=[], head=HEAD, clocks={}
            )
            received = over_the_wire(update)
            views[seat] = patch.apply(old, received.patch)
            assert patch.same(views[seat], new)
            assert patch.same(received.events, events)
        told = len(game.events)
    setup = codec.pack_value(SETUP.to_data())
    for seat in views:
        log = [seen for event in game.events if (seen := event.seen_by(seat)) is not None]
        snapshot = messages.Snapshot(
            n=1,
            game=GAME,
            setup=setup,
            host_commitment=bytes(32),
            view=game.view(seat),
            log=log[-limits.LOG_PER_SNAPSHOT :],
            head=HEAD,
            clocks={},
            sealed=[],
            passes=[],
        )
        assert patch.same(over_the_wire(snapshot).view, game.view(seat))


def test_a_games_record_audits_clean_and_replays_to_the_same_game() -> None:
    game, players, played = Game(SETUP, bytes(32)), agents(), Played(SEATS)
    while not game.over:
        step(game, players)
        made = game.inputs[-1]
        if "close" in made:
            played.put(transcript.CloseEntry(group=made["close"]))
        else:
            played.answer(made["seat"], made["decision"], made["answer"])
    assert played.findings() == []
    inputs = audit.inputs(played.entries, played.openings)
    replayed = Game.replay(Setup.from_data(codec.unpack_value(codec.pack_value(SETUP.to_data()))), bytes(32), inputs)
    assert replayed.winners == game.winners
    assert codec.pack_value(replayed.view(None)) == codec.pack_value(game.view(None))
    assert len(played.entries) == len(game.inputs) + 1
    assert all(transcript.decode_entry(entry) for entry in played.entries)
