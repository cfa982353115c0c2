"""The table before a game: who comes in, who sits where, what the owner may do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from protocol import keyservice, passphrase
from protocol.messages import (
    Bot,
    Clocks,
    Closing,
    Error,
    Kick,
    Leave,
    Ping,
    Ready,
    Reply,
    Say,
    SetOptions,
    Sit,
    Start,
    Table,
)
from tests.host.conftest import Hall
from tests.host.hosts import HostProcess
from tests.support.wire_client import WireClient


@pytest.fixture(scope="module")
def open_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostProcess]:
    """A host for the tests that leave no trace: they sit nowhere when they are over."""
    with HostProcess(tmp_path_factory.mktemp("open") / "table") as host:
        yield host


def names(table: Table | None) -> dict[str, str]:
    assert table is not None
    return {info.seat: info.name for info in table.seats if info.name}


def code(reply: Reply) -> str:
    assert isinstance(reply.error, Error)
    return reply.error.code


async def test_the_key_service_tells_the_hosts_key(hall: Hall, open_table: HostProcess):
    host = open_table
    reader, writer = await asyncio.open_connection("127.0.0.1", host.announcement["key_port"])
    writer.write(keyservice.REQUEST)
    found = keyservice.read_response(await asyncio.wait_for(reader.read(), 5))
    writer.close()
    assert found.key == host.key
    assert found.speaks_ours


async def test_a_client_with_another_hosts_key_does_not_get_in(hall: Hall, open_table: HostProcess):
    host = open_table
    client = hall.client(1)
    client.open_socket(host.address, hall.client(2).identity.curve_key)
    assert await client.refused_by_door() == "HANDSHAKE_FAILED_NO_DETAIL"


async def test_a_client_whose_proof_is_wrong_is_refused(hall: Hall, open_table: HostProcess):
    host = open_table
    client, other = hall.client(1), hall.client(2)
    client.open_socket(host.address, host.key)
    reply = await client.request(client.hello_message(proof=other.identity.prove(host.key)))
    assert code(reply) == "refused"
    reply = await client.request(client.hello_message(versions=[999]))
    assert code(reply) == "version"
    await client.hello()


async def test_nothing_is_done_before_hello(hall: Hall, open_table: HostProcess):
    host = open_table
    client = hall.client(1)
    client.open_socket(host.address, host.key)
    for request in (Sit(id=1), Ping(id=1), Start(id=1)):
        assert code(await client.request(request)) == "hello-first"


async def test_seats_are_taken_changed_and_given_up(hall: Hall, open_table: HostProcess):
    host = open_table
    ada, ben = await hall.guest(host, 1), await hall.guest(host, 2)
    assert await ada.must(Sit(id=1)) == {"seat": "red"}
    assert await ben.must(Sit(id=1, seat="green")) == {"seat": "green"}
    assert code(await ben.request(Sit(id=1, seat="red"))) == "refused"
    assert await ben.must(Sit(id=1, seat="blue")) == {"seat": "blue"}
    await ada.until(lambda: names(ada.table) == {"red": "Player 1", "blue": "Player 2"})
    await ben.until(lambda: ben.you.seat == "blue")
    await ben.must(Leave(id=1))
    await ada.until(lambda: names(ada.table) == {"red": "Player 1"})
    assert ada.table is not None
    assert ada.table.watchers == ["Player 2"]
    await ada.bye()
    await ben.until(lambda: names(ben.table) == {})
    await ben.bye()


async def test_two_players_of_the_same_name_can_be_told_apart(hall: Hall, open_table: HostProcess):
    host = open_table
    clients = []
    for number in (11, 12, 13):
        client = hall.client(number)
        client.name = "Ada"
        await client.connect(host.address, host.key)
        await client.must(Sit(id=1))
        clients.append(client)
    await client.until(lambda: names(client.table) == {"red": "Ada", "blue": "Ada (2)", "green": "Ada (3)"})
    for client in clients:
        await client.bye()


async def test_only_the_owner_decides(hall: Hall):
    host = hall.host()
    _, ben = await hall.guest(host, 1), await hall.guest(host, 2)
    for request in (
        Start(id=1),
        SetOptions(id=1, options={"goal": 1}),
        Bot(id=1, action="add"),
        Kick(id=1, seat="red"),
    ):
        assert code(await ben.request(request)) == "refused"


async def test_the_owner_named_at_the_start_is_the_owner_whoever_comes_first(hall: Hall):
    key = hall.client(2).identity.curve_key
    host = hall.host("--owner", key.hex())
    ada, ben = await hall.guest(host, 1), await hall.guest(host, 2)
    await ben.until(lambda: ben.you.owner)
    assert not ada.you.owner


async def test_options_and_clocks_are_set_and_readiness_taken_back(hall: Hall):
    host = hall.host()
    ada, ben = await hall.guest(host, 1), await hall.guest(host, 2)
    await ben.sit()
    await ada.must(SetOptions(id=1, options={"goal": 4}, clocks=Clocks(reaction_s=1.5)))
    table = await ben.until(lambda: ben.table if ben.table and ben.table.options["goal"] == 4 else None)
    assert table.clocks.reaction_s == 1.5
    assert table.options["planets"] == 4  # what was set before stays
    assert not any(info.ready for info in table.seats)
    for wrong in ({"planets": 9}, {"colour": 1}, {"goal": "many"}, {"planets": 4.0}, {"flares": 1}, {"pool": [1]}):
        assert code(await ada.request(SetOptions(id=1, options=wrong))) == "refused"


async def test_a_start_needs_three_players_who_are_ready(hall: Hall):
    host = hall.host()
    clients = [await hall.guest(host, number) for number in (1, 2, 3)]
    for client in clients[:2]:
        await client.sit()
    reply = await clients[0].request(Start(id=1))
    assert reply.error is not None
    assert "3 to 5 players" in reply.error.text
    await clients[2].must(Sit(id=1))
    reply = await clients[0].request(Start(id=1))
    assert reply.error is not None
    assert "Player 3" in reply.error.text
    await clients[2].must(Ready(id=1, ready=True))
    await clients[0].must(Start(id=1))
    assert code(await clients[0].request(Start(id=1))) == "refused"


async def test_options_that_nobody_can_play_with_are_refused_at_the_start(hall: Hall):
    host = hall.host(game={"pool": ["zombie"], "aliens": "random"})
    clients = await hall.table(host)
    assert code(await clients[0].request(Start(id=1))) == "refused"
    assert clients[0].table is not None
    assert clients[0].table.phase == "lobby"


async def test_bots_come_and_go(hall: Hall):
    host = hall.host()
    ada = await hall.guest(host, 1)
    assert await ada.must(Bot(id=1, action="add", seat="green")) == {"seat": "green"}
    assert await ada.must(Bot(id=1, action="add")) == {"seat": "purple"}
    table = await ada.until(lambda: ada.table if len(names(ada.table)) == 2 else None)
    assert all(info.bot and info.ready and info.presence == "here" for info in table.seats if info.name)
    assert await ada.must(Bot(id=1, action="remove", seat="green")) == {"seat": "green"}
    await ada.until(lambda: list(names(ada.table)) == ["purple"])
    assert code(await ada.request(Bot(id=1, action="remove", seat="green"))) == "refused"


async def test_who_is_sent_away_is_not_let_in_again(hall: Hall):
    host = hall.host()
    ada, ben = await hall.guest(host, 1), await hall.guest(host, 2)
    await ben.must(Sit(id=1, seat="blue"))
    await ada.must(Kick(id=1, seat="blue"))
    closing = await ben.until(lambda: ben.closed)
    assert isinstance(closing, Closing)
    assert closing.reason == "kicked"
    await ada.until(lambda: names(ada.table) == {})
    await ben.close()
    ben.open_socket(host.address, host.key)
    assert await ben.refused_by_door() == "HANDSHAKE_FAILED_AUTH"


async def test_what_is_said_is_heard_by_all_in_order(hall: Hall, open_table: HostProcess):
    host = open_table
    ada, ben = await hall.guest(host, 1), await hall.guest(host, 2)
    await ada.must(Sit(id=1))
    for number in range(3):
        await ada.must(Say(id=1, text=f"hello {number}"))
    await ben.must(Say(id=1, text="hi"))
    await ben.until(lambda: len(ben.said) == 4)
    assert [(said.seat, said.name, said.text) for said in ben.said] == [
        ("red", "Player 1", "hello 0"),
        ("red", "Player 1", "hello 1"),
        ("red", "Player 1", "hello 2"),
        (None, "Player 2", "hi"),
    ]
    await ada.bye()


async def test_who_talks_without_end_is_slowed_down(hall: Hall, open_table: HostProcess):
    host = open_table
    ada = await hall.guest(host, 21)
    replies = [await ada.request(Say(id=1, text="la")) for _ in range(12)]
    assert [reply.ok for reply in replies[:8]] == [True] * 8
    assert "too-fast" in [reply.error.code for reply in replies if reply.error]


@pytest.mark.parametrize("rest", [[], ["--options", '{"planets": 9}'], ["--practice-seed", "07"]])
def test_a_host_that_cannot_start_says_why_and_ends(hall: Hall, rest: list[str]):
    host = hall.host()
    again = [*rest] if rest else []
    folder = host.folder if not rest else hall.folder / "other"
    status, text = run_host(str(folder), *again)
    assert status in (1, 2)
    assert "Traceback" not in text
    assert text.strip()


def run_host(*arguments: str) -> tuple[int, str]:
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "host", *arguments, "--port", "0"], capture_output=True, text=True, timeout=20
    )
    return done.returncode, done.stderr


async def test_a_port_that_is_taken_is_passed_over(hall: Hall):
    first = hall.host(port=None)
    second = hall.host(port=None)
    assert second.announcement["port"] != first.announcement["port"]
    for host in (first, second):
        client = await hall.guest(host, 1)
        await client.ping()


async def test_a_host_that_is_stopped_says_goodbye(hall: Hall):
    host = hall.host()
    client: WireClient = await hall.guest(host, 1)
    assert await asyncio.to_thread(host.stop) == 0
    closing = await client.until(lambda: client.closed)
    assert isinstance(closing, Closing)
    assert closing.reason == "host-stops"
    assert not (host.folder / "table.json").exists()


async def test_a_deserted_table_closes_by_itself(hall: Hall):
    host = hall.host("--linger", "0.5")
    client = await hall.guest(host, 1)
    await client.bye()
    assert await host.ended() == 0


async def test_a_table_with_a_passphrase_lets_in_who_knows_it_and_who_was_there_before(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COSMIC_NET_PASSPHRASE", "three blue stars")
    host = hall.host("--owner", hall.client(1).identity.curve_key.hex(), "--bots", "1")
    key = passphrase.make_key("three blue stars", host.key)
    owner = await hall.guest(host, 1)
    await owner.until(lambda: owner.table and any(seat.bot for seat in owner.table.seats))

    stranger = hall.client(2)
    stranger.open_socket(host.address, host.key)
    right = passphrase.prove(key, host.key, stranger.identity.curve_key)
    others = passphrase.prove(key, host.key, owner.identity.curve_key)

    async def tried(proof: bytes | None) -> str:
        reply = await stranger.request(stranger.hello_message(passphrase=proof))
        return reply.error.code if reply.error is not None else ""

    assert [await tried(proof) for proof in (None, bytes(32), others)] == ["passphrase"] * 3
    assert stranger.table is None, "who is not let in is told nothing"
    assert await tried(right) == ""
    assert await tried(None) == "", "who was let in once is known"
    await stranger.must(Sit(id=1))
    host.kill()
    host.start("--resume")
    await stranger.close()
    await stranger.connect(host.address, host.key)

    guesser = hall.client(3)
    guesser.open_socket(host.address, host.key)
    codes = []
    for _ in range(8):
        reply = await guesser.request(guesser.hello_message(passphrase=bytes(32)))
        codes.append(reply.error.code if reply.error else None)
    assert set(codes) == {"passphrase", "too-fast"}
    assert "three blue stars" not in host.log
