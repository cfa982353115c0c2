"""Decides at the handshake who is let in: by key, and no faster than a host can greet people.

ZeroMQ asks about every connection that has shown its CURVE key. Who comes too often is told nothing and may try again;
a key that is not allowed is told so, and its program stops trying.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from zmq.auth.asyncio import AsyncioAuthenticator

from host.rates import Bucket, Buckets
from protocol import limits, z85

_log = logging.getLogger(__name__)
LATER, NO = b"300", b"400"
LOG_SECONDS = 10.0


class Porter(AsyncioAuthenticator):
    """An authenticator for one domain. `allow` says of a CURVE key (32 bytes) whether it is let in."""

    def __init__(
        self, context: Any, allow: Callable[[bytes], bool], clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(context, log=_log)
        self._allow = allow
        self._clock = clock
        self._addresses = Buckets(limits.ADDRESS_HANDSHAKES_PER_SECOND, limits.ADDRESS_HANDSHAKE_BURST)
        self._keys = Buckets(limits.KEY_HANDSHAKES_PER_SECOND, limits.KEY_HANDSHAKE_BURST)
        self._notes = Bucket(1 / LOG_SECONDS, 3)

    def start(self) -> None:
        """Starts to decide. From then on the socket may be bound."""
        super().start()
        # "*" would not match a domain with a name.
        self.configure_curve_callback(limits.ZAP_DOMAIN, self)

    async def handle_zap_message(self, msg: list[bytes]) -> None:
        """Answers one question of ZeroMQ. An error here would end the authenticator, so there is none."""
        try:
            _, request, _, address, _, mechanism, *credentials = msg
            if mechanism != b"CURVE" or len(credentials) != 1:
                self._send_zap_reply(request, NO, b"CURVE only")
            elif not self._in_time(address.decode(errors="replace"), credentials[0]):
                self._send_zap_reply(request, LATER, b"too many connections")
            else:
                await super().handle_zap_message(msg)
        except Exception:
            _log.exception("could not decide about a connection")

    def callback(self, _domain: str, key: bytes) -> bool:
        """Whether this key (in Z85) is let in."""
        allowed = self._allow(z85.decode(key))
        if not allowed:
            self._note("a key that was sent away is not let in: %s", z85.decode(key)[:4].hex())
        return allowed

    def _in_time(self, address: str, key: bytes) -> bool:
        now = self._clock()
        if not self._keys.take(key, now):
            self._note("too many connections by the key %s", key[:4].hex())
            return False
        if not self._addresses.take(address.encode(), now):
            self._note("too many connections from %s", address)
            return False
        return True

    def _note(self, text: str, *values: object) -> None:
        if self._notes.take(self._clock()):
            _log.warning(text, *values)
