"""The network interfaces of this computer and the addresses that they have."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass

import ifaddr

VARIABLE = "COSMIC_NET_INTERFACES"
"""Names or addresses of the interfaces on which tables are looked for, with commas; `none` for not looking."""


@dataclass(frozen=True)
class Interface:
    """One interface; the addresses with the lengths of their prefixes, IPv6 without zone."""

    name: str
    index: int
    v4: tuple[tuple[str, int], ...] = ()
    v6: tuple[tuple[str, int], ...] = ()

    @property
    def local(self) -> bool:
        """Whether it leads to this computer only."""
        return any(ipaddress.ip_address(address).is_loopback for address in self.addresses)

    @property
    def addresses(self) -> list[str]:
        """All addresses, IPv4 first."""
        return [address for address, _ in (*self.v4, *self.v6)]

    @property
    def link_local(self) -> str | None:
        """The IPv6 address that holds on this link only."""
        return next((address for address, _ in self.v6 if ipaddress.ip_address(address).is_link_local), None)

    def reaches(self, address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
        """Whether an address lies in the network of this interface."""
        own = self.v4 if address.version == 4 else self.v6
        return any(address in ipaddress.ip_network(f"{ip}/{prefix}", strict=False) for ip, prefix in own)


def interfaces() -> list[Interface]:
    """The interfaces that have an address."""
    found = []
    for adapter in ifaddr.get_adapters():
        v4 = tuple((str(ip.ip), ip.network_prefix) for ip in adapter.ips if ip.is_IPv4)
        v6 = tuple((str(ip.ip[0]), ip.network_prefix) for ip in adapter.ips if ip.is_IPv6)
        if v4 or v6:
            found.append(Interface(adapter.nice_name or adapter.name, adapter.index or 0, v4, v6))
    return found


def searched() -> list[Interface]:
    """The interfaces on which tables are looked for: no loopback, unless there is nothing else."""
    there = interfaces()
    if (chosen := os.environ.get(VARIABLE)) is not None:
        wanted = {part.strip() for part in chosen.split(",")}
        return [one for one in there if wanted & {one.name, *one.addresses}]
    return [one for one in there if not one.local] or there
