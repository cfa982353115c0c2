"""Whispers: what one player tells another, and nobody else can read, change, redirect or repeat, not even the host.

Every program draws an X25519 key of its own when it starts, and its player signs it. What two such keys agree on
encrypts, each way with another key. A program that is started anew has another key: what was whispered before it
started means nothing to it, and no whisper can be shown to anybody twice.
"""

from __future__ import annotations

from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from protocol import limits
from protocol.fields import fields
from protocol.identity import Identity, verify

NONCE_BYTES = 12
_TAG_BYTES = 16
_LENGTH_BYTES = 2
DATA_BYTES = tuple(NONCE_BYTES + size + _TAG_BYTES for size in limits.WHISPER_SIZES)
"""How long encrypted whispers are: that tells next to nothing about the length of the text."""


class BadWhisper(ValueError):
    """What cannot be read with these keys on this way."""


class Way(NamedTuple):
    """Whose whisper to whom this is, and which one: nothing of it can be changed without making it unreadable."""

    host_key: bytes
    """The host's CURVE key."""
    game: str
    """The game's id; "" where none is running."""
    seat: str
    to: str
    sign_key: bytes
    """The Ed25519 keys of the one who whispers, and of the one who is meant."""
    to_sign_key: bytes
    number: int
    """Counts what the one program has whispered to the other, from 1."""


def vouch(identity: Identity, host_key: bytes, key: bytes) -> bytes:
    """A player's signature of the X25519 key that his program takes whispers with at this host."""
    return identity.sign(fields("whisper-key/1", host_key, key))


def vouched(signer: bytes, host_key: bytes, key: bytes, signature: bytes) -> bool:
    """Whether the player with this Ed25519 key has signed that."""
    return verify(signer, signature, fields("whisper-key/1", host_key, key))


def seal(secret: X25519PrivateKey, to_key: bytes, way: Way, text: str, nonce: bytes) -> bytes:
    """A whisper for the program with this X25519 key. `nonce`: 12 bytes, drawn anew for each.

    Raises BadWhisper if the text is too long, or the key is none.
    """
    raw = text.encode()
    size = next((size for size in limits.WHISPER_SIZES if _LENGTH_BYTES + len(raw) <= size), None)
    if size is None:
        raise BadWhisper("too long")
    padded = (len(raw).to_bytes(_LENGTH_BYTES, "big") + raw).ljust(size, b"\0")
    cipher = _cipher(secret, to_key, public(secret), to_key)
    return nonce + cipher.encrypt(nonce, padded, fields("whisper/1", *way))


def unseal(secret: X25519PrivateKey, from_key: bytes, way: Way, data: bytes) -> str:
    """What the program with this X25519 key has whispered; not cleaned yet. Raises BadWhisper."""
    cipher = _cipher(secret, from_key, from_key, public(secret))
    try:
        padded = cipher.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], fields("whisper/1", *way))
        length = int.from_bytes(padded[:_LENGTH_BYTES], "big")
        return padded[_LENGTH_BYTES : _LENGTH_BYTES + length].decode()
    except (InvalidTag, ValueError) as error:
        raise BadWhisper("it was made with other keys, for somebody else, or has been changed") from error


def public(secret: X25519PrivateKey) -> bytes:
    """The public half of a key, 32 bytes."""
    return secret.public_key().public_bytes_raw()


def _cipher(secret: X25519PrivateKey, other: bytes, sender: bytes, receiver: bytes) -> ChaCha20Poly1305:
    try:
        shared = secret.exchange(X25519PublicKey.from_public_bytes(other))
    except ValueError as error:
        raise BadWhisper("that is no key") from error
    info = fields("whisper-secret/1", sender, receiver)
    return ChaCha20Poly1305(HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=info).derive(shared))
