"""How a client gets the host's CURVE key when it has only an address or a short join code.

The host listens on its port + 1 with plain TCP, not ZeroMQ (a ROUTER in the clear can be filled up by
strangers). The client connects, sends `REQUEST` and reads `RESPONSE_BYTES`; the host answers with
`response(key, now_ms)` and closes. The host may answer as soon as somebody connects, reads at most `len(REQUEST)`
bytes, and cuts after `TIMEOUT_SECONDS`.

Nothing protects this exchange: the key counts only once it matches the join code's fingerprint, or once a
person has compared the `joincode.fingerprint_words` of both screens.
"""

from __future__ import annotations

from typing import NamedTuple

from protocol import limits

REQUEST = b"cosmic-net key?\n"
_MAGIC = b"cosmic-net key:\n"
_KEY_END = len(_MAGIC) + 2 + limits.KEY_BYTES
_TIME_BYTES = 8
RESPONSE_BYTES = _KEY_END + _TIME_BYTES
TIMEOUT_SECONDS = 3.0


class HostKey(NamedTuple):
    """A host's CURVE public key (32 bytes) and the protocol versions that it speaks, lowest and highest."""

    key: bytes
    lowest: int
    highest: int
    time_ms: int | None = None
    """What the host's clock says, in milliseconds since 1970 (UTC); None if it does not tell."""

    @property
    def speaks_ours(self) -> bool:
        """Whether the host speaks a version that this package speaks."""
        return any(self.lowest <= version <= self.highest for version in limits.VERSIONS)


def key_port(port: int) -> int:
    """The port of the key service of a host that listens on this port."""
    return port + 1


def response(key: bytes, now_ms: int) -> bytes:
    """The host's answer, with the time of its clock in ms since 1970. Raises ValueError unless the key has 32 bytes."""
    if len(key) != limits.KEY_BYTES:
        raise ValueError(f"a key has {limits.KEY_BYTES} bytes")
    time = min(max(now_ms, 0), (1 << 8 * _TIME_BYTES) - 1).to_bytes(_TIME_BYTES, "big")
    return _MAGIC + bytes([min(limits.VERSIONS), max(limits.VERSIONS)]) + key + time


def read_response(data: bytes) -> HostKey:
    """What a host's answer says; more may follow. Raises ValueError if that is no answer of a cosmic-net host."""
    if len(data) < _KEY_END or not data.startswith(_MAGIC):
        raise ValueError("this is not a cosmic-net host")
    lowest, highest = data[len(_MAGIC)], data[len(_MAGIC) + 1]
    time_ms = int.from_bytes(data[_KEY_END:RESPONSE_BYTES], "big") if len(data) >= RESPONSE_BYTES else None
    return HostKey(data[len(_MAGIC) + 2 : _KEY_END], lowest, highest, time_ms)
