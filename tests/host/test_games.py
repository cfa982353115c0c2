"""Whole games over real sockets, with a real host process."""

from __future__ import annotations

import asyncio

from cosmic_net.bots.chance import Chance
from protocol.messages import Start
from tests.host.hosts import HostProcess
from tests.support.wire_client import WireClient


def players(count: int) -> list[WireClient]:
    return [WireClient(bytes([n + 1]) * 32, f"Player {n + 1}", Chance(bytes([n + 1]) * 32)) for n in range(count)]


async def test_three_clients_play_a_whole_game_to_a_victory(tmp_path):
    with HostProcess(tmp_path) as host:
        clients = players(3)
        for client in clients:
            await client.connect(host.address, host.key)
            await client.sit()
        await clients[0].must(Start(id=1))
        ended = await asyncio.gather(*(client.has_ended() for client in clients))
        for client in clients:
            assert client.errors == []
            await client.close()
        assert ended[0].outcome == "won"
        assert ended[0].winners
