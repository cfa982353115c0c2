"""Looking for a host that may have another address by now: one whose code is old, or to which the connection is gone.

What the search finds is tried beside the address that is known, never instead: everybody in the LAN can announce
anything. That it is the same host, the encrypted connection proves.
"""

from __future__ import annotations

import asyncio
import ipaddress
import itertools
import logging
from collections.abc import Callable

from client.errors import Trouble
from client.wire import discovery, finding, reaching
from client.wire.discovery import Offer
from client.wire.finding import Found
from protocol import joincode
from protocol.joincode import Invite

log = logging.getLogger(__name__)

WAITS = (1.0, 2.0, 3.0, 5.0, 8.0, 10.0)
"""Seconds before each search; the last one repeats."""
TRIAL_SECONDS = 4.0
"""So long another address may take before the old one is tried again."""
HEAD_START_SECONDS = 0.7
"""How long the address of a code is waited for before the host is looked for, too."""
LOOK_SECONDS = 3.0
"""How long is looked for a host whose code is old: with the head start less than five seconds."""


async def find(text: str) -> Found:
    """The host that a join code, an invite or an address names, wherever in the LAN it is now. Raises Trouble."""
    asking = asyncio.ensure_future(_as_it_says(text))
    await asyncio.wait([asking], timeout=HEAD_START_SECONDS)
    if asking.done() and asking.exception() is None:
        return asking.result()
    looking = asyncio.ensure_future(_by_fingerprint(text))
    try:
        return await asking
    except Trouble:
        if (found := await looking) is None:
            raise
        return found
    finally:
        looking.cancel()


async def _as_it_says(text: str) -> Found:
    invite = _read(text)
    if invite is None or invite.key is None:
        return await finding.find(text)
    await reaching.reach((invite.host,), invite.port, invite.key)
    return Found(invite.address, invite.key)


async def _by_fingerprint(text: str) -> Found | None:
    invite = _read(text)
    if invite is None or invite.fingerprint is None:
        return None
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            return await _look(invite.matches)
    except TimeoutError:
        return None


def _read(text: str) -> Invite | None:
    try:
        return joincode.parse(text)
    except joincode.BadCode:
        return None


async def _look(is_it: Callable[[bytes], bool]) -> Found | None:
    """The host whose key it is, where it is announced and answers."""

    def there(offers: list[Offer]) -> list[Offer]:
        return [offer for offer in offers if is_it(offer.advert.key)]

    found = await discovery.search(enough=lambda offers: bool(there(offers)))
    for offer in there(list(found.offers)):
        try:
            host = await reaching.reach(offer.addresses, offer.port, offer.advert.key)
        except Trouble as trouble:
            log.info("the host is announced, but: %s", trouble)
        else:
            log.info("the host is announced at %s", host.address)
            return Found(host.address, host.key)
    return None


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
            found = await _look(lambda key: key == self._key)
            if found is not None and found.address != self._home:
                self._move(found.address)
                await asyncio.sleep(TRIAL_SECONDS)
                self._move(self._home)
            elif not told:
                told = True
                self._in_vain()


def is_here(address: str) -> bool:
    """Whether HOST:PORT is always this computer itself."""
    host = joincode.parse(address).host
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
