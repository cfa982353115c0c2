"""A table's passphrase: who knows it proves that, and never says it.

Both sides make a key of it that is slow to guess and good for one host only. The proof binds that key to the two ends
of the connection, so nobody can pass it on as his own.
"""

from __future__ import annotations

import hashlib
import hmac
import unicodedata

from protocol.fields import fields

_COST = {"n": 2**14, "r": 8, "p": 1}
_MEMORY = 64 * 1024 * 1024


def make_key(passphrase: str, host_key: bytes) -> bytes:
    """The 32-byte key that a passphrase gives at a host; takes some time, so keep it."""
    words = unicodedata.normalize("NFC", passphrase).encode()
    return hashlib.scrypt(words, salt=fields("passphrase/1", host_key), maxmem=_MEMORY, dklen=32, **_COST)


def prove(key: bytes, host_key: bytes, curve_key: bytes) -> bytes:
    """The proof for `hello` of the player with this CURVE key."""
    return hmac.digest(key, fields("passphrase-proof/1", host_key, curve_key), "sha256")


def check(key: bytes, host_key: bytes, curve_key: bytes, proof: bytes) -> bool:
    """Whether a proof is right; takes equally long if it is not."""
    return hmac.compare_digest(prove(key, host_key, curve_key), proof)
