"""This computer: the program, the interfaces and their addresses, what is known to be in the way."""

from __future__ import annotations

import ipaddress
import os
import platform
import shutil
import sys
import time
from pathlib import Path

from client import program
from client.doctor.report import Report
from client.wire.interfaces import VARIABLE, Interface, searched
from protocol import keyservice, limits

PROC_VERSION = Path("/proc/version")
UFW = Path("/etc/ufw/ufw.conf")


def versions(report: Report) -> None:
    """The program and what it stands on."""
    import zmq

    protocols = "/".join(map(str, limits.VERSIONS))
    report.ok(
        f"{program.NAME_AND_VERSION}, protocol {protocols}, Python {platform.python_version()}, "
        f"pyzmq {zmq.__version__} (ZeroMQ {zmq.zmq_version()}), {platform.system()} {platform.release()}"
    )
    if zmq.has("curve"):
        report.ok("ZeroMQ can encrypt (CURVE)")
    else:
        report.problem(
            "this ZeroMQ cannot encrypt (no CURVE), so no connection is possible",
            "install pyzmq's own wheel: python -m pip install --force-reinstall pyzmq",
        )
    now = time.strftime("%Y-%m-%d %H:%M:%S %z")
    report.note(f"the clock here says {now}; it need not agree with others: times are measured at the host")


def addresses(report: Report, there: list[Interface]) -> None:
    """The interfaces and their addresses."""
    outward = [one for one in there if not one.local]
    for one in outward:
        report.ok(f"{one.name}: {', '.join(f'{address}/{prefix}' for address, prefix in (*one.v4, *one.v6))}")
    v4 = [ipaddress.ip_address(address) for one in outward for address, _ in one.v4]
    if not outward:
        report.problem(
            "this computer is in no network: it has no address but its own",
            "join the Wi-Fi or plug in the cable that the others use, and try again",
        )
    elif not v4:
        report.note("there is no IPv4 address, so no short join code is possible here; invites work")
    elif all(address.is_link_local for address in v4):
        report.note(
            "no router has given this computer an address (169.254.x.x): it sees only computers on the same cable"
        )
    if len([one for one in outward if one.v4]) > 1:
        report.note("this computer is in several networks; a host here shows a join code for each: try them in turn")
    if (chosen := os.environ.get(VARIABLE)) is not None:
        _chosen(report, chosen.strip(), there)


def _chosen(report: Report, chosen: str, there: list[Interface]) -> None:
    """What the variable makes of the interfaces."""
    if names := ", ".join(one.name for one in searched()):
        unless = f"unset {VARIABLE}, unless the others are in that network"
        report.note(f"{VARIABLE} is set: tables are announced and looked for on {names} only", unless)
    elif chosen in ("", "none"):
        report.note(f"{VARIABLE} is set to {chosen or 'nothing'}: tables are not announced, nor looked for")
    else:
        report.problem(
            f"{VARIABLE} is set to {chosen}, and no interface here has that name or address",
            f"unset {VARIABLE}, or name one of these: {', '.join(one.name for one in there)}",
        )


def surroundings(report: Report, hosting: bool) -> None:
    """What is known to be in the way of a host on a computer like this."""
    if in_wsl():
        tell = report.problem if hosting else report.note
        tell(
            "this is Linux in Windows (WSL): it lies behind an address of its own, so that others cannot reach a host "
            "here; joining works",
            "host from Windows itself, or set networkingMode=mirrored under [wsl2] in .wslconfig",
        )
    if hint := firewall_hint():
        report.note(*hint)


def in_wsl() -> bool:
    """Whether this is the Linux in a Windows."""
    try:
        return "microsoft" in PROC_VERSION.read_text(encoding="utf-8", errors="replace").lower()
    except OSError:
        return False


def firewall_hint() -> tuple[str, ...]:
    """A sentence about this system's firewall, and what lets a host through it; empty if none is known."""
    first, last = limits.DEFAULT_PORT, keyservice.key_port(limits.DEFAULT_PORT)
    if sys.platform == "win32":
        return (
            "who hosts on Windows has to let Python through the firewall, once, and the network must be a private one",
            "as administrator: New-NetFirewallRule -DisplayName cosmic-net -Direction Inbound -Action Allow "
            f"-Protocol TCP -LocalPort {first}-{last}",
            "as administrator: Get-NetConnectionProfile | Set-NetConnectionProfile -NetworkCategory Private",
        )
    if sys.platform == "darwin":
        return (
            "who hosts on a Mac has to allow incoming connections for Python, and this terminal the local network",
            "System Settings > Network > Firewall > Options; and Privacy & Security > Local Network",
        )
    if _ufw_is_on():
        return (
            "a firewall (ufw) runs here; who hosts has to open it",
            f"sudo ufw allow {first}:{last}/tcp && sudo ufw allow 5353/udp",
        )
    if shutil.which("firewall-cmd"):
        return (
            "a firewall (firewalld) may run here; who hosts has to open it",
            f"sudo firewall-cmd --add-service=mdns --add-port={first}-{last}/tcp",
        )
    return ()


def _ufw_is_on() -> bool:
    try:
        return "enabled=yes" in UFW.read_text(encoding="utf-8", errors="replace").lower()
    except OSError:
        return False
