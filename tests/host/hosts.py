"""Real host processes for tests."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from cosmic_net.engine.options import Options
from host.botpool import BotPool
from host.config import Config
from host.journal import Journal
from host.match import Match
from host.restore import restore
from host.room import Room
from host.table import Table
from protocol import z85
from protocol.identity import Identity
from protocol.messages import Clocks

START_SECONDS = 15.0


def restored(folder: Path, journal: Journal) -> Match:
    """The game that a host would go on with that is started with this journal. Raises what it would end with."""
    table = Table("", False, Options(), Clocks())
    bots = BotPool(folder / "bots", None)
    room = Room(Config(folder=folder), Identity(bytes(32)), journal, table, bots, lambda: 0.0)
    restore(room)
    assert room.match is not None
    return room.match


class HostProcess:
    """A host in a folder, started as the client starts it. Leaving the `with` ends it."""

    module = "host"

    def __init__(self, folder: Path, *options: str, port: int | None = 0, **clocks: float) -> None:
        self.folder = folder
        self._options = list(options)
        if port is not None:
            self._options += ["--port", str(port)]
        if clocks:
            self._options += ["--clocks", json.dumps(clocks)]
        self._process: subprocess.Popen[bytes] | None = None
        self.announcement: dict[str, Any] = {}

    def start(self, *more: str, dies: str = "") -> Self:
        """Starts the process and waits until its table is open. `dies`: when it shall kill itself (mortal_host)."""
        module = "tests.support.mortal_host" if dies else self.module
        command = [sys.executable, "-m", module, str(self.folder), "--bind", "127.0.0.1"]
        if self._process is not None and self._process.stderr is not None:
            self._process.stderr.close()
        self._process = subprocess.Popen(
            [*command, *self._options, *more],
            env=os.environ | {"COSMIC_NET_DIES": dies},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        deadline = time.monotonic() + START_SECONDS
        path = self.folder / "table.json"
        while not (path.exists() and json.loads(path.read_text())["pid"] == self._process.pid):
            if self._process.poll() is not None or time.monotonic() > deadline:
                assert self._process.stderr is not None
                raise AssertionError(f"the host did not start: {self._process.stderr.read().decode()}")
            time.sleep(0.01)
        self.announcement = json.loads(path.read_text())
        return self

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.announcement['port']}"

    @property
    def key(self) -> bytes:
        return z85.decode(self.announcement["key"])

    @property
    def log(self) -> str:
        return (self.folder / "host.log").read_text()

    def kill(self) -> None:
        """kill -9."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def stop(self) -> int:
        """Asks the host to stop; returns its exit status."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(10)
        if self._process.stderr is not None:
            self._process.stderr.close()
        return self._process.returncode

    async def ended(self, seconds: float = 10.0) -> int:
        """Waits for the process to end by itself."""
        assert self._process is not None
        return await asyncio.to_thread(self._process.wait, seconds)

    def __enter__(self) -> Self:
        return self.start() if self._process is None else self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is not None and os.environ.get("HOST_LOG"):
            sys.stderr.write(self.log[-6000:])
        self.stop()
