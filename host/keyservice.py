"""The key service: tells anybody who connects the host's CURVE key, in the clear (see `protocol.keyservice`)."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import time
from collections import Counter

from host.rates import Bucket
from protocol import keyservice, limits

LOG_SECONDS = 10.0

_log = logging.getLogger(__name__)


class KeyService:
    """A tiny TCP server beside the host's socket."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._server: asyncio.Server | None = None
        self._here: Counter[str] = Counter()
        """How many connections there are now from which address."""
        self._notes = Bucket(1 / LOG_SECONDS, 1)

    async def bind(self, address: str, port: int) -> bool:
        """Listens there; False if the port is taken."""
        try:
            self._server = await asyncio.start_server(self._serve, None if address == "*" else address, port, limit=256)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return False
            raise
        return True

    async def close(self) -> None:
        """Stops listening."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = str((writer.get_extra_info("peername") or ("",))[0])
        writer.write(keyservice.response(self._key, time.time_ns() // 1_000_000))
        if self._here.total() >= limits.KEY_REQUESTS or self._here[address] >= limits.KEY_REQUESTS_PER_ADDRESS:
            if self._notes.take(asyncio.get_running_loop().time()):
                _log.warning("too many ask for the key at once; the last one from %s", address)
        else:
            self._here[address] += 1
            try:
                async with asyncio.timeout(keyservice.TIMEOUT_SECONDS):
                    await writer.drain()
                    # A question that is still unread when the connection closes could take the answer with it.
                    await reader.read(len(keyservice.REQUEST))
            except (TimeoutError, OSError):
                _log.debug("somebody asked for the key and did not wait for it")
            finally:
                self._here -= Counter([address])
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
