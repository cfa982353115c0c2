"""A long evening: game after game at one host, whose players lose their connections now and then.

SOAK_PARTY sets the number of games. What came of it is printed: `make soak ARGS="-k party -s"`.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import random
import statistics
import time
from pathlib import Path
from typing import Any

import pytest

from cosmic_net import bots
from cosmic_net.engine.options import Setup
from protocol import audit, codec
from protocol.messages import Ready, Rematch
from tests.host.conftest import Hall
from tests.host.hosts import HostProcess
from tests.host.test_games import fetch_record
from tests.support.wire_client import WireClient

GAMES = int(os.environ.get("SOAK_PARTY", "200"))
WARM = 20
"""The game after which nothing may grow any more."""
GROWTH = 1.10
PLAYERS = 5
PATIENCE = 120.0
SEED = 20
BETWEEN_CUTS = (0.1, 0.9)
LEAST_SECONDS = 2.5
"""How long a game of a long party takes at least: hello, rematch, ready and start count against the owner's limit."""


class Guest(WireClient):
    """A player who loses the connection from time to time, and comes back to the same game."""

    last = 0.0
    longest = 0.0
    """The longest time for which nothing was heard while a game was played."""
    reconnects = 0

    async def _hear(self, push: Any) -> None:
        now = time.monotonic()
        if self.last:
            self.longest = max(self.longest, now - self.last)
        self.last = now
        await super()._hear(push)

    async def come_back(self) -> None:
        """Cut without a word, and connected anew a moment later: what was not answered is asked again."""
        await self.close()
        self._replies.clear()
        self.answered.clear()
        self.reconnects += 1
        await self.connect(self.address, self.host_key)
        await self.play_on()


async def disturb(guests: list[Guest], dice: random.Random, over: asyncio.Event) -> None:
    """Cuts somebody's connection, at once and then again and again.

    It is not cancelled: that would leave a guest without a connection.
    """
    while not over.is_set():
        await dice.choice(guests).come_back()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(over.wait(), dice.uniform(*BETWEEN_CUTS))


def usage(host: HostProcess) -> tuple[float, int]:
    """The memory of the host's process in MB, and how many descriptors it has open."""
    proc = Path(f"/proc/{host.announcement['pid']}")
    pages = int((proc / "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20, len(list((proc / "fd").iterdir()))


async def check_record(guest: Guest) -> int:
    """Audits the record of a game that is over; returns the number of its inputs."""
    assert guest.ended is not None
    entries, opened = await fetch_record(guest)
    setup = Setup.from_data(codec.unpack_value(guest.setup))
    shares: dict[str, bytes] = {str(seat): share for seat, share in guest.ended.seeds.items()}
    assert audit.check(guest.game, guest.setup, setup.keys, entries, opened, shares) == []
    return len(audit.inputs(entries, opened))


async def play_a_game(hall: Hall, guests: list[Guest], number: int, dice: random.Random) -> int:
    """One game from the start to its record; returns the number of its inputs."""
    for guest in guests:
        guest.play_with(bots.make("sensible", f"{number} {guest.name}".encode()))
        guest.last = 0.0
    await hall.start(list(guests))
    over = asyncio.Event()
    trouble = asyncio.ensure_future(disturb(guests, dice, over))
    try:
        await asyncio.gather(*(guest.has_ended(PATIENCE) for guest in guests))
    finally:
        over.set()
        await trouble
    inputs = await check_record(guests[number % len(guests)])
    for guest in guests:
        assert guest.errors == []
        assert {reply.error.code for _, reply in guest.refused if reply.error} <= {"stale"}
        assert guest.ended is not None
        assert guest.ended.winners
        guest.pushes.clear()
        guest.refused.clear()
    assert len({guest.ended.head.head for guest in guests if guest.ended}) == 1
    return inputs


async def party(hall: Hall, games: int) -> None:
    """So many games in a row; prints a report. After game number `WARM` the host must not grow."""
    host = hall.host(reaction_s=10.0, secret=b"p" * 32)
    dice = random.Random(SEED)
    guests = [Guest(bytes([number]) * 32, f"Guest {number}") for number in range(1, PLAYERS + 1)]
    began, inputs = time.monotonic(), []
    used: list[tuple[float, int]] = []
    try:
        for guest in guests:
            await guest.connect(host.address, host.key)
            await guest.sit()
        for number in range(1, games + 1):
            least = asyncio.sleep(LEAST_SECONDS if games > WARM else 0.0)
            played, _ = await asyncio.gather(play_a_game(hall, guests, number, dice), least)
            inputs.append(played)
            gc.collect()
            used.append(usage(host))
            if number % WARM == 0:
                print(f"{number} games, {time.monotonic() - began:.0f} s: {used[-1][0]:.1f} MB", flush=True)
            if number < games:
                await guests[0].must(Rematch(id=1))
                for guest in guests:
                    await guest.must(Ready(id=1, ready=True))
        took = time.monotonic() - began
        await asyncio.sleep(1.5)
        used.append(usage(host))
    finally:
        for guest in guests:
            await guest.close()
    warm, end = used[min(WARM, games) - 1], used[-1]
    print(f"""
{games} games of {PLAYERS} in {took:.0f} s: {sum(inputs)} inputs, {statistics.mean(inputs):.0f} a game
{sum(guest.reconnects for guest in guests)} reconnects, longest stall {max(guest.longest for guest in guests):.2f} s
memory {used[0][0]:.1f} MB after game 1, {warm[0]:.1f} MB after game {min(WARM, games)}, {end[0]:.1f} MB at the end
descriptors {used[0][1]}, {warm[1]}, {end[1]}""")
    assert any(guest.reconnects for guest in guests)
    assert "Traceback" not in host.log
    assert "CRITICAL" not in host.log
    assert end[1] <= warm[1] + 2
    if games > WARM:
        assert end[0] < warm[0] * GROWTH


async def test_a_short_party(hall: Hall) -> None:
    await party(hall, 3)


@pytest.mark.soak
async def test_a_long_party(hall: Hall) -> None:
    await party(hall, GAMES)
