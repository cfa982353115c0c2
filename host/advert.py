"""The announcing of the table in the LAN (DNS-SD), so that clients find it without a code.

It runs beside the host's work and is a convenience: a network without multicast, a port that is taken, a cable that is
pulled are written to the log, tried again later, and disturb nobody. Nothing in here raises.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from host.addresses import Interface, announced_on
from protocol import advert
from protocol.advert import Advert

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

_log = logging.getLogger(__name__)
LOOK_SECONDS = 5.0
"""How often the network interfaces are looked at: a laptop changes its network."""
PAUSE_SECONDS = 1.0
"""Changes of the table are announced at most once in this time."""
GOODBYE_SECONDS = 1.0
MDNS_GROUP, MDNS_PORT = "224.0.0.251", 5353
MOST_ADDRESSES = 8


class Announcer:
    """Announces one table as long as it is open. `now` tells what is to be said."""

    def __init__(self, bind: str, now: Callable[[], Advert]) -> None:
        self._bind = bind
        self._port = 0
        self._now = now
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._zeroconf: AsyncZeroconf | None = None
        self._interfaces: list[Interface] = []
        self._said: Advert | None = None
        self._failure = ""

    def start(self, port: int) -> None:
        """Starts to announce in the background that the table is at this port."""
        self._port = port
        self._task = asyncio.create_task(self._run(), name="announcer")

    def changed(self) -> None:
        """The table may have changed. Cheap, and may be called at any time."""
        self._changed.set()

    async def close(self) -> None:
        """Takes the announcement back and waits a moment for that."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        await self._withdraw()

    # ---- the work

    async def _run(self) -> None:
        while True:
            self._changed.clear()
            try:
                await self._keep_up()
                self._failure = ""
            except Exception as error:  # whatever the network has in store, the table goes on without
                self._note(error)
                await self._withdraw()
            await asyncio.sleep(PAUSE_SECONDS)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), LOOK_SECONDS)

    async def _keep_up(self) -> None:
        """Makes what is announced, and where, what it should be."""
        interfaces = [one for one in map(_with_multicast, announced_on(self._bind)) if one.v4 or one.v6]
        said = self._now()
        if not interfaces:
            raise OSError("there is no network interface for it")
        if self._zeroconf is None:
            await self._announce(interfaces, said)
        elif interfaces != self._interfaces:
            await self._withdraw()
            await self._announce(interfaces, said)
        elif said != self._said:
            await self._say_again(interfaces, said)

    async def _announce(self, interfaces: list[Interface], said: Advert) -> None:
        service = await asyncio.to_thread(_service, self._port, interfaces, said)
        zeroconf = _zeroconf(interfaces)
        self._zeroconf = zeroconf
        # The instance has the key in its name and so is the only one: there is no need to ask around first.
        await (await zeroconf.async_register_service(service, cooperating_responders=True))
        self._interfaces, self._said = interfaces, said
        _log.info("announced on %s", ", ".join(one.name for one in interfaces))

    async def _say_again(self, interfaces: list[Interface], said: Advert) -> None:
        assert self._zeroconf is not None
        await (await self._zeroconf.async_update_service(_service(self._port, interfaces, said)))
        self._interfaces, self._said = interfaces, said

    async def _withdraw(self) -> None:
        zeroconf, self._zeroconf = self._zeroconf, None
        self._interfaces, self._said = [], None
        if zeroconf is not None:
            try:
                await asyncio.wait_for(zeroconf.async_close(), GOODBYE_SECONDS)
            except Exception as error:
                _log.info("the announcement could not be taken back: %s", error)

    def _note(self, error: Exception) -> None:
        """Writes a failure to the log, once until it is another one."""
        text = f"{type(error).__name__}: {error}"
        if text != self._failure:
            _log.warning("the table cannot be announced in the LAN (join codes work all the same): %s", text)
        self._failure = text


def _service(port: int, interfaces: list[Interface], said: Advert) -> AsyncServiceInfo:
    from zeroconf.asyncio import AsyncServiceInfo

    addresses = [address for one in interfaces for address in (*one.v4, *one.v6)]
    addresses.sort(key=lambda address: ":" in address)
    return AsyncServiceInfo(
        advert.SERVICE,
        f"{advert.instance(said.key)}.{advert.SERVICE}",
        port=port,
        properties=advert.to_txt(said),
        server=f"cosmic-net-{advert.mark(said.key).lower()}.local.",
        parsed_addresses=addresses[:MOST_ADDRESSES],
    )


def _zeroconf(interfaces: list[Interface]) -> AsyncZeroconf:
    """The sockets on these interfaces; with IPv4 alone if the other fails."""
    from zeroconf import IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    v4, v6 = any(one.v4 for one in interfaces), any(one.v6 for one in interfaces)
    version = IPVersion.All if v4 and v6 else IPVersion.V6Only if v6 else IPVersion.V4Only
    try:
        return AsyncZeroconf(_sockets(interfaces), ip_version=version)
    except OSError:
        if version is not IPVersion.All:
            raise
        return AsyncZeroconf([address for one in interfaces for address in one.v4], ip_version=IPVersion.V4Only)


def _sockets(interfaces: list[Interface]) -> list[Any]:
    """One address for each interface and version of IP: where the sockets are bound."""
    return [addresses[0] for one in interfaces for addresses in (one.v4, _link_local_first(one.v6)) if addresses]


def _link_local_first(addresses: tuple[str, ...]) -> list[str]:
    return sorted(addresses, key=lambda address: not ipaddress.ip_address(address).is_link_local)


def _with_multicast(interface: Interface) -> Interface:
    """The interface without the IPv4 addresses at which the group of DNS-SD cannot be joined: one would fail all."""
    return interface._replace(v4=tuple(address for address in interface.v4 if _joins(address)))


def _joins(address: str) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            membership = socket.inet_aton(MDNS_GROUP) + socket.inet_aton(address)
            probe.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
        except OSError:
            return False
    return True
