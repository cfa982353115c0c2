"""Under which addresses a table is told to be, kept right while its computer changes its network."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections.abc import Callable
from typing import Any

_log = logging.getLogger(__name__)
LOOK_SECONDS = 2.0
"""How often the addresses are looked at; what has changed counts when it is seen a second time."""


class Whereabouts:
    """Watches where a table is. `look` finds that out anew; `tell` is called when it is another place than before."""

    def __init__(self, look: Callable[[], dict[str, Any]], tell: Callable[[dict[str, Any]], None]) -> None:
        self._look = look
        self._tell = tell
        self._task: asyncio.Task[None] | None = None

    def start(self, now: dict[str, Any]) -> None:
        """Watches from now on; `now` is what has been told already."""
        self._task = asyncio.create_task(self._run(now), name="whereabouts")

    async def close(self) -> None:
        """Ends the watch."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _run(self, told: dict[str, Any]) -> None:
        seen = told
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                before, seen = seen, self._look()
                # Without any network the old addresses stay: they may be the ones that come back.
                if seen["addresses"] != told["addresses"] and seen == before and not _here_only(seen["addresses"]):
                    _log.info("the table is at %s now", ", ".join(seen["addresses"]))
                    told = seen
                    self._tell(seen)
            except Exception as error:  # whatever this computer does to its network, the table goes on
                _log.warning("where the table is could not be found out: %s", error)


def _here_only(addresses: list[str]) -> bool:
    return all(ipaddress.ip_address(address).is_loopback for address in addresses)
