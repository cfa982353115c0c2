"""The hosts on this computer: whether they run, and answer at each of its addresses."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import socket
from typing import Any

from client.doctor.report import Report
from client.errors import Trouble
from client.home import Home
from client.wire import hosting
from client.wire.finding import fetch_key
from client.wire.hosting import Running
from client.wire.interfaces import Interface
from protocol import keyservice, limits
from protocol.joincode import Invite
from protocol.text import clean


async def check(report: Report, home: Home, there: list[Interface]) -> list[Running]:
    """Looks at the hosts that run here, or whether one could. Returns them."""
    running = await hosting.running_here(home.tables)
    if not running:
        report.note("no table is hosted here")
        _ports(report)
    for table in running:
        await _answers(report, table, there)
    return running


async def _answers(report: Report, table: Running, there: list[Interface]) -> None:
    name = f'the host of "{clean(table.name)}" (port {table.port})'
    if ipaddress.ip_address(table.address).is_loopback and _for_here_only(table):
        report.note(f"{name} is for players on this computer only", "cosmic-net host, without --here, is for others")
        return
    outward = [address for one in there if not one.local for address, _ in one.v4]
    keys = await asyncio.gather(*(_key(Invite(address, table.port)) for address in outward))
    for address, key in zip(outward, keys, strict=True):
        if key == table.key:
            report.ok(f"{name} answers at {address}")
        else:
            what = "another host" if key else "nothing"
            report.problem(
                f"{name} runs, but {what} answers at {address}", "restart it: cosmic-net tables --stop, then resume"
            )
    if not outward:
        report.note(f"{name} runs, but this computer has no IPv4 address in a network")


def _for_here_only(table: Running) -> bool:
    return all(Invite("127.0.0.1", table.port).address in invite for invite in table.invites)


async def _key(invite: Invite) -> bytes | None:
    try:
        return await fetch_key(invite)
    except Trouble:
        return None


def _ports(report: Report) -> None:
    """Whether the default ports could be had."""
    for port in (limits.DEFAULT_PORT, keyservice.key_port(limits.DEFAULT_PORT)):
        if (failure := _bind(port)) is None:
            continue
        if failure == errno.EADDRINUSE:
            report.note(
                f"port {port} is taken by another program; a host here would take the next free one, and its join code "
                "says so"
            )
        else:
            report.problem(f"nothing may listen on port {port} here", "host with another one: cosmic-net host --port N")
        return
    first, last = limits.DEFAULT_PORT, keyservice.key_port(limits.DEFAULT_PORT)
    report.ok(f"the ports {first} and {last} are free for one")


def _bind(port: int) -> int | None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            exclusive: Any = socket.SO_EXCLUSIVEADDRUSE
            listener.setsockopt(socket.SOL_SOCKET, exclusive, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("", port))
        except OSError as error:
            return error.errno or -1
    return None
