"""How a client gets the host's CURVE key when it has only an address or a short join code.

The host listens on its port + 1 with plain TCP, not ZeroMQ (a ROUTER in the clear can be filled up by
strangers). The client connects, sends `REQUEST` and reads `RESPONSE_BYTES`; the host answers with
`response(key)` and closes. The host may answer as soon as somebody connects, reads at most `len(REQUEST)`
bytes, and cuts after `TIMEOUT_SECONDS`.

Nothing protects this exchange: the key counts only once it matches the join code's fingerprint, or once a
person has compared the `joincode.fingerprint_words` of both screens.
"""

from __future__ import annotations

from typing import NamedTuple

from protocol import limits

REQUEST = b"cosmic-net key?\n"
_MAGIC = b"cosmic-net key:\n"
RESPONSE_BYTES = len(_MAGIC) + 2 + limits.KEY_BYTES
TIMEOUT_SECONDS = 3.0


class HostKey(NamedTuple):
    """A host's CURVE public key (32 bytes) and the protocol versions that it speaks, lowest and highest."""

    key: bytes
    lowest: int
    highest: int

    @property
    def speaks_ours(self) -> bool:
        """Whether the host speaks a version that this package speaks."""
        return any(self.lowest <= version <= self.highest for version in limits.VERSIONS)


def key_port(port: int) -> int:
    """The port of the key service of a host that listens on this port."""
    return port + 1


def response(key: bytes) -> bytes:
    """The host's answer. Raises ValueError unless the key has 32 bytes."""
    if len(key) != limits.KEY_BYTES:
        raise ValueError(f"a key has {limits.KEY_BYTES} bytes")
    return _MAGIC + bytes([min(limits.VERSIONS), max(limits.VERSIONS)]) + key


def read_response(data: bytes) -> HostKey:
    """The key in a host's answer. Raises ValueError if that is no answer of a cosmic-net host."""
    if len(data) != RESPONSE_BYTES or not data.startswith(_MAGIC):
        raise ValueError("this is not a cosmic-net host")
    lowest, highest = data[len(_MAGIC)], data[len(_MAGIC) + 1]
    return HostKey(data[len(_MAGIC) + 2 :], lowest, highest)
