"""Those who look on: what the whole table may see, perhaps later, and nothing that a player may do."""

from __future__ import annotations

import time

import pytest

from protocol import codec
from protocol.messages import (
    Ended,
    House,
    Leave,
    Lobby,
    Record,
    Rematch,
    Said,
    Say,
    SetOptions,
    Sit,
    Snapshot,
    Table,
    Update,
    Welcome,
)
from tests.host.conftest import Hall
from tests.support.wire_client import WireClient

DELAY = 1.0


class Watch:
    """Notes when a client was first shown each state of the game, by the number of its entries."""

    def __init__(self, client: WireClient) -> None:
        self.times: dict[int, float] = {}
        self.phases: dict[str, float] = {}
        self.tables: list[Table] = []
        self.ended = 0.0
        note = client._note

        async def noting(push: object) -> None:
            now = time.monotonic()
            if isinstance(push, Ended):
                self.ended = now
            elif isinstance(push, Lobby):
                self.phases.setdefault(push.table.phase, now)
                self.tables.append(push.table)
            await note(push)  # type: ignore[arg-type]
            if isinstance(push, Snapshot | Update):
                self.times.setdefault(client.count, now)

        client._note = noting  # type: ignore[method-assign]


def private(client: WireClient) -> set[str]:
    return {"me", "hand", "prompts", "seen", "hoard", "sheets"} & set(client.view)


@pytest.mark.parametrize("delay", [0.0, DELAY])
async def test_who_looks_on_sees_what_all_may_see_and_not_before_it_is_time(hall: Hall, delay: float):
    host = hall.host("--house", f'{{"watch_delay_s": {delay}}}', "--practice-seed", "03" * 32)
    clients = await hall.table(host)
    player = Watch(clients[0])
    watcher = await hall.guest(host, 8, plays=False)
    seen = Watch(watcher)
    await hall.start(clients)
    late = await hall.guest(host, 9, plays=False)
    body = await late.must(Record(id=1, game=clients[0].game, start=0))
    total = clients[0].skipped + len(clients[0].entries)
    if delay:
        assert body["total"] < max(total, 2), "the record is not shown before the game"
    await hall.to_the_end([*clients, watcher, late])
    for one in (watcher, late):
        assert private(one) == set()
        assert codec.pack_value(one.view) == codec.pack_value(
            {key: value for key, value in clients[0].view.items() if key in one.view}
        )
    assert seen.times
    if delay:  # the host's delay is exact; how soon this process gets to reading is not
        assert all(at - player.times.get(count, at - delay) >= delay / 2 for count, at in seen.times.items())
        assert seen.ended - player.ended >= delay / 2
        assert [phase for phase in seen.phases if phase != "lobby"] == ["playing", "over"]
        began, over = seen.phases["playing"], seen.phases["over"]
        assert began - player.phases["playing"] >= delay / 2
        assert over - player.phases["over"] >= delay / 2
    body = await watcher.must(Record(id=1, game=watcher.game, start=0))
    assert body["total"] == clients[0].skipped + len(clients[0].entries)
    assert len(body["opened"]) == body["total"]


async def test_who_looks_on_later_hears_nothing_at_the_time_of_what_happens_in_a_game(hall: Hall):
    host = hall.host("--house", '{"watch_delay_s": 600}', reaction_s=20.0)
    clients = await hall.table(host, 4, pings=True)
    watcher = await hall.guest(host, 8, plays=False, pings=True)
    for client in clients:
        client.stops_at = lambda decision: True
    await watcher.until(lambda: watcher.table and all(seat.ready for seat in watcher.table.seats[:4]))
    seen = Watch(watcher)
    await hall.start(clients)
    *clients, lost = clients
    await lost.close()
    await clients[0].until(lambda: clients[0].table and clients[0].table.away)
    late = await hall.guest(host, 9, plays=False, pings=True)
    assert late.game == ""
    assert late.table is not None
    assert (late.table.phase, late.table.game, late.table.away) == ("lobby", None, [])
    await watcher.until(lambda: watcher.table and "Player 9" in watcher.table.watchers)
    assert {(table.phase, table.game, *(seat.presence for seat in table.seats)) for table in seen.tables} == {
        ("lobby", None, *["here"] * 4, "gone")
    }
    assert len({codec.encode(Lobby(n=0, table=table, you=watcher.you)) for table in seen.tables}) == len(seen.tables)
    body = codec.read_body((await late.request(late.hello_message())).body, Welcome)
    assert body.game is None


async def test_who_looks_on_later_sees_the_next_lobby_later_and_whoever_stands_up_hears_so(hall: Hall):
    host = hall.host("--house", f'{{"watch_delay_s": {2 * DELAY}}}', "--practice-seed", "03" * 32)
    clients = await hall.table(host)
    watcher = await hall.guest(host, 8, plays=False)
    seen = Watch(watcher)
    await hall.start(clients)
    await hall.to_the_end(clients)
    await clients[2].must(Leave(id=1))
    await clients[2].until(lambda: clients[2].you.seat is None)
    await clients[0].must(Rematch(id=1))
    back = time.monotonic()
    await watcher.until(lambda: "over" in seen.phases and watcher.table and watcher.table.phase == "lobby")
    assert time.monotonic() - back >= DELAY / 2
    assert watcher.table is not None
    assert [seat.name for seat in watcher.table.seats[:3]] == ["Player 1", "Player 2", ""]
    await clients[0].must(SetOptions(id=1, house=House(watch_delay_s=0.0)))
    await clients[2].must(Sit(id=1))
    await watcher.until(lambda: watcher.table and watcher.table.seats[2].name == "Player 3")


async def test_who_looks_on_cannot_play_and_is_no_player(hall: Hall):
    host = hall.host("--practice-seed", "03" * 32, reaction_s=20.0)
    clients = await hall.table(host)
    for client in clients:
        client.stops_at = lambda decision: decision["kind"] == "ships"
    await hall.start(clients)
    owing = await clients[0].until(lambda: next((client for client in clients if client.left_to_me()), None))
    decision = owing.left_to_me()
    assert decision is not None
    watcher = await hall.guest(host, 9, plays=False)
    watcher.name = clients[0].name
    await watcher.hello()
    await watcher.until(lambda: watcher.view)
    for message in (watcher.answer_message(decision, owing.decide(decision)), watcher.pass_message("turn")):
        reply = await watcher.request(message)
        assert reply.error is not None
        assert reply.error.code in ("not-seated", "bad-frame")
    await watcher.must(Say(id=1, text="I am a player"))
    said: Said = await clients[0].until(lambda: clients[0].said[-1] if clients[0].said else None)
    assert (said.seat, said.name) == (None, "Player 1 (2)")
    for client in clients:
        client.stops_at = lambda decision: False
        await client.play_on()
    await hall.to_the_end([*clients, watcher])
