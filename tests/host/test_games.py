"""Whole games over real sockets, with a real host process."""

from __future__ import annotations

from typing import Any

from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Setup
from host.journal import Journal
from protocol import audit, codec, fairness, transcript
from protocol.messages import Page, Ready, Record, Rematch, Start
from tests.host.conftest import Hall
from tests.support.wire_client import WireClient


async def fetch_record(client: WireClient) -> tuple[list[bytes], list[bytes]]:
    """All entries of the client's game, with their openings."""
    entries: list[bytes] = []
    opened: list[bytes] = []
    while True:
        body = await client.must(Record(id=1, game=client.game, start=len(entries), count=500))
        page = codec.read_body(body, Page)
        assert page.start == len(entries)
        entries += page.entries
        opened += page.opened
        if len(entries) == page.total:
            return entries, opened


async def test_three_clients_play_a_whole_game_whose_record_holds(hall: Hall):
    host = hall.host(game={"goal": 3})
    clients = await hall.game(host)
    watcher = await hall.guest(host, 9)
    await hall.to_the_end([*clients, watcher])
    first = clients[0]
    assert first.ended is not None
    assert first.ended.outcome == "won"
    assert first.ended.winners
    assert [client.skipped for client in clients] == [1, 1, 1]

    # Everybody saw the same transcript, and it is the one that the host gives out.
    entries, opened = await fetch_record(first)
    assert all(client.entries == entries[client.skipped :] for client in clients)
    assert audit.heads(first.game, first.setup, entries)[-1] == first.ended.head.head

    # Nothing in the record is wrong, and it replays to the events that the players saw.
    setup = Setup.from_data(codec.unpack_value(first.setup))
    shares: dict[str, bytes] = {str(seat): share for seat, share in first.ended.seeds.items()}
    assert audit.check(first.game, first.setup, setup.keys, entries, opened, shares) == []
    seed = fairness.combine(first.game, shares.pop("host"), shares)
    replayed = Game.replay(setup, seed, audit.inputs(entries, opened))
    assert replayed.winners == list(first.ended.winners)
    for client in (*clients, watcher):
        seat = client.seat or None
        assert codec.pack_value(client.view) == codec.pack_value(replayed.view(seat))
    for client in clients:
        seen = [event.seen_by(client.seat) for event in replayed.events]
        assert plain(client.log) == plain([event for event in seen if event is not None])

    # What is in the journal is the same game.
    host.stop()
    journal = Journal(host.folder / "journal.sqlite")
    lines = journal.lines(first.game)
    assert [line.entry for line in lines] == entries
    assert [line.opening for line in lines] == opened
    stored = journal.game()
    assert stored is not None
    assert (stored.id, stored.state, stored.winners) == (first.game, "won", replayed.winners)
    journal.close()


def plain(data: list[dict[str, Any]]) -> list[bytes]:
    return [codec.pack_value(item) for item in data]


async def test_a_person_and_two_bots_play_and_play_again(hall: Hall):
    host = hall.host("--bots", "2", reaction_s=1.0)
    client = await hall.guest(host, 1)
    await client.sit()
    await client.until(lambda: client.table and sum(info.bot for info in client.table.seats) == 2)
    await hall.start([client])
    await hall.to_the_end([client])
    first = client.game

    await client.must(Rematch(id=1))
    await client.must(Ready(id=1, ready=True))
    await client.must(Start(id=1))
    await client.until(lambda: client.game != first and client.ended)
    assert client.errors == []
    entries, opened = await fetch_record(client)
    assert len(entries) == len(opened)
    # The bots gave no answer that was refused, and opened whatever they sealed.
    assert "refused" not in (host.folder / "bots" / "bots.log").read_text()
    assert not any(event["kind"] == "forfeited" and event["seat"] != client.seat for event in client.log)


async def test_five_players_play_a_practice_game_from_a_given_seed(hall: Hall):
    host = hall.host("--practice-seed", "07" * 32)
    clients = await hall.game(host, 5)
    await hall.to_the_end(clients)
    assert clients[0].table is not None
    assert clients[0].table.practice
    assert clients[0].ended is not None
    assert clients[0].ended.seeds == {"host": b"\x07" * 32}
    entries, _ = await fetch_record(clients[0])
    first = transcript.decode_entry(entries[0])
    assert isinstance(first, transcript.SeedsEntry)
    assert fairness.check_seed(clients[0].game, "host", first.host, b"\x07" * 32)


async def test_what_others_hold_is_in_nobodys_view(hall: Hall):
    host = hall.host(reaction_s=5.0)
    clients = await hall.game(host, plays=False)
    watcher = await hall.guest(host, 9)
    await watcher.until(lambda: watcher.view)
    assert "hand" not in watcher.view
    assert "prompts" not in watcher.view
    for client in clients:
        others = {key: value for key, value in watcher.view.items() if key != "waiting"}
        assert {key: client.view[key] for key in others} == others
        assert client.view["me"] == client.seat
        assert all(prompt["seat"] == client.seat for prompt in client.view["prompts"])
