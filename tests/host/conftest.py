"""A hall: the hosts and clients of one test, all gone when the test is over."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cosmic_net import bots
from protocol.messages import Start
from tests.host.hosts import HostProcess
from tests.support.wire_client import WireClient

SHORT = {"goal": 1, "planets": 4}
"""Options of games that are soon over."""


class Hall:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._hosts: list[HostProcess] = []
        self._clients: list[WireClient] = []

    def host(
        self,
        *options: str,
        port: int | None = 0,
        game: dict[str, Any] | None = None,
        secret: bytes = b"",
        dies: str = "",
        **clocks: float,
    ) -> HostProcess:
        """A host that runs; `game` are options of the game, `secret` the host's own, `dies` when it kills itself."""
        arguments = [*options, "--options", json.dumps(SHORT if game is None else game)]
        folder = self.folder / f"table-{len(self._hosts)}"
        if secret:
            folder.mkdir()
            (folder / "host.secret").write_bytes(secret)
        host = HostProcess(folder, *arguments, port=port, **clocks)
        self._hosts.append(host)
        return host.start(dies=dies)

    def client(self, number: int, *, plays: bool = True, pings: bool = False, **more: Any) -> WireClient:
        """The player with this number, not connected; it answers by itself if it `plays`."""
        secret = bytes([number]) * 32
        bot = bots.make("sensible", secret) if plays else None
        client = WireClient(secret, f"Player {number}", bot, **more)
        client.pings = pings
        self._clients.append(client)
        return client

    async def guest(self, host: HostProcess, number: int, **more: Any) -> WireClient:
        """A client that has said hello and knows the table."""
        client = self.client(number, **more)
        await client.connect(host.address, host.key)
        await client.until(lambda: client.table)
        return client

    async def table(self, host: HostProcess, count: int = 3, **more: Any) -> list[WireClient]:
        """So many players at a table, all ready. The first one owns it."""
        clients = [await self.guest(host, number + 1, **more) for number in range(count)]
        for client in clients:
            await client.sit()
        return clients

    async def game(self, host: HostProcess, count: int = 3, **more: Any) -> list[WireClient]:
        """So many players in a game that has begun."""
        clients = await self.table(host, count, **more)
        await self.start(clients)
        return clients

    @staticmethod
    async def start(clients: list[WireClient]) -> None:
        before = clients[0].game
        await clients[0].must(Start(id=1))
        await asyncio.gather(*(client.in_another_game(before) for client in clients))

    @staticmethod
    async def to_the_end(clients: list[WireClient]) -> None:
        """Waits for the end of the game, and finds nothing that the host did wrong."""
        await asyncio.gather(*(client.has_ended() for client in clients))
        for client in clients:
            assert client.errors == []

    async def close(self) -> None:
        for client in self._clients:
            await client.close()
        for host in self._hosts:
            host.stop()


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    hall = Hall(tmp_path)
    yield hall
    await hall.close()
