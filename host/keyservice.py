"""The key service: tells anybody who connects the host's CURVE key, in the clear (see `protocol.keyservice`)."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging

from protocol import keyservice

MOST_AT_ONCE = 32
_log = logging.getLogger(__name__)


class KeyService:
    """A tiny TCP server beside the host's socket."""

    def __init__(self, key: bytes) -> None:
        self._answer = keyservice.response(key)
        self._server: asyncio.Server | None = None
        self._now = 0

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
        if self._now < MOST_AT_ONCE:
            self._now += 1
            try:
                async with asyncio.timeout(keyservice.TIMEOUT_SECONDS):
                    writer.write(self._answer)
                    await writer.drain()
                    # A question that is still unread when the connection closes could take the answer with it.
                    await reader.read(len(keyservice.REQUEST))
            except (TimeoutError, OSError):
                _log.debug("somebody asked for the key and did not wait for it")
            finally:
                self._now -= 1
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
