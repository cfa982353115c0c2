"""What a game notices of others who come in crowds, or who flood its host: round trips of a player, the host's use.

The players and the crowd are in processes of their own. A ping is answered at the end of a turn, as an answer is.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any

from protocol.messages import Start
from tests.host.hosts import HostProcess
from tests.host.measure import Meter, abuse_once
from tests.support.wire_client import WireClient

PLAYERS = 4
QUIET_SECONDS = 5.0
FLOOD_SECONDS = 5.0


async def under_load() -> list[dict[str, Any]]:
    """In quiet; while 200 clients come, and come again; while one floods with pings, with anything; while many come."""
    return [await _while(name) for name in ("", "rush", "pings", "noise", "connections")]


async def _while(name: str) -> dict[str, Any]:
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        host = stack.enter_context(HostProcess(folder / "table", "--unlisted"))
        players = [WireClient(bytes([number + 1]) * 32, f"Player {number}") for number in range(PLAYERS)]
        for player in players:
            stack.push_async_callback(player.close)
            await player.connect(host.address, host.key)
            await player.sit()
        await players[0].must(Start(id=1))
        await players[0].until(lambda: players[0].view.get("prompts") is not None)
        meter, before = Meter(host, players[0], 0.02), _cpu(host)
        if name:
            report = await abuse_once(host, name, seconds=FLOOD_SECONDS)
        else:
            await asyncio.sleep(QUIET_SECONDS)
            report = {"abuse": "quiet", "s": QUIET_SECONDS}
        figures, used = meter.so_far(), _cpu(host) - before
        meter.stop()
        return {"name": "load", "while": report.pop("abuse"), "host_cpu_s": used} | report | figures.report()


def _cpu(host: HostProcess) -> float:
    """Processor seconds that the host has used; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{host.announcement['pid']}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
