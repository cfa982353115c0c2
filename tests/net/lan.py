"""A LAN of the tests' own: network namespaces on a bridge, with nothing on the machine's own network."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
IP = shutil.which("ip", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
PATIENCE = 20.0
_numbers = itertools.count()


def why_not() -> str | None:
    """Why no namespaces can be made here; None if they can."""
    if IP is None:
        return "the program `ip` is missing"
    name = f"cosmic-{os.getpid()}-try"
    made = subprocess.run([IP, "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode:
        return f"network namespaces are not allowed here: {made.stderr.strip()}"
    try:
        veth = ["link", "add", "try0", "type", "veth", "peer", "name", "try1"]
        for command in (veth, ["link", "add", "try2", "type", "bridge"]):
            tried = subprocess.run([IP, "-n", name, *command], capture_output=True, text=True, check=False)
            if tried.returncode:
                return f"`ip {' '.join(command)}` is not possible here: {tried.stderr.strip()}"
    finally:
        subprocess.run([IP, "netns", "del", name], capture_output=True, check=False)
    return None


def forget_the_dead() -> None:
    """Removes namespaces of test runs that were killed."""
    for name in re.findall(r"^cosmic-(?:\d+)-\S+", ip("netns", "list"), re.M):
        if not Path(f"/proc/{name.split('-')[1]}").exists():
            subprocess.run([str(IP), "netns", "del", name], capture_output=True, check=False)


def ip(*words: str) -> str:
    """Runs `ip`."""
    assert IP is not None
    done = subprocess.run([IP, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"ip {' '.join(words)}: {done.stderr}"
    return done.stdout


class Machine:
    """One computer in the LAN: a namespace with the interface `lan0` and a home folder of its own."""

    def __init__(self, lan: Lan, number: int, home: Path) -> None:
        self.number = number
        self.home = home
        self.space = f"{lan.name}-{number}"
        self.port = f"port{number}"
        self.address = f"10.77.1.{number}"
        self.address6 = f"fd77::{number}"
        self.interfaces = ""
        """Which interfaces programs are to use; "": all."""
        self._lan = lan
        self._processes: list[subprocess.Popen[str]] = []

    def plug_in(self) -> None:
        """Makes the namespace and its cable to the bridge."""
        ip("netns", "add", self.space)
        self.sh("echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad")
        ip("-n", self._lan.switch, *f"link add {self.port} type veth peer name lan0 netns {self.space}".split())
        ip("-n", self._lan.switch, *f"link set {self.port} master lan up".split())
        ip("-n", self.space, "link", "set", "lo", "up")
        ip("-n", self.space, *f"addr add {self.address}/24 brd + dev lan0".split())
        ip("-n", self.space, *f"addr add {self.address6}/64 dev lan0 nodad".split())
        ip("-n", self.space, "link", "set", "lan0", "up")

    def ip(self, words: str) -> str:
        """`ip` in this namespace."""
        return ip("-n", self.space, *words.split())

    @property
    def link_local(self) -> str:
        """The IPv6 address on the link."""
        [found] = re.findall(r"inet6 (fe80::\S+)/", self.ip("addr show dev lan0"))
        return str(found)

    def sh(self, line: str) -> None:
        """A line of shell in this namespace."""
        assert IP is not None
        subprocess.run([IP, "netns", "exec", self.space, "sh", "-c", line], check=True)

    def dead_card(self, *, default: bool) -> None:
        """A second network card behind which there is nobody, with the default route if it is to have it."""
        self.ip("link add vm0 type veth peer name nowhere")
        self.ip(f"addr add 10.99.{self.number}.1/24 dev vm0")
        self.ip("link set vm0 up")
        self.ip("link set nowhere up")
        if default:
            self.ip(f"route add default via 10.99.{self.number}.254 dev vm0")

    # ---- programs

    def start(self, *words: str, piped: bool = False) -> subprocess.Popen[str]:
        """Starts Python with these arguments; without input unless it is piped in."""
        assert IP is not None
        environment = os.environ | {
            "COSMIC_NET_HOME": str(self.home),
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "COLUMNS": "200",
        }
        environment.pop("COSMIC_NET_INTERFACES", None)
        if self.interfaces:
            environment["COSMIC_NET_INTERFACES"] = self.interfaces
        process = subprocess.Popen(
            [IP, "netns", "exec", self.space, sys.executable, *words],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._processes.append(process)
        return process

    def run(self, *words: str, lines: str | None = None, patience: float = PATIENCE) -> tuple[int, str]:
        """Runs Python with these arguments and this input to its end; returns the exit code and what it printed."""
        process = self.start(*words, piped=lines is not None)
        try:
            output, _ = process.communicate(lines, timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
            raise AssertionError(f"{words} took longer than {patience} s and said: {output}") from None
        return process.returncode, output

    def client(self, *words: str, lines: str | None = None) -> tuple[int, str]:
        """Runs a command of the program."""
        return self.run("-m", "client", *words, lines=lines)

    def host(self, name: str, *words: str, odd: str = "") -> Path:
        """Opens a table; returns its folder. `odd`: in what the host is to be odd (`tests.support.odd_host`)."""
        folder = self.home / "tables" / name.lower().replace(" ", "-")
        program = ("tests.support.odd_host", odd) if odd else ("host",)
        process = self.start("-m", *program, str(folder), "--name", name, *words)
        deadline = time.monotonic() + PATIENCE
        while not (folder / "table.json").exists():
            assert process.poll() is None, process.communicate()[0]
            assert time.monotonic() < deadline, "the host did not start"
            time.sleep(0.02)
        return folder

    def end_programs(self) -> None:
        """Ends what was started here."""
        for process in self._processes:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self._processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
        self._processes.clear()


class Lan:
    """A bridge, and machines 1, 2, ... on it."""

    def __init__(self, folder: Path, machines: int) -> None:
        self.name = f"cosmic-{os.getpid()}-{next(_numbers)}"
        self.switch = f"{self.name}-switch"
        self.machines = [Machine(self, number, folder / f"home-{number}") for number in range(1, machines + 1)]

    def port(self, machine: Machine, setting: str) -> None:
        """A setting of the bridge's port of a machine, such as `isolated on`."""
        ip("-n", self.switch, *f"link set {machine.port} type bridge_slave {setting}".split())

    def close(self) -> None:
        """Ends all programs and takes everything down."""
        for machine in self.machines:
            machine.end_programs()
        for space in (*(machine.space for machine in self.machines), self.switch):
            assert IP is not None
            subprocess.run([IP, "netns", "del", space], capture_output=True, check=False)


@contextlib.contextmanager
def lan(folder: Path, machines: int = 2) -> Iterator[Lan]:
    """A LAN for one test."""
    made = Lan(folder, machines)
    try:
        ip("netns", "add", made.switch)
        ip("-n", made.switch, *["link", "add", "lan", "type", "bridge"])
        ip("-n", made.switch, *["link", "set", "lan", "up"])
        for machine in made.machines:
            machine.plug_in()
        yield made
    finally:
        made.close()
