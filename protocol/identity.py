"""Who somebody is: everything that a player (or a host) can prove and derive from one 32-byte secret.

    secret --HKDF, "curve"--> X25519 key   the CURVE key; its public half is the player's identity
           --HKDF, "sign"---> Ed25519 key  signs commitments, answers and (a host's) transcript heads
           --HKDF, "nonce"--> HMAC key     makes the nonces of sealed cards
           --HKDF, "seed"---> HMAC key     makes the shares of the seed

A client that restarts with the same secret makes the same nonces and shares, and so can open what it
committed to.
"""

from __future__ import annotations

import functools
import hmac
from collections.abc import Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from cosmic_net.engine import sealing
from protocol import limits, z85
from protocol.fields import PREFIX, fields

SECRET_BYTES = 32


class Identity:
    """The keys that come from one secret. Raises ValueError unless the secret has 32 bytes.

    Make the secret with `secrets.token_bytes(32)` and keep it private: whoever has it is the player.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._sign = Ed25519PrivateKey.from_private_bytes(_derive(secret, "sign"))
        self._curve_secret = _derive(secret, "curve")
        self.curve_key: bytes = X25519PrivateKey.from_private_bytes(self._curve_secret).public_key().public_bytes_raw()
        """The CURVE public key, 32 bytes: the identity that everybody sees."""
        self.sign_key: bytes = self._sign.public_key().public_bytes_raw()
        """The Ed25519 public key, 32 bytes."""

    @property
    def curve_public(self) -> bytes:
        """The CURVE public key in Z85, 40 characters, as `zmq.Socket.curve_publickey` takes it."""
        return z85.encode(self.curve_key)

    @property
    def curve_secret(self) -> bytes:
        """The CURVE secret key in Z85, as `zmq.Socket.curve_secretkey` takes it."""
        return z85.encode(self._curve_secret)

    def sign(self, data: bytes) -> bytes:
        """An Ed25519 signature, 64 bytes. Sign only what `fields.fields` made: it carries its purpose."""
        return self._sign.sign(data)

    def prove(self, host_key: bytes) -> bytes:
        """The proof for `hello`: that the signing key belongs to this CURVE key, said to this host only."""
        return self.sign(_player_proof(host_key, self.curve_key, self.sign_key))

    def prove_host(self) -> bytes:
        """A host's proof for `Welcome`: that its signing key belongs to its CURVE key."""
        return self.sign(_host_proof(self.curve_key, self.sign_key))

    def nonce(self, context: Mapping[str, Any], salt: bytes = b"") -> bytes:
        """The nonce for a card sealed in this context: `derive_nonce`."""
        return derive_nonce(self._secret, context, salt)

    def seed_value(self, game: str, host_commitment: bytes) -> bytes:
        """This player's share of a game's seed: `derive_seed_value`."""
        return derive_seed_value(self._secret, game, host_commitment)


def verify(sign_key: bytes, signature: bytes, data: bytes) -> bool:
    """Whether these bytes were signed with this Ed25519 key. Malformed keys and signatures: False."""
    try:
        _public_key(sign_key).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


@functools.lru_cache(maxsize=256)
def _public_key(sign_key: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(sign_key)


def verify_proof(host_key: bytes, curve_key: bytes, sign_key: bytes, proof: bytes) -> bool:
    """Whether a hello's proof binds the signing key to the CURVE key that the connection has."""
    return verify(sign_key, proof, _player_proof(host_key, curve_key, sign_key))


def verify_host_proof(host_key: bytes, sign_key: bytes, proof: bytes) -> bool:
    """Whether a welcome's proof binds the signing key to the host's CURVE key."""
    return verify(sign_key, proof, _host_proof(host_key, sign_key))


def derive_nonce(secret: bytes, context: Mapping[str, Any], salt: bytes = b"") -> bytes:
    """The 32-byte nonce for a card sealed in this context: HMAC-SHA256 over salt and context.

    One context must never be used for two games, because a nonce that was opened once hides nothing any more: a client
    plays no two games with one id (docs/protocol.md, "The seed"), or gives a salt that it drew for this game and kept.
    """
    return _mac(secret, "nonce", fields("nonce/1", salt, sealing.encode(context)))


def derive_seed_value(secret: bytes, game: str, host_commitment: bytes) -> bytes:
    """A player's 32-byte share of the seed: unforeseeable, and another one for another host commitment.

    A client sends it for one set of commitments only (docs/protocol.md, "The seed"): the last to commit could choose
    the seed if it knew the other shares.
    """
    return _mac(secret, "seed", fields("seed-value/1", game, host_commitment))


def _player_proof(host_key: bytes, curve_key: bytes, sign_key: bytes) -> bytes:
    return fields("hello/1", host_key, curve_key, sign_key)


def _host_proof(host_key: bytes, sign_key: bytes) -> bytes:
    return fields("host/1", host_key, sign_key)


def _derive(secret: bytes, label: str) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes")
    info = f"{PREFIX}identity/1/{label}".encode()
    return HKDF(algorithm=hashes.SHA256(), length=limits.KEY_BYTES, salt=None, info=info).derive(secret)


def _mac(secret: bytes, label: str, data: bytes) -> bytes:
    return hmac.digest(_derive(secret, label), data, "sha256")
