"""Where a host listens: the port of its socket, the key service one higher, and how both are told."""

from __future__ import annotations

import asyncio
import os
import secrets
from typing import Any

from host.addresses import EVERYWHERE, likely
from host.config import Config
from host.door import Door
from host.errors import CannotStart
from host.keyservice import KeyService
from host.table import Table
from protocol import joincode, keyservice, limits, z85

TRIED = 20
BETWEEN_TRIES_SECONDS = 0.25
EXIT_NO_PORT = 3


async def listen(config: Config, door: Door, keys: KeyService, before: int | None) -> int:
    """Binds both; returns the socket's port. `before`: the port that this table had until it was killed.

    Raises CannotStart if no port is free.
    """
    for port in _candidates(config, before):
        if door.bind(config.bind, port):
            if await keys.bind(config.bind, keyservice.key_port(port)):
                return port
            door.unbind()
        if before is not None:
            await asyncio.sleep(BETWEEN_TRIES_SECONDS)  # the killed host's connections may hold it for a moment
    wanted = before or config.port
    which = f"the port {wanted} or {wanted + 1} is in use" if wanted else "no free port was found"
    raise CannotStart(f"{which}; name another with --port", EXIT_NO_PORT)


def _candidates(config: Config, before: int | None) -> list[int]:
    if before is not None:
        return [before] * TRIED
    if config.port == 0:
        return [49152 + 2 * secrets.randbelow(8000) for _ in range(TRIED)]
    if config.port is not None:
        return [config.port]
    return [limits.DEFAULT_PORT + 2 * step for step in range(TRIED)]


def own_address(config: Config) -> str:
    """The address by which programs on this computer reach the host."""
    return "127.0.0.1" if config.bind in EVERYWHERE else config.bind


def announcement(config: Config, table: Table, port: int, key: bytes, passphrase: bool) -> dict[str, Any]:
    """What stands in `table.json`, for the client that started this host."""
    addresses = likely() if config.bind in EVERYWHERE else [config.bind]
    return {
        "v": 1,
        "pid": os.getpid(),
        "name": table.name,
        "practice": table.practice,
        "passphrase": passphrase,
        "port": port,
        "key_port": keyservice.key_port(port),
        "address": own_address(config),
        "addresses": addresses,
        "key": z85.encode(key).decode(),
        "codes": [joincode.short_code(address, port, key) for address in addresses if ":" not in address],
        "invites": [joincode.invite(address, port, key) for address in addresses],
    }
