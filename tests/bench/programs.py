"""The programs as processes: memory and traffic of whole games, and how long the program takes to start."""

from __future__ import annotations

import contextlib
import os
import pty
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from cosmic_net import bots
from protocol.messages import Start
from tests.host.hosts import HostProcess
from tests.support.wire_client import WireClient

GAMES, STARTS = 5, 9
PATIENCE = 120.0


async def whole_games() -> list[dict[str, Any]]:
    """Games of four sensible players, three of them the host's bots, to the end; medians of `GAMES` games.

    memory: resident memory of the host, and of a client at a terminal that looks on, when the game is over.
    traffic: all frames that the fourth player sent and received, from its hello to the end of the game.
    """
    games = [await _whole_game(bytes([number + 1]) * 32) for number in range(GAMES)]
    middle = {key: statistics.median(game[key] for game in games) for key in games[0]}
    memory = {key: round(middle[key], 1) for key in ("host_mb", "client_mb")}
    traffic = {key: round(middle[key]) for key in ("bytes_per_client_game", "frames", "encounters")}
    return [{"name": "memory"} | memory, {"name": "traffic"} | traffic]


async def _whole_game(seed: bytes) -> dict[str, float]:
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        options = ["--bots", "3", "--practice-seed", seed.hex()]
        host = stack.enter_context(HostProcess(folder / "table", *options))
        player = WireClient(seed, "Player", bots.make("sensible", seed))
        stack.push_async_callback(player.close)
        await player.connect(host.address, host.key)
        await player.sit()
        watcher = stack.enter_context(AtTerminal(folder, "watch", host.announcement["invites"][0]))
        await player.until(lambda: player.table and player.table.watchers and _bots(player) == 3)
        await player.must(Start(id=1))
        await player.has_ended(PATIENCE)
        assert player.errors == []
        traffic = player.traffic
        return {
            "host_mb": _memory(host.announcement["pid"]),
            "client_mb": _memory(watcher.pid),
            "bytes_per_client_game": traffic.sent + traffic.received,
            "frames": traffic.frames,
            "encounters": player.view["encounter"]["number"],
        }


def _bots(player: WireClient) -> int:
    assert player.table is not None
    return sum(seat.bot for seat in player.table.seats)


def _memory(pid: int) -> float:
    """The resident memory of a process in megabytes (of 1,000,000 bytes)."""
    shown = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(shown.stdout) * 1024 / 1e6


class AtTerminal:
    """A client at a terminal that nobody looks at."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        variables = os.environ | {"COSMIC_NET_HOME": str(home), "TERM": "xterm-256color"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "client", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=variables,
            start_new_session=True,
        )
        os.close(theirs)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def _read(self) -> None:
        """Reads until the program has gone, and tells it where the cursor is if it asks."""
        with contextlib.suppress(OSError):
            while data := os.read(self._ours, 65536):
                if b"\x1b[6n" in data:
                    os.write(self._ours, b"\x1b[1;1R")

    def __enter__(self) -> AtTerminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        os.close(self._ours)


def startup() -> dict[str, Any]:
    """Seconds that `cosmic-net --help` takes, median of `STARTS` runs; and what an empty program takes here."""
    helped, empty = [], []
    for _ in range(STARTS):
        helped.append(_seconds("-m", "client", "--help"))
        empty.append(_seconds("-c", "pass"))
    return {
        "name": "startup",
        "help_s": round(statistics.median(helped), 3),
        "python_s": round(statistics.median(empty), 3),
    }


def _seconds(*arguments: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began
