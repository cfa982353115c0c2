"""The network interfaces of this computer, and under which addresses it can be reached in its LAN, likeliest first."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from contextlib import suppress
from typing import NamedTuple

import ifaddr

VARIABLE = "COSMIC_NET_INTERFACES"
"""Names or addresses of the interfaces on which tables are announced, with commas; `none` for no announcing."""
EVERYWHERE = ("*", "0.0.0.0", "::")
_VIRTUAL = re.compile(
    r"\b(docker|veth|br-|virbr|vmnet|vboxnet|vmware|virtualbox|hyper-v|wsl|u?tun|tap|wg|zt|tailscale|bridge\d|awdl)",
    re.IGNORECASE,
)
"""What interfaces are called behind which there is hardly ever a fellow player."""


class Interface(NamedTuple):
    """One network interface with its addresses; IPv6 without zone."""

    name: str
    v4: tuple[str, ...]
    v6: tuple[str, ...]

    @property
    def local(self) -> bool:
        """Whether it leads to this computer only."""
        return any(ipaddress.ip_address(address).is_loopback for address in (*self.v4, *self.v6))


def interfaces() -> list[Interface]:
    """The interfaces that have an address."""
    found = []
    for adapter in ifaddr.get_adapters():
        v4 = tuple(str(ip.ip) for ip in adapter.ips if ip.is_IPv4)
        v6 = tuple(str(ip.ip[0]) for ip in adapter.ips if ip.is_IPv6)
        if v4 or v6:
            found.append(Interface(adapter.nice_name or adapter.name, v4, v6))
    return found


def announced_on(bind: str = "*") -> list[Interface]:
    """The interfaces on which a host that listens there is announced: no loopback, unless there is nothing else."""
    there = interfaces()
    if bind not in EVERYWHERE:
        v4, v6 = ((), (bind,)) if ":" in bind else ((bind,), ())
        there = [Interface(one.name, v4, v6) for one in there if bind in (*one.v4, *one.v6)]
    if (chosen := os.environ.get(VARIABLE)) is not None:
        wanted = {part.strip() for part in chosen.split(",")}
        return [one for one in there if wanted & {one.name, *one.v4, *one.v6}]
    outward = [one for one in there if not one.local]
    return outward or (there if bind in EVERYWHERE else [])


def likely() -> list[str]:
    """Addresses under which others may reach this computer; the loopback address alone if it has no other."""
    there = [one for one in interfaces() if not one.local]
    routed = _routed()
    ranked = sorted(
        (bool(_VIRTUAL.search(one.name)), address not in routed, number, address)
        for number, one in enumerate(there)
        for address in one.v4
    )
    v4 = [address for *_, address in ranked]
    v6 = [address for one in there for address in one.v6 if not ipaddress.ip_address(address).is_link_local]
    given = [address for address in v4 if not ipaddress.ip_address(address).is_link_local]
    return given or v4 or v6 or ["127.0.0.1"]


def _routed() -> list[str]:
    """The addresses by which private networks are reached. Nothing is sent: UDP only looks the route up."""
    found = []
    for network in ("192.168.255.254", "10.255.255.254", "172.31.255.254"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
            probe.connect((network, 9))
            found.append(str(probe.getsockname()[0]))
    return found
