"""Strangers get nothing and disturb nobody; neither do players who want to disturb."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from protocol.messages import Record
from tests.host.conftest import Hall
from tests.host.hosts import HostProcess
from tests.host.measure import Figures, Meter, abuse, abuse_once, memory_mb
from tests.support.hostile import ABUSES
from tests.support.wire_client import WireClient

PLAYERS = 4
BETWEEN = 0.1
LEAST_QUIET = 20
MORE_MS = 1000.0
"""How much longer than twice as long a ping may take on a busy machine; `make bench` measures."""
MOST_MB = 400
EXPECTED: dict[str, dict[str, Any]] = {
    "http": {"ended": [True, True]},
    "silent": {"ended": 60, "of": 60},
    "slow": {"ended": 20, "of": 20},
    "huge": {"ended": True},
    "unencrypted": {"heard": [0, 0]},
    "key_service": {"ended": 60, "of": 60},
    "malformed": {"codes": ["bad-frame", "unknown-type"], "count": 36},
    "oversized": {"codes": ["bad-frame"] * 3, "lost": True},
    "lies": {
        "before hello": "hello-first",
        "another's keys": "refused",
        "another's name": "ok",
        "another's decision": "not-seated",
        "a share of the seed": "stale",
        "a seat": "refused",
        "options": "refused",
        "kick": "refused",
        "start": "refused",
        "ready": "refused",
        "an id again": "that is not possible now: a game is running",
        "another's record": "stale",
    },
}
LOGGED = (
    "did not speak as this table asks",
    "ended before they were through",
    "too many ask for the key",
    "a bad frame: a message is one frame",
    "a bad frame: nested too deeply",
    "not listened to any more",
    "Say: refused: say hello first",
    "Hello: refused: the proof",
    "Answer: refused: you do not play",
    "SetOptions: refused: only the owner",
    "pings (", "sends too many requests",
    "sends more than this host reads",
    "changes too much, or asks for too much: Hello",
    "too many connections by the key",
)  # fmt: skip


@contextlib.asynccontextmanager
async def going_on(clients: list[WireClient], between: float = BETWEEN) -> AsyncIterator[None]:
    """Lets a game go on, a round of answers at a time, as long as the block lasts."""

    async def play() -> None:
        while True:
            for client in clients:
                client.stops_at = lambda decision: False
                await client.play_on()
                client.stops_at = lambda decision: True
            await asyncio.sleep(between)

    task = asyncio.ensure_future(play())
    yield
    assert task.cancel(), task.exception()


async def begin(hall: Hall, host: HostProcess) -> list[WireClient]:
    """A game in which nobody answers before `going_on`."""
    clients = await hall.table(host, PLAYERS)
    for client in clients:
        client.stops_at = lambda decision: True
    await hall.start(clients)
    return clients


async def finish(hall: Hall, clients: list[WireClient]) -> None:
    """Plays a game to its end, and finds nothing wrong."""
    for client in clients:
        client.stops_at = lambda decision: False
        await client.play_on()
    await hall.to_the_end(clients)
    assert len({client.ended.head.head for client in clients if client.ended}) == 1
    for client in clients:
        assert {reply.error.code for _, reply in client.refused if reply.error} <= {"stale"}
        assert client.closed is None


def check(figures: Figures, quiet: Figures, what: str) -> None:
    """Nobody had to wait much longer than in quiet, and the memory is bounded."""
    assert figures.p50_ms < 2 * quiet.p50_ms + MORE_MS, f"{what}: {figures} and quiet {quiet}"
    assert figures.most_mb < MOST_MB, f"{what}: {figures}"


@pytest.mark.timeout(150)
async def test_a_game_goes_on_whatever_is_done_to_its_host(hall: Hall):
    host = hall.host(game={}, reaction_s=60.0)
    clients = await begin(hall, host)
    meter = Meter(host, clients[0])
    async with going_on(clients):
        await asyncio.sleep(LEAST_QUIET * BETWEEN)
        quiet = meter.so_far()
        print(json.dumps({"while": "quiet"} | quiet.report()))
        before = len(clients[0].pushes)
        async for report in abuse(host, *ABUSES, seconds=1.0):
            name, figures = report["abuse"], meter.so_far()
            print(json.dumps(report | figures.report()))
            check(figures, quiet, name)
            assert {key: report[key] for key in EXPECTED.get(name, {})} == EXPECTED.get(name, {}), name
        assert clients[0].ended is None, "the game was over too soon to say anything"
        assert len(clients[0].pushes) > before + LEAST_QUIET
    meter.stop()
    await finish(hall, clients)
    assert [line for line in LOGGED if line not in host.log] == []
    assert " ERROR " not in host.log


@pytest.mark.skipif(sys.platform != "linux", reason="a running program's limits can be changed on Linux only")
@pytest.mark.timeout(60)
async def test_silent_connections_keep_nobody_out_for_long(hall: Hall):
    import resource

    host = hall.host()
    clients = await hall.table(host, 3)
    resource.prlimit(host.announcement["pid"], resource.RLIMIT_NOFILE, (64, 64))
    disturbing = asyncio.ensure_future(abuse_once(host, "silent_many"))
    await asyncio.sleep(0.5)
    for client in clients:
        await client.ping()
    assert (await disturbing)["ended"] == 120
    newcomer = await hall.guest(host, 9)
    await hall.start(clients)
    await hall.to_the_end([*clients, newcomer])
    while "could not be accepted" not in host.log:  # it is said every ten seconds
        await asyncio.sleep(0.1)


@pytest.mark.skipif(sys.platform != "linux", reason="a running program's limits can be changed on Linux only")
@pytest.mark.timeout(90)
async def test_connections_by_which_nobody_says_hello_keep_nobody_out(hall: Hall):
    import resource

    host = hall.host()
    clients = await hall.table(host, 3, pings=True)
    resource.prlimit(host.announcement["pid"], resource.RLIMIT_NOFILE, (64, 64))
    disturbing = asyncio.ensure_future(abuse_once(host, "idle_many", seconds=25.0))
    while "hardly any descriptors are left" not in host.log:
        await asyncio.sleep(0.05)
    began = time.monotonic()
    newcomer = await hall.guest(host, 9, pings=True)
    print(f"a newcomer is in after {time.monotonic() - began:.1f} s")
    assert not disturbing.done()
    await hall.start(clients)
    await hall.to_the_end([*clients, newcomer])
    while "nobody had said hello" not in host.log:  # it is said every ten seconds
        await asyncio.sleep(0.1)
    await disturbing


@pytest.mark.skipif(sys.platform != "linux", reason="a host looks at its memory closely enough on Linux only")
@pytest.mark.timeout(90)
async def test_a_host_that_takes_too_much_memory_begins_anew_and_its_game_goes_on(hall: Hall):
    host = hall.host("--memory", "150", game={"goal": 2}, reaction_s=60.0)
    clients = await begin(hall, host)
    pid = host.announcement["pid"]
    async with going_on(clients, 0.3):
        entries = clients[0].skipped + len(clients[0].entries)
        disturbing = asyncio.ensure_future(abuse_once(host, "endless", megabytes=400))
        while "begins anew" not in host.log:
            await asyncio.sleep(0.05)
        while host.log.count("the table is open") < 2:
            await asyncio.sleep(0.05)
        print(await disturbing, memory_mb(pid), "MB")
    for client in clients:
        await client.close()
        client.stops_at = lambda decision: False
        await client.connect(host.address, host.key)
    await hall.to_the_end(clients)
    body = await clients[0].must(Record(id=1, game=clients[0].game, start=0))
    assert body["total"] > entries
    assert json.loads((host.folder / "table.json").read_text())["pid"] == pid
    assert memory_mb(pid) < 150
