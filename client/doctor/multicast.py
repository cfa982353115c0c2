"""Whether a packet to a group leaves each interface and comes back: what finding tables needs at the least."""

from __future__ import annotations

import contextlib
import secrets
import select
import socket
import struct
import time
from dataclasses import dataclass

from client.doctor.report import Report
from client.wire.interfaces import Interface

GROUP4, GROUP6 = "224.0.0.251", "ff02::fb"
SECONDS = 0.8


@dataclass
class _Probe:
    """One packet on one interface."""

    interface: Interface
    version: int
    token: bytes
    listener: socket.socket | None = None
    failure: str | None = "it did not come back"


def check(report: Report, there: list[Interface]) -> bool:
    """Tries every interface, by IPv4 and IPv6. Returns whether any works."""
    probes = []
    for interface in there:
        for version, has in ((4, interface.v4), (6, interface.v6)):
            if has:
                probes.append(_Probe(interface, version, secrets.token_bytes(16)))
    try:
        for probe in probes:
            try:
                _send(probe)
            except OSError as error:
                probe.failure = error.strerror or str(error)
        _receive(probes)
    finally:
        for probe in probes:
            if probe.listener is not None:
                probe.listener.close()
    for interface in there:
        _tell(report, interface, [probe for probe in probes if probe.interface is interface])
    return any(probe.failure is None for probe in probes)


def _tell(report: Report, interface: Interface, probes: list[_Probe]) -> None:
    works = [f"IPv{probe.version}" for probe in probes if probe.failure is None]
    fails = [f"IPv{probe.version}: {probe.failure}" for probe in probes if probe.failure is not None]
    if works:
        beside = f" (not with {'; '.join(fails)})" if fails else ""
        report.ok(f"multicast leaves and comes back on {interface.name} ({', '.join(works)}){beside}")
    else:
        report.problem(
            f"multicast does not work on {interface.name} ({'; '.join(fails)}): tables cannot be found there",
            "join by code: cosmic-net join CODE",
        )


def _send(probe: _Probe) -> None:
    if probe.version == 4:
        _send4(probe, probe.interface.v4[0][0])
    else:
        _send6(probe, probe.interface.index)


def _send4(probe: _Probe, address: str) -> None:
    own = socket.inet_aton(address)
    listener = probe.listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.bind(("", 0))
    listener.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP4) + own)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.bind((address, 0))
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
        sender.sendto(probe.token, (GROUP4, listener.getsockname()[1]))


def _send6(probe: _Probe, index: int) -> None:
    number = struct.pack("@I", index)
    listener = probe.listener = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    with contextlib.suppress(OSError):
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    listener.bind(("::", 0))
    group = socket.inet_pton(socket.AF_INET6, GROUP6)
    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group + number)
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sender:
        sender.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, number)
        sender.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 1)
        sender.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 1)
        sender.sendto(probe.token, (GROUP6, listener.getsockname()[1], 0, index))


def _receive(probes: list[_Probe]) -> None:
    until = time.monotonic() + SECONDS
    open_ones = {probe.listener: probe for probe in probes if probe.listener is not None}
    while open_ones and (left := until - time.monotonic()) > 0:
        readable, _, _ = select.select(list(open_ones), [], [], left)
        for listener in readable:
            if listener.recv(64) == open_ones[listener].token:
                open_ones.pop(listener).failure = None
