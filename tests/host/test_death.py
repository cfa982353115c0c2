"""A host that dies at any input goes on, and the game is the one that it would have been."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from protocol import codec
from protocol.messages import Ready, Start
from tests.host.conftest import Hall
from tests.host.steps import SECRET, Played, Steps

OPENING_SECONDS = 2.0


async def play(hall: Hall, seed: str, moments: Iterable[str] = ()) -> tuple[Played, Steps]:
    """A game to its end, the host dying at these moments."""
    deaths = iter(moments)
    host = hall.host("--practice-seed", seed * 32, secret=SECRET, dies=next(deaths, ""), opening_s=OPENING_SECONDS)
    clients = await hall.table(host)
    for client in clients:
        client.stops_at = lambda decision: True
    await hall.start(clients)
    steps = Steps(host, clients, deaths)
    steps.silent = lambda client, decision: client is clients[1] and decision["kind"] == "open" and seed == "10"
    steps.passing = lambda client, decision: client is clients[2] and decision["kind"] == "react"
    played = await steps.play()
    return played, steps


def wanted(kinds: dict[str, list[int]], when: str) -> list[str]:
    """The moments of death: at one entry of each kind (the seeds are drawn anew if a host dies of them)."""
    return [f"{when} {number}" for number in sorted(found[len(found) // 2] for found in kinds.values()) if number]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("when", ["before", "after"])
async def test_the_host_dies_of_one_input_of_each_kind(hall: Hall, when: str):
    undisturbed, steps = await play(hall, "10")
    kinds = undisturbed.kinds(steps.asked)
    assert {"choose", "react", "ships", "cards", "seal", "open", "passes", "pass", "close"} <= set(kinds)
    moments = wanted(kinds, when)
    disturbed, again = await play(hall, "10", moments)
    assert again.deaths >= len(moments) - 1
    assert disturbed == undisturbed


@pytest.mark.timeout(120)
async def test_the_host_dies_of_a_deal(hall: Hall):
    undisturbed, steps = await play(hall, "03")
    deal = undisturbed.kinds(steps.asked)["deal"]
    moments = [f"before {deal[0]}", f"after {deal[0]}", f"between {deal[-1]}"]
    disturbed, again = await play(hall, "03", moments)
    assert again.deaths == len(moments)
    assert disturbed == undisturbed


@pytest.mark.soak
@pytest.mark.parametrize("seed", ["10", "03"])
async def test_the_host_dies_of_every_input_of_a_game(hall: Hall, seed: str):
    undisturbed, _ = await play(hall, seed)
    moments = [f"{when} {n}" for n in range(1, len(undisturbed.entries)) for when in ("before", "between", "after")]
    disturbed, again = await play(hall, seed, moments)
    assert again.deaths + again.missed == len(moments)
    assert disturbed == undisturbed


async def test_a_host_that_dies_of_the_start_of_a_game_goes_on_in_the_lobby(hall: Hall):
    host = hall.host(dies="before 0")
    clients = await hall.table(host)
    await clients[0].send_frame(codec.encode(clients[0].number(Start(id=1))))
    assert await host.ended() < 0
    host.start("--resume")
    for client in clients:
        await client.close()
        await client.connect(host.address, host.key)
        await client.until(lambda c=client: c.table and c.table.phase == "lobby" and c.you.seat)  # type: ignore[misc]
    await clients[1].must(Ready(id=1, ready=True))
    await clients[2].must(Ready(id=1, ready=True))
    await hall.start(clients)
    await hall.to_the_end(clients)
