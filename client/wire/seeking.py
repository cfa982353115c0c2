"""Looking for a host that may have another address now, as long as the connection to it is gone.

What the search finds is tried beside the old address, never instead: everybody in the LAN can announce anything. That
it is the same host, the encrypted connection proves.
"""

from __future__ import annotations

import asyncio
import ipaddress
import itertools
import logging
from collections.abc import Callable

from client.errors import Trouble
from client.wire import discovery, reaching
from client.wire.discovery import Offer
from protocol import joincode

log = logging.getLogger(__name__)

WAITS = (1.0, 2.0, 3.0, 5.0, 8.0, 10.0)
"""Seconds before each search; the last one repeats."""
TRIAL_SECONDS = 4.0
"""So long another address may take before the old one is tried again."""


class Seeker:
    """Looks for one host.

    `move` is called with every address that is to be tried, `in_vain` after the first search that has found nothing.
    """

    def __init__(self, key: bytes, address: str, *, move: Callable[[str], None], in_vain: Callable[[], None]) -> None:
        self._key = key
        self._home = address
        self._move = move
        self._in_vain = in_vain
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """The connection is gone: looks for the host, unless that is on this computer."""
        if self._task is None and not is_here(self._home):
            self._task = asyncio.create_task(self._seek(), name="seeker")

    def found(self, address: str) -> None:
        """The host has answered at an address, or a person says that it is there."""
        self._home = address
        self.stop()

    def stop(self) -> None:
        """Ends the search."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def close(self) -> None:
        """Ends the search and waits for that."""
        task = self._task
        self.stop()
        if task is not None:
            await asyncio.gather(task, return_exceptions=True)

    async def _seek(self) -> None:
        told = False
        for wait in itertools.chain(WAITS, itertools.repeat(WAITS[-1])):
            await asyncio.sleep(wait)
            address = await self._look()
            if address is not None and address != self._home:
                log.info("the host is announced at %s", address)
                self._move(address)
                await asyncio.sleep(TRIAL_SECONDS)
                self._move(self._home)
            elif not told:
                told = True
                self._in_vain()

    async def _look(self) -> str | None:
        """An address at which the host is announced and answers."""

        def there(offers: list[Offer]) -> list[Offer]:
            return [offer for offer in offers if offer.advert.key == self._key]

        found = await discovery.search(enough=lambda offers: bool(there(offers)))
        for offer in there(list(found.offers)):
            try:
                return (await reaching.reach(offer.addresses, offer.port, self._key)).address
            except Trouble as trouble:
                log.info("the host is announced, but: %s", trouble)
        return None


def is_here(address: str) -> bool:
    """Whether HOST:PORT is always this computer itself."""
    host = joincode.parse(address).host
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
