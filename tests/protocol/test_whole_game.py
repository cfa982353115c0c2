"""A whole game through the wire: every view follows its updates, and the record audits and replays."""

from __future__ import annotations

from typing import Any

from cosmic_net.bots.agent import Agent
from cosmic_net.bots.chance import Chance
from cosmic_net.bots.table import step
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Options, Setup
from protocol import audit, codec, limits, messages, patch, transcript, updates
from tests.protocol.recorded import GAME, Played

SEATS = ("red", "blue", "green")
HEAD = messages.Head(count=0, head=bytes(32), signature=bytes(64))
SETUP = Setup(GAME, SEATS, dict.fromkeys(SEATS, bytes(32)), Options(planets=4, aliens="fixed"))


def agents() -> dict[str, Agent]:
    return {seat: Agent(Chance(seat.encode().ljust(32)), seat.encode()) for seat in SEATS}


def over_the_wire(message: messages.Push) -> Any:
    return codec.decode_push(codec.encode(message))


def seen_by(seat: str | None, game: Game, since: int) -> list[dict[str, Any]]:
    return [seen for event in game.events[since:] if (seen := event.seen_by(seat)) is not None]


def own_part(seat: str, game: Game, since: int, old: dict[str, Any]) -> messages.Own:
    """What a seat alone is told."""
    new = game.private_view(seat)
    return messages.Own(
        events=[
            seen for event in game.events[since:] if seat in event.to and (seen := event.seen_by(seat)) is not None
        ],
        patch=patch.diff({key: old[key] for key in new}, new | {"prompts": old["prompts"]}),
        asked=updates.asked(old["prompts"], new["prompts"], game.view()["waiting"]),
    )


def test_a_client_that_applies_updates_sees_what_the_host_shows() -> None:
    game, players = Game(SETUP, bytes(32)), agents()
    views: dict[str | None, dict[str, Any]] = {seat: game.view(seat) for seat in ("red", None)}
    told = len(game.events)
    while not game.over:
        step(game, players)
        shared = messages.Shared(events=seen_by(None, game, told), patch=patch.diff(views[None], game.view()))
        packed = updates.pack(shared)
        for seat, old in views.items():
            own = own_part(seat, game, told, old) if seat else None
            received = over_the_wire(messages.Update(n=1, shared=packed, own=own))
            again = updates.unpack(received.shared)
            views[seat] = updates.apply(old, again.patch, received.own)
            assert patch.same(views[seat], game.view(seat))
            assert patch.same(updates.events(again.events, received.own), seen_by(seat, game, told))
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
