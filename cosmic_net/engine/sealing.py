"""Sealed cards: a hash that binds its maker to one card without telling which.

A commitment is SHA-256 over a domain string and the length-prefixed fields of a *context* (protocol version, game,
encounter, attempt, seat, the player's public key), the id of the physical card and a 32-byte nonce. Leaving out any
of these would let a player replay another's commitment, or an older one of his own.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

DOMAIN = b"cosmic-net/seal"
VERSION = 1
NONCE_BYTES = 32
FIELDS = ("v", "game", "encounter", "attempt", "seat", "key")


def context(game: str, encounter: int, attempt: int, seat: str, key: bytes) -> dict[str, Any]:
    """The circumstances that a commitment is bound to; plain data, sent with every `seal` decision."""
    return {"v": VERSION, "game": game, "encounter": encounter, "attempt": attempt, "seat": seat, "key": key}


def encode(fields: Mapping[str, Any]) -> bytes:
    """The bytes of a context: domain, then each field of `FIELDS` in order, prefixed with its length.

    Integers are 8 bytes big-endian, strings UTF-8; each field is preceded by its length as 4 bytes big-endian.
    Raises KeyError for a missing field, TypeError for one of a wrong type, OverflowError for a number that is
    negative or too large.
    """
    out = [_field(DOMAIN)]
    for name in FIELDS:
        out.append(_field(_as_bytes(fields[name])))
    return b"".join(out)


def commitment(fields: Mapping[str, Any], card: int, nonce: bytes) -> bytes:
    """The 32-byte commitment to the card with this id. Raises ValueError if the nonce is not 32 bytes long."""
    if len(nonce) != NONCE_BYTES:
        raise ValueError(f"a nonce has {NONCE_BYTES} bytes")
    return hashlib.sha256(encode(fields) + _field(_as_bytes(card)) + _field(nonce)).digest()


def check(fields: Any, claimed: Any, card: Any, nonce: Any) -> bool:
    """Whether the card and nonce open the commitment. Never raises: what is no opening at all opens nothing."""
    if not isinstance(nonce, bytes) or not isinstance(claimed, bytes):
        return False
    try:
        return hmac.compare_digest(commitment(fields, card, nonce), claimed)
    except (KeyError, TypeError, ValueError, OverflowError):
        return False


def _field(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _as_bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, int) and not isinstance(value, bool):
        return value.to_bytes(8, "big")
    raise TypeError(f"cannot bind a {type(value).__name__}")
