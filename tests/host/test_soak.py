"""Many games of players who do anything that is allowed, over real sockets, each record checked and replayed."""

from __future__ import annotations

import os

import pytest

from cosmic_net import bots
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Setup
from protocol import audit, codec, fairness
from protocol.messages import Ready, Rematch, SetOptions
from tests.host.conftest import Hall
from tests.host.test_games import fetch_record
from tests.support.wire_client import WireClient

GAMES = int(os.environ.get("SOAK_GAMES", "100"))
PATIENCE = 600.0


async def check_record(client: WireClient) -> None:
    """Audits the client's game and replays it to the view that the client has."""
    assert client.ended is not None
    entries, opened = await fetch_record(client)
    setup = Setup.from_data(codec.unpack_value(client.setup))
    shares: dict[str, bytes] = {str(seat): share for seat, share in client.ended.seeds.items()}
    assert audit.check(client.game, client.setup, setup.keys, entries, opened, shares) == []
    seed = fairness.combine(client.game, shares.pop("host"), shares)
    replayed = Game.replay(setup, seed, audit.inputs(entries, opened))
    assert codec.pack_value(client.view) == codec.pack_value(replayed.view(client.seat))


@pytest.mark.soak
@pytest.mark.parametrize("count", [3, 5])
async def test_random_players_play_game_after_game(hall: Hall, count: int):
    host = hall.host(game={}, reaction_s=60.0)
    clients = await hall.table(host, count)
    for number in range(GAMES):
        for client in clients:
            client.play_with(bots.make("chance", f"{number} {client.name}".encode()))
        await hall.start(clients)
        for client in clients:
            await client.has_ended(PATIENCE)
            assert client.errors == []
            assert {reply.error.code for _, reply in client.refused if reply.error} <= {"stale"}
            await check_record(client)
            client.pushes.clear()
        assert clients[0].ended is not None
        assert clients[0].ended.outcome == "won"
        await clients[0].must(Rematch(id=1))
        goal = {"goal": 1 + number % 5, "flares": bool(number % 3)}
        await clients[0].must(SetOptions(id=1, options=goal))
        for client in clients:
            await client.must(Ready(id=1, ready=True))
