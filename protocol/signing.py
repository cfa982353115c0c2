"""What players and the host sign besides commitments: answers, standing passes, transcript heads.

Everything is signed over `fields.fields`, and checked over the very bytes that travelled.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol import limits
from protocol.fields import digest, fields
from protocol.identity import Identity, verify


def sign_answer(identity: Identity, game: str, decision: int, value: bytes, head: bytes) -> bytes:
    """A player's signature of a packed answer; `head` is the newest head that the player had computed."""
    return identity.sign(_answer(game, decision, value, head))


def verify_answer(sign_key: bytes, game: str, decision: int, value: bytes, head: bytes, signature: bytes) -> bool:
    """Whether the player with this key signed this answer."""
    return verify(sign_key, signature, _answer(game, decision, value, head))


def answer_digest(game: str, decision: int, value: bytes, head: bytes, signature: bytes) -> bytes:
    """What the public transcript shows of an answer: it binds its maker and the host, and tells nothing.

    Nobody can try out answers against it, because the signature that goes into it stays secret until the game
    is over. It is short, as it goes to everybody: who wanted two answers with one digest would have to find them
    between the last entry and his answer.
    """
    whole = digest("answer-digest/2", _answer(game, decision, value, head), signature)
    return whole[: limits.DIGEST_BYTES]


def sign_passes(identity: Identity, game: str, seat: str, until: str, keep: Sequence[str], head: bytes) -> bytes:
    """A player's signature of a standing pass."""
    return identity.sign(_passes(game, seat, until, keep, head))


def verify_passes(
    sign_key: bytes, game: str, seat: str, until: str, keep: Sequence[str], head: bytes, signature: bytes
) -> bool:
    """Whether the player with this key signed this standing pass."""
    return verify(sign_key, signature, _passes(game, seat, until, keep, head))


def sign_head(identity: Identity, game: str, count: int, head: bytes) -> bytes:
    """The host's signature of the transcript's head after `count` entries."""
    return identity.sign(_head(game, count, head))


def verify_head(sign_key: bytes, game: str, count: int, head: bytes, signature: bytes) -> bool:
    """Whether the host with this key vouches for this head. Two different ones for one count convict it."""
    return verify(sign_key, signature, _head(game, count, head))


def _answer(game: str, decision: int, value: bytes, head: bytes) -> bytes:
    return fields("answer/1", game, decision, value, head)


def _passes(game: str, seat: str, until: str, keep: Sequence[str], head: bytes) -> bytes:
    return fields("passes/1", game, seat, until, len(keep), *keep, head)


def _head(game: str, count: int, head: bytes) -> bytes:
    return fields("head/1", game, count, head)
