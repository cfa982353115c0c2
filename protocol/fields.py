"""The byte form of everything that is hashed or signed: a domain string and length-prefixed fields.

Each field is preceded by its length as 4 bytes big-endian, so that no two lists of fields give the same
bytes. The domain says what the bytes are for, so that a signature made for one purpose is worth nothing for
another. (The engine's sealing uses the same form.)
"""

from __future__ import annotations

import hashlib

PREFIX = "cosmic-net/"


def fields(domain: str, *parts: bytes | str | int) -> bytes:
    """The bytes of "cosmic-net/" + domain and the parts: str as UTF-8, int as 8 bytes big-endian, unsigned.

    Raises OverflowError for an int that is negative or has more than 64 bits.
    """
    return b"".join(_prefixed(_raw(part)) for part in (PREFIX + domain, *parts))


def digest(domain: str, *parts: bytes | str | int) -> bytes:
    """SHA-256 of the fields: 32 bytes."""
    return hashlib.sha256(fields(domain, *parts)).digest()


def _prefixed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _raw(part: bytes | str | int) -> bytes:
    if isinstance(part, bytes):
        return part
    return part.encode() if isinstance(part, str) else part.to_bytes(8, "big")
