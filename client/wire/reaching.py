"""Which of several addresses of a host can be reached: all are tried, the likeliest first, the quickest wins."""

from __future__ import annotations

import asyncio
import contextlib

from client.errors import Trouble
from client.wire.finding import Found, ask, no_answer, reason
from protocol import joincode
from protocol.joincode import Invite

SECONDS = 3.0
"""After so long without an answer the player is told so."""
HEAD_START_SECONDS = 0.2
"""How long one address is waited for before the next is tried, too."""
KEY_SECONDS = 1.0


class OtherHost(OSError):
    """Another host than the one that is meant answers at an address."""


async def reach(addresses: tuple[str, ...], port: int, key: bytes) -> Found:
    """The address at which the host with this key answers. Raises Trouble if there is none."""
    attempts = [asyncio.create_task(_attempt(host, port, key, number)) for number, host in enumerate(addresses)]
    failures: list[str] = []
    try:
        async with asyncio.timeout(SECONDS):
            for attempt in asyncio.as_completed(attempts):
                try:
                    address = await attempt
                except OSError as error:
                    failures.append(reason(error))
                else:
                    words = await asyncio.to_thread(joincode.fingerprint_words, key)
                    return Found(address, key, words)
    except TimeoutError:
        pass
    finally:
        for task in attempts:
            task.cancel()
        await asyncio.gather(*attempts, return_exceptions=True)
    where = " or ".join(Invite(host, port).address for host in addresses[:2])
    raise Trouble(no_answer(where, failures[0] if len(failures) == len(addresses) else "nothing came back"))


async def _attempt(host: str, port: int, key: bytes, number: int) -> str:
    """HOST:PORT if the host can be reached there. Raises OSError if not."""
    await asyncio.sleep(number * HEAD_START_SECONDS)
    _, writer = await asyncio.open_connection(host, port)
    writer.close()
    # The same address may belong to several computers, such as that of a virtual network in each of them.
    if await _key_at(host, port) not in (None, key):
        raise OtherHost("another host answers there")
    return Invite(host, port).address


async def _key_at(host: str, port: int) -> bytes | None:
    """The key that is told there; None if nothing is, which proves nothing."""
    with contextlib.suppress(OSError, ValueError):
        async with asyncio.timeout(KEY_SECONDS):
            return (await ask(host, port)).key
    return None
