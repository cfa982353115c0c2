"""What a host says of its table: written, read, announced, changed, taken back. On the loopback interface."""

from __future__ import annotations

import asyncio
import dataclasses

import pytest
from zeroconf.asyncio import AsyncServiceInfo

from client.wire import discovery
from host import addresses
from host.advert import Announcer
from protocol import advert, joincode
from protocol.advert import Advert, BadAdvert
from protocol.common import Clocks, SeatInfo, Table

KEY = bytes(range(32))
FULL = Advert(
    key=KEY,
    name="Ünïcode’s table",
    state="playing",
    seats=5,
    free=0,
    players=("Ann = Ben", "Ç" * 24, "x"),
    bots=2,
    practice=True,
    passphrase=True,
    versions=(1, 2),
)


def through_dns(said: Advert) -> dict[bytes, bytes | None]:
    """The record as it comes out at the other end."""
    written = AsyncServiceInfo(advert.SERVICE, f"x.{advert.SERVICE}", properties=advert.to_txt(said))
    return AsyncServiceInfo(advert.SERVICE, f"x.{advert.SERVICE}", properties=written.text).properties


@pytest.mark.parametrize("said", [FULL, Advert(KEY), Advert(KEY, name="a=b", players=("=",))])
def test_an_advert_is_read_as_it_was_written(said: Advert) -> None:
    assert advert.from_txt(through_dns(said)) == said


def test_the_version_of_the_record_stands_first() -> None:
    assert next(iter(advert.to_txt(FULL))) == "txtvers"


def test_the_longest_names_fit_into_a_record() -> None:
    said = Advert(KEY, name="𝔘" * 40, players=("𝔘" * 24,) * 5)
    read = advert.from_txt(through_dns(said))
    assert (read.name, read.players) == (said.name, said.players)


def test_an_advert_is_made_of_the_table() -> None:
    seats = [
        SeatInfo(seat="red", name="Ann", owner=True),
        SeatInfo(seat="blue", name="Blue Bot", bot=True),
        SeatInfo(seat="green", name="Cem"),
        SeatInfo(seat="yellow"),
        SeatInfo(seat="purple"),
    ]
    table = Table(name="Ours", phase="lobby", seats=seats, watchers=["Dora"], options={}, clocks=Clocks())
    said = advert.of_table(table, KEY)
    assert said == Advert(KEY, name="Ours", free=2, players=("Ann", "Cem"), bots=1)
    assert said.open
    assert not said.passphrase
    assert advert.of_table(table, KEY, True).passphrase


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("txtvers", b"2"),
        ("txtvers", None),
        ("key", b"not a key"),
        ("key", None),
        ("fp", b"0" * 16),
        ("key", joincode.write_key(bytes(32)).encode()),
    ],
)
def test_a_record_that_is_none_of_ours_is_refused(key: str, value: bytes | None) -> None:
    record = through_dns(FULL) | {key.encode(): value}
    with pytest.raises(BadAdvert):
        advert.from_txt(record)


def test_what_strangers_announce_is_made_safe() -> None:
    record = through_dns(FULL) | {
        b"name": b"\x1b[2J\xff" + b"n" * 90,
        b"p1": "\u202eAnn\n".encode(),
        b"state": b"\x07",
        b"seats": b"-1",
        b"free": b"99999999999999999999",
        b"bots": "٣".encode(),
        b"v": b"1,x,," + b"9" * 100,
        b"unknown": b"\x00",
    }
    read = advert.from_txt(record)
    assert read.name.startswith("[2J")
    assert len(read.name) <= 40
    assert read.name.isprintable()
    assert read.players[0] == "Ann"
    assert (read.state, read.seats, read.free, read.bots) == ("playing", 0, 0, 0)
    assert read.versions[0] == 1


async def found(key: bytes) -> discovery.Offer | None:
    """The table of the host with this key, if it is announced."""
    result = await discovery.search(2.0, lambda offers: any(offer.advert.key == key for offer in offers))
    assert result.problem is None
    return next((offer for offer in result.offers if offer.advert.key == key), None)


async def test_a_table_is_found_as_long_as_it_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(addresses.VARIABLE, "127.0.0.1")
    monkeypatch.setattr("host.advert.PAUSE_SECONDS", 0.1)
    key = bytes(31) + b"\x07"
    said = Advert(key, name="Here", free=3)
    announcer = Announcer("127.0.0.1", lambda: said)
    announcer.start(21977)
    try:
        offer = await found(key)
        assert offer is not None
        assert (offer.advert, offer.port, offer.addresses) == (said, 21977, ("127.0.0.1",))
        said = dataclasses.replace(said, free=0, state="playing")
        announcer.changed()
        async with asyncio.timeout(10):
            while (offer := await found(key)) is None or offer.advert != said:
                pass
    finally:
        await announcer.close()
    assert await found(key) is None


async def test_a_host_whose_network_takes_no_announcements_is_not_disturbed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(addresses.VARIABLE, "127.0.0.1")
    monkeypatch.setattr("host.advert.PAUSE_SECONDS", 0.0)
    monkeypatch.setattr("host.advert.LOOK_SECONDS", 0.01)

    def fail(*_: object) -> None:
        raise OSError("no multicast today")

    monkeypatch.setattr("host.advert._zeroconf", fail)
    announcer = Announcer("127.0.0.1", lambda: Advert(KEY))
    announcer.start(21977)
    async with asyncio.timeout(10):
        while "no multicast today" not in caplog.text:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    await announcer.close()
    assert caplog.text.count("no multicast today") == 1


def test_a_table_for_this_computer_alone_is_announced_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(addresses.VARIABLE, raising=False)
    assert addresses.announced_on("127.0.0.1") == []


def test_who_wants_no_announcements_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(addresses.VARIABLE, "none")
    assert addresses.announced_on() == []
