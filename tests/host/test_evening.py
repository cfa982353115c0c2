"""An evening at one table: game after game with the same people, who come and go, the host's owner too."""

from __future__ import annotations

from protocol.messages import Ready, Rematch, Start
from tests.host.conftest import Hall
from tests.host.test_soak import check_record


async def test_three_games_in_a_row_with_a_reconnect_in_each(hall: Hall):
    host = hall.host()
    clients = await hall.table(host)
    played = set()
    for number in range(3):
        one = clients[number]
        one.stops_at = lambda decision: decision["kind"] == "react"
        await hall.start(clients)
        await one.until(one.left_to_me)
        await one.close()
        await one.connect(host.address, host.key)
        one.stops_at = lambda decision: False
        await one.play_on()
        await hall.to_the_end(clients)
        played.add(one.game)
        await check_record(one)
        await clients[0].must(Rematch(id=1))
        for client in clients:
            await client.must(Ready(id=1, ready=True))
    assert len(played) == 3


async def test_the_owner_may_leave_and_the_others_play_on(hall: Hall):
    host = hall.host()
    clients = await hall.game(host, 4)
    owner, *others = clients
    await hall.to_the_end(clients)
    refused = await others[0].request(Rematch(id=1))
    assert refused.error is not None
    await owner.bye()
    await others[0].until(lambda: others[0].you.owner)
    assert not others[1].you.owner
    await others[0].must(Rematch(id=1))
    for client in others:
        await client.must(Ready(id=1, ready=True))
    await hall.start(others)
    await hall.to_the_end(others)
    again = await hall.guest(host, 1)
    await others[0].until(lambda: not others[0].you.owner)
    assert again.you.owner
    assert again.you.seat is None
    reply = await others[0].request(Start(id=1))
    assert reply.error is not None
