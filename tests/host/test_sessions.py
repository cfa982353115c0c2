"""Connections come and go; what a player has done and was told does not."""

from __future__ import annotations

import asyncio

from protocol import codec, limits
from protocol.messages import Begin, Closing, Ping, PresencePush, Record, Reply, Resync, Say, Snapshot, Superseded
from tests.host.conftest import Hall
from tests.host.test_games import fetch_record


def code(reply: Reply) -> str | None:
    return reply.error.code if reply.error else None


def owes_more_than_a_pass(decision: dict) -> bool:
    return bool(decision["kind"] != "react")


async def test_who_is_killed_while_he_owes_an_answer_gets_the_question_back(hall: Hall):
    host = hall.host("--practice-seed", "05" * 32)
    clients = await hall.table(host)
    victim = clients[2]
    victim.stops_at = owes_more_than_a_pass
    await hall.start(clients)
    owed = await victim.until(victim.left_to_me)
    await victim.close()

    back = await hall.guest(host, 3)  # the program is started anew: it knows nothing but its secret
    assert back.you.seat == victim.seat
    await back.until(lambda: owed["id"] in back.answered)
    assert len([push for push in back.pushes if isinstance(push, Snapshot)]) == 1
    await hall.to_the_end([*clients[:2], back])


async def test_who_was_away_gets_what_he_missed_and_nothing_twice(hall: Hall):
    host = hall.host("--practice-seed", "06" * 32)
    clients = await hall.table(host)
    for client in clients:
        client.stops_at = lambda decision: decision["kind"] == "ships"
    await hall.start(clients)
    sleeper = await clients[0].until(lambda: next((c for c in clients if c.left_to_me()), None))
    others = [client for client in clients if client is not sleeper]
    for _ in range(3):
        seen = sleeper.seen
        await sleeper.close()
        await others[0].must(Say(id=1, text="where are you?"))
        await sleeper.connect(host.address, host.key)  # the same program, on a new connection
        await sleeper.until(lambda seen=seen: len([p for p in sleeper.pushes if p.n > seen]) >= 1)  # type: ignore[misc,union-attr]
    await sleeper.until(lambda: len(sleeper.said) == 3)
    for client in clients:
        client.stops_at = lambda decision: False
        await client.play_on()
    await hall.to_the_end(clients)
    assert len([push for push in sleeper.pushes if isinstance(push, Snapshot)]) == 1
    numbers = [push.n for push in sleeper.pushes]  # type: ignore[union-attr]
    assert numbers == list(range(1, len(numbers) + 1))


async def test_a_repeated_request_has_one_effect_and_one_reply(hall: Hall):
    host = hall.host("--practice-seed", "09" * 32)
    clients = await hall.table(host)
    one = clients[0]
    one.stops_at = owes_more_than_a_pass
    await hall.start(clients)
    decision = await one.until(one.left_to_me)
    answer = one.number(one.answer_message(decision, one.decide(decision)))
    replies = [await one.repeat(answer) for _ in range(3)]
    assert [reply.ok for reply in replies] == [True] * 3
    said = one.number(Say(id=1, text="only once"))
    for _ in range(3):
        await one.repeat(said)
    await one.must(Say(id=1, text="last"))
    one.stops_at = lambda decision: False
    await one.play_on()
    await hall.to_the_end(clients)
    assert [said.text for said in clients[1].said] == ["only once", "last"]
    entries, _ = await fetch_record(one)
    numbers = [entry[2] for entry in map(codec.unpack_value, entries) if entry[0] == "answer"]
    assert numbers.count(decision["id"]) == 1


async def test_a_request_survives_the_connection_by_which_it_came(hall: Hall):
    host = hall.host("--practice-seed", "09" * 32)
    clients = await hall.table(host)
    one = clients[0]
    one.stops_at = owes_more_than_a_pass
    await hall.start(clients)
    decision = await one.until(one.left_to_me)
    answer = one.number(one.answer_message(decision, one.decide(decision)))
    await one.repeat(answer)
    await one.close()
    await one.connect(host.address, host.key)
    assert (await one.repeat(answer)).ok


async def test_a_second_connection_takes_over_and_the_first_is_told(hall: Hall):
    host = hall.host()
    clients = await hall.table(host)
    again = await hall.guest(host, 1)
    assert again.you.seat == "red"
    await clients[0].until(lambda: clients[0].closed)
    assert isinstance(clients[0].closed, Superseded)
    assert code(await clients[0].request(Ping(id=1))) == "superseded"
    await again.ping()
    await hall.start([again, *clients[1:]])
    await hall.to_the_end([again, *clients[1:]])


async def test_bad_frames_are_answered_and_then_the_connection_is_shut(hall: Hall):
    host = hall.host()
    clients = await hall.table(host)
    bad = clients[2]
    frames = [b"\xc1", b"", b"\x01", codec.encode(Ping(id=7))[:-1]]
    for frame in frames:
        future = bad.expect(0)
        await bad.send_frame(frame)
        assert code(await future) == "bad-frame"
    future = bad.expect(0)
    await bad.send_frame(codec.encode(Ping(id=1)), b"more")
    assert code(await future) == "bad-frame"
    closing = await bad.until(lambda: bad.closed)
    assert isinstance(closing, Closing)
    assert closing.reason == "bad-frames"
    # Nobody else notices, and the player may come back on a new connection.
    await clients[0].ping()
    await bad.close()
    await bad.connect(host.address, host.key)
    await hall.start(clients)
    await hall.to_the_end(clients)


async def test_too_many_requests_are_refused_and_can_be_repeated(hall: Hall):
    host = hall.host()
    client = await hall.guest(host, 1)
    pings = [client.number(Ping(id=1)) for _ in range(limits.REQUEST_BURST + 20)]
    futures = [client.expect(ping.id) for ping in pings]  # type: ignore[union-attr]
    for ping in pings:
        await client.send_frame(codec.encode(ping))
    replies = [await future for future in futures]
    assert [reply.ok for reply in replies[:60]] == [True] * 60
    late = [ping for ping, reply in zip(pings, replies, strict=True) if code(reply) == "too-fast"]
    assert late
    for ping in late:
        while not (await client.repeat(ping)).ok:
            await asyncio.sleep(0.05)
    other = await hall.guest(host, 2)
    await other.ping()


async def test_resync_brings_everything_anew(hall: Hall):
    host = hall.host(reaction_s=5.0)
    clients = await hall.game(host, plays=False)
    one = clients[0]
    before = codec.pack_value(one.view)
    count = len([push for push in one.pushes if isinstance(push, Snapshot)])
    await one.must(Resync(id=1))
    await one.until(lambda: len([push for push in one.pushes if isinstance(push, Snapshot)]) == count + 1)
    assert codec.pack_value(one.view) == before
    assert one.errors == []


async def test_the_openings_of_a_game_are_kept_back_until_it_is_over(hall: Hall):
    host = hall.host()
    clients = await hall.table(host)
    clients[0].stops_at = owes_more_than_a_pass
    await hall.start(clients)
    await clients[0].until(clients[0].left_to_me)
    body = await clients[1].must(Record(id=1, game=clients[1].game, start=0))
    assert body["entries"]
    assert body.get("opened", []) == []
    reply = await clients[1].request(Record(id=1, game="no-such-game", start=0))
    assert code(reply) == "stale"


async def test_others_see_who_goes_and_who_comes_back(hall: Hall):
    host = hall.host()
    clients = await hall.table(host)
    for client in clients:
        client.stops_at = owes_more_than_a_pass
    await hall.start(clients)
    watching, absent = clients[0], clients[2]

    def told() -> list[str]:
        return [push.state for push in watching.pushes if isinstance(push, PresencePush) and push.seat == absent.seat]

    before = len(told())
    await absent.close()
    while len(told()) == before:  # a connection that is gone is noticed when something is sent there
        await watching.hello()
        await asyncio.sleep(0.2)
    await absent.connect(host.address, host.key)
    await watching.until(lambda: len(told()) == before + 2)
    await absent.bye()
    await watching.until(lambda: len(told()) == before + 3)
    assert told()[before:] == ["away", "here", "gone"]


async def test_who_looks_on_is_named_while_he_is_there(hall: Hall):
    host = hall.host()
    one, watcher = await hall.guest(host, 1), await hall.guest(host, 9)
    await one.sit()
    await one.until(lambda: one.table and one.table.watchers == ["Player 9"])
    await watcher.close()
    while one.table is None or one.table.watchers:
        await one.hello()  # whatever is sent to all
        await asyncio.sleep(0.2)


async def test_a_program_that_is_started_anew_is_told_how_things_stand_and_not_how_they_came_to_be(hall: Hall):
    host = hall.host("--practice-seed", "05" * 32)
    clients = await hall.table(host)
    for client in clients:
        client.acknowledges = False
        client.stops_at = owes_more_than_a_pass
    await hall.start(clients)
    await clients[2].close()
    back = await hall.guest(host, 3)
    assert back.table is not None
    assert back.table.phase == "playing"
    for client in clients:
        client.stops_at = lambda decision: False
    await clients[0].play_on()
    await clients[1].play_on()
    await hall.to_the_end([*clients[:2], back])
    assert not [push for push in back.pushes if isinstance(push, Begin)]
