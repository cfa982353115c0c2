"""Looks at a host while it is disturbed: how long a player's ping takes, how much memory the process has."""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.host.hosts import HostProcess
from tests.support.wire_client import WireClient


def memory_mb(pid: int) -> int:
    """The memory of a process; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 >> 20
    except (OSError, IndexError):
        return 0


class Figures(NamedTuple):
    """Round trips in milliseconds, and the most memory that was seen."""

    pings: int
    p50_ms: float
    p99_ms: float
    worst_ms: float
    most_mb: int

    def report(self) -> dict[str, Any]:
        return {name: round(value, 2) for name, value in self._asdict().items()}


class Meter:
    """Pings by a player until it is stopped."""

    def __init__(self, host: HostProcess, client: WireClient, between: float = 0.05) -> None:
        self._pid = int(host.announcement["pid"])
        self._client = client
        self._between = between
        self._trips: list[float] = []
        self._memory: list[int] = [memory_mb(self._pid)]
        self._task = asyncio.ensure_future(self._run())

    async def _run(self) -> None:
        while True:
            began = time.perf_counter()
            await self._client.ping()
            self._trips.append((time.perf_counter() - began) * 1000)
            self._memory.append(memory_mb(self._pid))
            await asyncio.sleep(self._between)

    def so_far(self) -> Figures:
        """The figures since the last time."""
        trips, self._trips = sorted(self._trips) or [0.0], []
        memory, self._memory = max(self._memory), self._memory[-1:]
        return Figures(len(trips), statistics.median(trips), trips[int(len(trips) * 0.99)], trips[-1], memory)

    def stop(self) -> None:
        """Ends it. Raises what went wrong."""
        if not self._task.cancel():
            self._task.result()


async def abuse(
    host: HostProcess, *names: str, seconds: float = 1.5, megabytes: int = 200
) -> AsyncIterator[dict[str, Any]]:
    """Lets the hostile program do these things, one after another; yields what it reports of each."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.support.hostile", host.address, host.key.hex(), *names),
        *("--seconds", str(seconds), "--megabytes", str(megabytes)),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async for line in process.stdout:
            yield json.loads(line)
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def abuse_once(host: HostProcess, name: str, **more: Any) -> dict[str, Any]:
    """Lets the hostile program do one thing; returns what it reports."""
    [report] = [report async for report in abuse(host, name, **more)]
    return report
