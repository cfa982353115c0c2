"""What is typed behind `join`, which table is meant, and which of its addresses is tried first."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from client import choosing
from client.choosing import Choice, Tables
from client.errors import Trouble
from client.home import Home
from client.wire import discovery, reaching
from client.wire.discovery import Offer
from client.wire.hosting import Running
from client.wire.interfaces import Interface
from host.keyservice import KeyService
from protocol import joincode
from protocol.advert import Advert

KEY = bytes(range(32))
CODE = joincode.short_code("10.77.1.1", 21977, KEY)
HOME = [
    Interface("lo", 1, (("127.0.0.1", 8),), (("::1", 128),)),
    Interface("wlan0", 2, (("192.168.1.7", 24),), (("fd77::7", 64), ("fe80::7", 64))),
]


def offer(name: str, number: int = 1, **more: object) -> Choice:
    key = bytes([number]) * 32
    return Choice(Offer(Advert(key, name=name, **more), 21977, (f"10.77.1.{number}",)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "words",
    [
        [CODE],
        CODE.split("-"),
        [CODE.lower().replace("-", "")],
        [CODE[:-1] + "U"],
        [CODE[:-2]],
        ["10.77.1.1"],
        ["10.77.1.1:21977"],
        ["[fe80::1]:21977"],
        ["ann.local:21977"],
        [joincode.invite("ann.local", 21977, KEY)],
        ["10.77.1.1:21977/ABC"],
    ],
)
def test_codes_and_addresses_are_told_from_names(words: list[str]) -> None:
    assert choosing.is_code(words)


@pytest.mark.parametrize(
    "words", [["Ann's", "table"], ["Ann"], ["table", "42", "of", "the", "long", "evening"], ["localhost"], ["v1.0"]]
)
def test_names_are_told_from_codes(words: list[str]) -> None:
    assert not choosing.is_code(words)


def test_a_table_is_named_by_the_beginning_of_its_name() -> None:
    ann, anna, ben = offer("Ann"), offer("Anna's table", 2), offer("Ben", 3)
    tables = Tables((ann, anna, ben))
    assert choosing.by_name(tables, "ann") is ann
    assert choosing.by_name(tables, "ANNA") is anna
    assert choosing.by_name(tables, "b") is ben
    assert choosing.by_name(tables, "c") is None
    with pytest.raises(Trouble, match=r"(?s)Several.*join 10\.77\.1\.1:21977.*join 10\.77\.1\.2:21977"):
        choosing.by_name(tables, "an")


def test_a_list_says_where_there_is_a_seat() -> None:
    playing = offer("Ann", players=("Ann", "\x1b[1mCem"), bots=1, free=2, state="playing")
    other = offer("Ben", 2, versions=(99,))
    assert choosing.lines([playing, other]) == [
        "  1  Ann  playing, 2 of 5 seats free: Ann, [1mCem, 1 bot  [10.77.1.1:21977]",
        "  2  Ben  another version of cosmic-net  [10.77.1.2:21977]",
    ]


def running(name: str, number: int = 1) -> Running:
    key = bytes([number]) * 32
    return Running(Path("x"), 1, name, 21977, "127.0.0.1", key)


async def test_a_table_of_this_computer_is_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def here(_: Path) -> list[Running]:
        return [running("Mine")]

    async def search(**_: object) -> discovery.Search:
        found = [offer("Mine", players=("Ann",)).offer, offer("Zoe", 2, state="playing").offer, offer("Bea", 3).offer]
        return discovery.Search(tuple(one for one in found if one is not None))

    monkeypatch.setattr("client.wire.hosting.running_here", here)
    monkeypatch.setattr("client.wire.discovery.search", search)
    tables = await choosing.look(Home(Path("x"), Path("x")))
    # Those with a free seat come first.
    assert [choice.name for choice in tables.choices] == ["Mine", "Bea", "Zoe"]
    assert tables.choices[0].address == "127.0.0.1:21977"
    assert "Ann" in tables.choices[0].details


def test_the_only_table_is_joined_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    only = offer("Ann")
    assert choosing.choose(Tables((only,)), plain=True) is only
    assert capsys.readouterr().out == ""


def test_no_byte_behind_the_choice_is_read(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()
    real = os.read
    monkeypatch.setattr("client.choosing.os.read", lambda _, length: real(reading, length))
    try:
        os.write(writing, b"7\nnobody\nben\nready\n")
        ben = offer("Ben", 2)
        assert choosing.choose(Tables((offer("Ann"), ben)), plain=True) is ben
        assert real(reading, 100) == b"ready\n"
    finally:
        os.close(reading)
        os.close(writing)
    assert "  2  Ben" in capsys.readouterr().out


def test_without_an_answer_it_is_said_how_to_name_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.choosing.os.read", lambda *_: b"")
    with pytest.raises(Trouble, match="cosmic-net join NAME"):
        choosing.choose(Tables((offer("Ann"), offer("Ben", 2))), plain=True)


def test_without_a_table_it_is_said_that_a_code_works() -> None:
    with pytest.raises(Trouble, match=r"\(no way\).*cosmic-net join CODE"):
        choosing.choose(Tables((), "no way"), plain=True)


def test_addresses_of_ones_own_networks_are_tried_first() -> None:
    given = [
        "172.17.0.1",
        "fe80::1",
        "fe80::1%2",
        "fd99::1",
        "127.0.0.1",
        "fd77::1",
        "192.168.1.1",
        "0.0.0.0",
        "fd77::1",
    ]
    assert discovery.in_order(given, HOME[1:]) == ("192.168.1.1", "fd77::1", "fe80::1%2", "172.17.0.1", "fd99::1")


async def listen(key: bytes) -> tuple[asyncio.Server, KeyService, int]:
    """Something that looks like a host at a port, and tells this key one port higher."""
    for port in range(30000, 60000, 7):
        keys = KeyService(key)
        if not await keys.bind("127.0.0.1", port + 1):
            continue
        try:
            return await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", port), keys, port
        except OSError:
            await keys.close()
    raise AssertionError("no port is free")


async def test_the_address_that_answers_is_taken() -> None:
    server, keys, port = await listen(KEY)
    try:
        found = await reaching.reach(("127.0.0.2", "127.0.0.1"), port, KEY)
        assert (found.address, found.key) == (f"127.0.0.1:{port}", KEY)
        assert found.words == joincode.fingerprint_words(KEY)
    finally:
        server.close()
        await keys.close()


async def test_another_host_at_the_same_address_is_not_taken() -> None:
    server, keys, port = await listen(bytes(32))
    try:
        with pytest.raises(Trouble, match="another host"):
            await reaching.reach(("127.0.0.1",), port, KEY)
    finally:
        server.close()
        await keys.close()
