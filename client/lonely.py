"""What a host's player is told if nobody comes: that it may not be for want of guests."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable

from client.game.told import Told
from client.show.style import width_of, wrap
from client.wire.hosting import Running, codes_to_tell
from protocol import joincode, keyservice

SECONDS = 60.0


async def hint(running: Running, told: Told, show: Callable[[list[str]], None], seconds: float = SECONDS) -> None:
    """Shows a hint if nobody else is at the table after a minute in the lobby."""
    if _for_this_computer_only(running):
        return
    await asyncio.sleep(seconds)
    table = told.table
    if table is None or table.phase != "lobby":
        return
    if any(seat.name and not seat.bot and not seat.owner for seat in table.seats) or table.watchers:
        return
    ports = f"{running.port} and {keyservice.key_port(running.port)}"
    text = (
        f"Nobody has come yet. If somebody is trying: a firewall on this computer may block the TCP ports {ports} (let "
        "Python through it), or the network keeps its computers apart. `cosmic-net doctor` here, and `cosmic-net "
        "doctor CODE` on the other computer, look for the cause."
    )
    show(wrap(text, width_of()))


def _for_this_computer_only(running: Running) -> bool:
    hosts = [joincode.parse(code).host for code in codes_to_tell(running)]
    return all(_is_loopback(host) for host in hosts)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
