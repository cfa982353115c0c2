"""Looking for the tables that are announced in the LAN (DNS-SD), for a limited time, on all interfaces.

Nothing vouches for what is found: whoever is in the LAN could announce it. The host's key in it is the one that the
connection is made with, and people compare its words.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from client.wire.interfaces import VARIABLE, Interface, searched
from protocol import advert
from protocol.advert import Advert, BadAdvert
from protocol.joincode import Invite

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

log = logging.getLogger(__name__)
SECONDS = 1.2
"""How long is looked: hosts answer in a fraction of it, and the question is asked a second time in it."""
MOST = 64
"""So many tables are looked at; a LAN has a few."""
MOST_ADDRESSES = 16


@dataclass(frozen=True)
class Offer:
    """A table that was found, and where it may be reached, likeliest first."""

    advert: Advert
    port: int
    addresses: tuple[str, ...]

    @property
    def shown_address(self) -> str:
        """HOST:PORT of the likeliest address."""
        return Invite(self.addresses[0], self.port).address


@dataclass(frozen=True)
class Search:
    """What a search has found. `problem`: why it could not be made, or not everywhere."""

    offers: tuple[Offer, ...] = ()
    problem: str | None = None


Enough = Callable[[list[Offer]], bool]


async def search(seconds: float = SECONDS, enough: Enough | None = None) -> Search:
    """Looks for tables for so long, or until there are `enough`. Never raises."""
    interfaces = searched()
    if not interfaces:
        because = f", as {VARIABLE} is set to {os.environ[VARIABLE]!r}" if VARIABLE in os.environ else ""
        return Search(problem=f"there is no network interface to look on{because}")
    # The library takes a while to load, and the loop may have better things to do meanwhile.
    await asyncio.to_thread(_load)
    try:
        zeroconf = _open(interfaces)
    except Exception as error:
        log.warning("no search for tables is possible: %s", error)
        return Search(problem=f"looking for tables is not possible here ({_reason(error)})")
    finder = _Finder(zeroconf, interfaces, enough)
    try:
        await finder.look(seconds)
    except Exception as error:
        log.warning("the search for tables has failed: %s", error)
        return Search(tuple(finder.offers), f"the search has failed ({_reason(error)})")
    finally:
        with contextlib.suppress(Exception):
            await zeroconf.async_close()
    return Search(tuple(finder.offers))


class _Finder:
    """Gathers what answers."""

    def __init__(self, zeroconf: AsyncZeroconf, interfaces: list[Interface], enough: Enough | None) -> None:
        self._zeroconf = zeroconf
        self._interfaces = interfaces
        self._enough = enough
        self._done = asyncio.Event()
        self._found: dict[str, Offer] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._until = 0.0

    @property
    def offers(self) -> list[Offer]:
        """The tables so far, one for each host key, by name."""
        merged: dict[bytes, Offer] = {}
        for offer in self._found.values():
            other = merged.get(offer.advert.key)
            merged[offer.advert.key] = offer if other is None else _merged(other, offer, self._interfaces)
        return sorted(merged.values(), key=lambda offer: (offer.advert.name.casefold(), offer.advert.key))

    async def look(self, seconds: float) -> None:
        """Asks, and listens for so long.

        It asks twice: to be answered alone, which works where groups are not heard well (Wi-Fi), and to be answered as
        one of all, which works where another program here gets what is sent to this computer at that port.
        """
        from zeroconf import DNSQuestionType
        from zeroconf.asyncio import AsyncServiceBrowser

        self._until = asyncio.get_running_loop().time() + seconds
        browsers = [
            AsyncServiceBrowser(self._zeroconf.zeroconf, advert.SERVICE, handlers=[self._changed], question_type=way)
            for way in (None, DNSQuestionType.QM)
        ]
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._done.wait(), seconds)
        finally:
            for browser in browsers:
                await browser.async_cancel()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _changed(self, zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        from zeroconf import ServiceStateChange

        if state_change is ServiceStateChange.Removed:
            self._found.pop(name, None)
        elif len(self._found) < MOST and len(self._tasks) < MOST:
            task = asyncio.create_task(self._resolve(name))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _resolve(self, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo

        info = AsyncServiceInfo(advert.SERVICE, name)
        left = max(self._until - asyncio.get_running_loop().time(), 0.1)
        if await info.async_request(self._zeroconf.zeroconf, left * 1000):
            try:
                self._found[name] = _offer(info, self._interfaces)
            except ValueError as error:
                log.info("an announcement that cannot be used: %s", error)
                return
            if self._enough is not None and self._enough(self.offers):
                self._done.set()


def _offer(info: AsyncServiceInfo, interfaces: list[Interface]) -> Offer:
    """What an answer says. Raises ValueError if it cannot be used."""
    said = advert.from_txt(info.properties)
    addresses = in_order(info.parsed_scoped_addresses()[:MOST_ADDRESSES], interfaces)
    if not info.port or not addresses:
        raise BadAdvert("it names no address")
    return Offer(said, info.port, addresses)


def _merged(one: Offer, other: Offer, interfaces: list[Interface]) -> Offer:
    return Offer(one.advert, one.port, in_order([*one.addresses, *other.addresses], interfaces))


def in_order(addresses: Iterable[str], interfaces: list[Interface]) -> tuple[str, ...]:
    """Addresses that may be tried, likeliest first: those in a network that this computer is in, IPv4 before IPv6."""
    ranked: list[tuple[bool, bool, bool, int, str]] = []
    for text in dict.fromkeys(addresses):
        bare, _, zone = text.partition("%")
        address = ipaddress.ip_address(bare)
        if address.is_unspecified or address.is_multicast:
            continue
        if address.is_loopback and not any(one.local for one in interfaces):
            continue
        link_local = address.version == 6 and address.is_link_local
        if link_local and not zone:
            continue  # it holds on one link, and nobody knows which
        near = any(one.reaches(address) for one in interfaces)
        ranked.append((not near, link_local, address.version == 6, len(ranked), text))
    return tuple(text for *_, text in sorted(ranked))


def _load() -> None:
    import zeroconf.asyncio  # noqa: F401 - from here on it is there at once


def _open(interfaces: list[Interface]) -> AsyncZeroconf:
    """The sockets of a search. Whatever fails is left out, as long as something remains. Raises if nothing does."""
    from zeroconf import IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    v4: list[Any] = [one.v4[0][0] for one in interfaces if one.v4]
    v6: list[Any] = [one.link_local or one.v6[0][0] for one in interfaces if one.v6]
    # Without the port of DNS-SD (another program may hold it) hosts still answer to the one that asked.
    tries = [(v4 + v6, False), (v4, False), *(([address], False) for address in v4), (v4 + v6, True), (v4, True)]
    failure: Exception = OSError("no address")
    for addresses, unicast in tries:
        if not addresses:
            continue
        both = any(":" in address for address in addresses)
        alone = not any(":" not in address for address in addresses)
        version = IPVersion.V6Only if alone else IPVersion.All if both else IPVersion.V4Only
        try:
            return AsyncZeroconf(addresses, unicast, version)
        except Exception as error:
            failure = error
    raise failure


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
