"""The doctor's parts that need no network of their own, and the hint for a host to whom nobody comes."""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from client import lonely, main
from client.doctor import machine, multicast, own
from client.doctor.other import Other
from client.doctor.report import Report
from client.game.told import Told
from client.wire.discovery import Search
from client.wire.hosting import Running
from client.wire.interfaces import Interface, interfaces
from host import addresses
from protocol import joincode
from protocol.common import Clocks, SeatInfo, Table

KEY = bytes(range(32))
LO = next(replace(one, v6=()) for one in interfaces() if one.local)


def test_problems_are_counted_and_say_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report()
    report.ok("fine")
    report.note("by the way", "look")
    report.problem("broken", "mend it", "or leave it")
    assert report.problems == 1
    assert capsys.readouterr().out.splitlines() == [
        "ok       fine",
        "note     by the way",
        "         -> look",
        "problem  broken",
        "         -> mend it",
        "         -> or leave it",
    ]


def test_linux_in_windows_is_told_and_is_a_problem_for_a_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    version = tmp_path / "version"
    version.write_text("Linux version 5.15.153.1-microsoft-standard-WSL2 (root@x)")
    monkeypatch.setattr("client.doctor.machine.PROC_VERSION", version)
    report = Report()
    machine.surroundings(report, hosting=False)
    assert report.problems == 0
    machine.surroundings(report, hosting=True)
    assert report.problems == 1
    assert "networkingMode=mirrored" in capsys.readouterr().out
    version.write_text("Linux version 6.1.0-18-amd64")
    assert not machine.in_wsl()


@pytest.mark.parametrize(
    ("platform", "said"), [("win32", "New-NetFirewallRule"), ("darwin", "Local Network"), ("linux", "sudo ufw allow")]
)
def test_each_system_has_its_hint_about_firewalls(
    platform: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ufw = tmp_path / "ufw.conf"
    ufw.write_text("# /etc/ufw/ufw.conf\nENABLED=yes\n")
    monkeypatch.setattr("client.doctor.machine.UFW", ufw)
    monkeypatch.setattr("client.doctor.machine.sys.platform", platform)
    hint = " ".join(machine.firewall_hint())
    assert said in hint
    assert "21977" in hint or platform == "darwin"


def test_a_computer_that_only_its_cable_knows_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report()
    machine.addresses(report, [Interface("lan0", 2, (("169.254.7.7", 16),)), Interface("vm0", 3, (("10.0.0.1", 8),))])
    told = capsys.readouterr().out
    assert "ok       lan0: 169.254.7.7/16\n" in told
    assert "in several networks" in told
    machine.addresses(report, [Interface("lan0", 2, (("169.254.7.7", 16),))])
    assert "no router has given this computer an address" in capsys.readouterr().out
    assert report.problems == 0
    machine.addresses(report, [LO])
    assert report.problems == 1


def test_multicast_that_comes_back_is_fine(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report()
    assert multicast.check(report, [LO])
    assert f"ok       multicast leaves and comes back on {LO.name} (IPv4)\n" in capsys.readouterr().out


def test_multicast_that_cannot_leave_is_a_problem(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report()
    assert not multicast.check(report, [Interface("gone0", 99, (("203.0.113.9", 24),))])
    assert report.problems == 1
    assert "multicast does not work on gone0 (IPv4: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("failure", "word", "said"),
    [
        (None, "ok", "are free"),
        (errno.EADDRINUSE, "note", "port 21977 is taken by another program"),
        (errno.EACCES, "problem", "nothing may listen on port 21977"),
    ],
)
async def test_the_ports_for_a_host_are_looked_at(
    failure: int | None,
    word: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("client.doctor.own._bind", lambda _: failure)
    home: Any = type("Home", (), {"tables": tmp_path})
    assert await own.check(Report(), home, [LO]) == []
    [line] = [line for line in capsys.readouterr().out.splitlines() if said in line]
    assert line.startswith(word)


@pytest.fixture
def stranger() -> Iterator[int]:
    """A program that is no host: it takes connections on two ports in a row, and greets. The first of them."""
    servers: list[socket.socket] = []
    for port in range(31000, 60000, 11):
        try:
            servers = [socket.create_server(("127.0.0.1", number)) for number in (port, port + 1)]
            break
        except OSError:
            continue

    def greet(server: socket.socket) -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection:
                connection.sendall(b"220 mail.example ready\r\n")

    threads = [threading.Thread(target=greet, args=(server,)) for server in servers]
    for thread in threads:
        thread.start()
    yield int(servers[0].getsockname()[1])
    for server in servers:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
    for thread in threads:
        thread.join()


async def test_a_program_that_is_no_host_is_told(stranger: int, capsys: pytest.CaptureFixture[str]) -> None:
    report = Report()
    await Other(report, [LO]).check(f"127.0.0.1:{stranger}", Search())
    assert report.problems == 1
    assert f"what answers on port {stranger + 1} is no cosmic-net host" in capsys.readouterr().out
    await Other(report, [LO]).check(joincode.invite("127.0.0.1", stranger, KEY), Search())
    assert report.problems == 2
    assert "it is no cosmic-net host" in capsys.readouterr().out


async def test_a_mistyped_code_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report()
    await Other(report, [LO]).check("ABCD", Search())
    assert report.problems == 1
    assert "this is no join code: a join code has 28" in capsys.readouterr().out


def test_without_a_way_to_search_the_doctor_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COSMIC_NET_HOME", str(tmp_path))
    monkeypatch.setenv(addresses.VARIABLE, "none")
    assert main.main(["doctor"]) == 1
    told = capsys.readouterr().out
    problem = "problem  there is no network interface to look on, as COSMIC_NET_INTERFACES is set to 'none'"
    assert f"{problem}\n         -> join by code" in told
    assert "COSMIC_NET_INTERFACES is set" in told


# ---- a host to whom nobody comes


def table(*names: str, phase: Any = "lobby") -> Table:
    seats: list[Any] = ["red", "blue", "green", "yellow", "purple"]
    told = [SeatInfo(seat=seat, name=name, owner=name == "Ann") for seat, name in zip(seats, names, strict=False)]
    return Table(name="", phase=phase, seats=told, watchers=[], options={}, clocks=Clocks())


def hosted_at(address: str) -> Running:
    code = joincode.short_code(address, 21977, KEY)
    return Running(Path("x"), 1, "Ann's", 21977, "127.0.0.1", KEY, codes=(code,))


@pytest.mark.parametrize(
    ("running", "now", "hinted"),
    [
        (hosted_at("10.77.1.1"), table("Ann"), True),
        (hosted_at("10.77.1.1"), table("Ann", "Ben"), False),
        (hosted_at("10.77.1.1"), table("Ann", phase="playing"), False),
        (hosted_at("127.0.0.1"), table("Ann"), False),
    ],
)
async def test_a_host_is_told_what_may_keep_the_others_away(running: Running, now: Table, hinted: bool) -> None:
    told = Told(lambda note: None, lambda: None)
    told.table = now
    lines: list[str] = []
    async with asyncio.timeout(5):
        await lonely.hint(running, told, lines.extend, seconds=0.01)
    assert bool(lines) is hinted
    if hinted:
        assert "21977 and 21978" in " ".join(lines)
        assert "cosmic-net doctor" in " ".join(lines)


# ---- the addresses of a host


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        # A card of a virtual machine comes behind the real one, even if the routes lead there.
        ([("VirtualBox Host-Only", "192.168.56.1"), ("Wi-Fi", "192.168.1.7")], ["192.168.1.7", "192.168.56.1"]),
        ([("lan0", "10.99.0.1"), ("lan1", "10.77.1.1")], ["10.77.1.1", "10.99.0.1"]),
        ([("lan0", "169.254.1.1"), ("lan1", "10.77.1.1")], ["10.77.1.1"]),
        ([("lan0", "169.254.1.1")], ["169.254.1.1"]),
        ([], ["127.0.0.1"]),
    ],
)
def test_a_hosts_likeliest_address_comes_first(
    there: list[tuple[str, str]], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = [addresses.Interface("lo", ("127.0.0.1",), ("::1",))]
    cards += [addresses.Interface(name, (address,), ("fe80::1",)) for name, address in there]
    monkeypatch.setattr("host.addresses.interfaces", lambda: cards)
    monkeypatch.setattr("host.addresses._routed", lambda: ["192.168.56.1", "10.77.1.1"])
    assert addresses.likely() == expected
