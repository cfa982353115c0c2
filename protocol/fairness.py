"""Fair play: sealed encounter cards, and a seed that nobody chooses.

A card is sealed with `cosmic_net.engine.sealing.commitment`, a hash that binds its maker and tells nothing;
the maker signs it, so that the host can only relay it. Every client checks the signature when it is sealed
and everything when it is opened.

The seed: the host commits to 32 random bytes, then every seat to its own, then all seats open. The seed is a
hash of all values, so it is as random as the most random of them. The host's own value is shown after the
game.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from cosmic_net.engine import sealing
from protocol import limits
from protocol.fields import digest, fields
from protocol.identity import Identity, verify

HOST = "host"
"""The host's name among those who contribute to a seed."""


class Seal(NamedTuple):
    """What sealing a card gives: two that are sent, and the nonce that stays here until the opening."""

    commitment: bytes
    signature: bytes
    nonce: bytes


def seal(identity: Identity, context: Mapping[str, Any], card: int, salt: bytes = b"") -> Seal:
    """Seals the card with this id. The same arguments give the same seal: a restarted client can still open.

    Raises ValueError if the context names another's key.
    """
    if context["key"] != identity.sign_key:
        raise ValueError("the context is for another player's key")
    nonce = identity.nonce(context, salt)
    commitment = sealing.commitment(context, card, nonce)
    return Seal(commitment, sign_commitment(identity, context, commitment), nonce)


def reopen(
    identity: Identity, context: Mapping[str, Any], commitment: bytes, cards: Iterable[int], salt: bytes = b""
) -> tuple[int, bytes] | None:
    """The card, one of these, and the nonce that open a commitment made with `seal`; None if none of them does.

    Needs no memory of the sealing: `cards` are the ids of the hand.
    """
    nonce = identity.nonce(context, salt)
    return next(((card, nonce) for card in cards if sealing.check(context, commitment, card, nonce)), None)


def sign_commitment(identity: Identity, context: Mapping[str, Any], commitment: bytes) -> bytes:
    """The player's signature of a commitment in its context."""
    return identity.sign(_commitment_bytes(context, commitment))


def check_commitment(context: Mapping[str, Any], commitment: bytes, signature: bytes) -> bool:
    """Whether the player whose key the context names signed this commitment.

    That this is the key of the seat (the setup's) and that the context is of now, the caller has to check.
    """
    try:
        data = _commitment_bytes(context, commitment)
    except (KeyError, TypeError, OverflowError):
        return False
    return verify(context["key"], signature, data)


def verify_opening(context: Mapping[str, Any], commitment: bytes, signature: bytes, card: int, nonce: bytes) -> bool:
    """Whether this card and nonce open a commitment that its maker signed."""
    return check_commitment(context, commitment, signature) and sealing.check(context, commitment, card, nonce)


def seed_commitment(game: str, party: str, value: bytes) -> bytes:
    """The commitment of a party (a seat, or `HOST`) to its share of the seed, 32 bytes (else ValueError)."""
    if len(value) != limits.SEED_BYTES:
        raise ValueError(f"a share of the seed has {limits.SEED_BYTES} bytes")
    return digest("seed/1", game, party, value)


def check_seed(game: str, party: str, commitment: bytes, value: bytes) -> bool:
    """Whether this share is what the party committed to."""
    return len(value) == limits.SEED_BYTES and hmac.compare_digest(seed_commitment(game, party, value), commitment)


def sign_seed(identity: Identity, game: str, seat: str, commitment: bytes) -> bytes:
    """A player's signature of the commitment to a share of the seed."""
    return identity.sign(fields("seed-commitment/1", game, seat, commitment))


def verify_seed(sign_key: bytes, game: str, seat: str, commitment: bytes, signature: bytes) -> bool:
    """Whether the player with this key signed this seat's commitment to a share of the seed."""
    return verify(sign_key, signature, fields("seed-commitment/1", game, seat, commitment))


def combine(game: str, host_value: bytes, values: Mapping[str, bytes]) -> bytes:
    """The 32-byte seed of a game from the host's share and the shares of all seats (seat -> value)."""
    shares = [part for seat in sorted(values) for part in (seat, values[seat])]
    return digest("joint-seed/1", game, host_value, len(values), *shares)


def _commitment_bytes(context: Mapping[str, Any], commitment: bytes) -> bytes:
    return fields("commitment/1", sealing.encode(context), commitment)
