"""Under which addresses this computer can be reached in its LAN, likeliest first."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
import sys


def likely() -> list[str]:
    """IPv4 addresses of this computer; the loopback address alone if it has no other."""
    found = dict.fromkeys([*_routed(), *_of_interfaces(), *_of_name()])
    usable = [address for address in found if _usable(address)]
    return usable or ["127.0.0.1"]


def _usable(text: str) -> bool:
    address = ipaddress.ip_address(text)
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)


def _routed() -> list[str]:
    """The address by which private networks are reached. Nothing is sent: UDP only looks the route up."""
    found = []
    for network in ("192.168.255.254", "10.255.255.254", "172.31.255.254"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
            probe.connect((network, 9))
            found.append(str(probe.getsockname()[0]))
    return found


def _of_interfaces() -> list[str]:
    if sys.platform != "linux":
        return []
    import fcntl

    get_address = 0x8915  # SIOCGIFADDR
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):
                request = struct.pack("256s", name.encode()[:15])
                found.append(socket.inet_ntoa(fcntl.ioctl(probe, get_address, request)[20:24]))
    return found


def _of_name() -> list[str]:
    with contextlib.suppress(OSError):
        return [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return []
