"""A host that is killed at any moment goes on where it was: same players, same game, same address and key."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from protocol import codec
from protocol.messages import Sit, Snapshot
from tests.host.conftest import Hall
from tests.host.hosts import HostProcess
from tests.host.test_games import fetch_record
from tests.support.wire_client import WireClient


async def kill_and_resume(host: HostProcess, clients: list[WireClient]) -> None:
    """kill -9, start again, and let the clients connect anew, as they do by themselves."""
    before = host.announcement
    host.kill()
    host.start("--resume")
    assert {name: host.announcement[name] for name in ("port", "key")} == {
        name: before[name] for name in ("port", "key")
    }
    for client in clients:
        await client.close()
    await asyncio.gather(*(client.connect(host.address, host.key) for client in clients))


@pytest.mark.parametrize("kind", ["react", "ships", "seal", "open"])
async def test_a_killed_host_goes_on_with_the_same_game(hall: Hall, kind: str):
    host = hall.host(reaction_s=20.0)
    clients = await hall.table(host)
    for client in clients:
        client.stops_at = lambda decision: decision["kind"] == kind
    await hall.start(clients)

    def stuck() -> bool:
        waiting: list[dict[str, Any]] = clients[0].view["waiting"]
        return bool(waiting) and all(one["kind"] == kind for one in waiting)

    await clients[0].until(stuck)
    count, view = clients[0].skipped + len(clients[0].entries), codec.pack_value(clients[0].view)
    await kill_and_resume(host, clients)
    for client in clients:
        await client.until(lambda c=client: len([p for p in c.pushes if isinstance(p, Snapshot)]) == 2)  # type: ignore[misc]
    assert codec.pack_value(clients[0].view) == view
    assert clients[0].skipped == count
    for client in clients:
        client.stops_at = lambda decision: False
        await client.play_on()
    await hall.to_the_end(clients)


async def test_an_answer_whose_reply_was_lost_counts_once(hall: Hall):
    host = hall.host("--practice-seed", "0d" * 32)
    clients = await hall.table(host)
    one = clients[0]
    one.stops_at = lambda decision: decision["kind"] != "react"
    await hall.start(clients)
    decision = await one.until(one.left_to_me)
    answer = one.number(one.answer_message(decision, one.decide(decision)))
    await one.repeat(answer)
    await kill_and_resume(host, clients)
    assert (await one.repeat(answer)).ok
    one.stops_at = lambda decision: False
    await one.play_on()
    await hall.to_the_end(clients)
    entries, _ = await fetch_record(one)
    numbers = [entry[2] for entry in map(codec.unpack_value, entries) if entry[0] == "answer"]
    assert numbers.count(decision["id"]) == 1


async def test_bots_keep_their_seats_when_the_host_is_killed(hall: Hall):
    host = hall.host("--bots", "2", game={"goal": 3}, reaction_s=20.0)
    client = await hall.guest(host, 1)
    client.stops_at = lambda decision: decision["kind"] == "ships"
    await client.sit()
    await client.until(lambda: client.table and sum(info.bot for info in client.table.seats) == 2)
    await hall.start([client])
    await client.until(client.left_to_me)
    await kill_and_resume(host, [client])
    client.stops_at = lambda decision: False
    await client.until(lambda: client.view.get("prompts"))
    await client.play_on()
    await hall.to_the_end([client])
    assert not any(event["kind"] == "forfeited" for event in client.log)


async def test_a_lobby_comes_back_with_its_seats(hall: Hall):
    host = hall.host()
    client = await hall.guest(host, 1)
    await client.must(Sit(id=1, seat="green"))
    await kill_and_resume(host, [client])
    await client.until(lambda: client.table and client.table.phase == "lobby" and client.you.seat == "green")
    assert client.you.owner
