"""The transcript of a game: a chain of hashes over everything that was put into it.

    head 0 = H("transcript/1", game id, setup bytes)        head n = H("entry/1", head n-1, entry bytes)

An entry is public: every client gets it with the update that it caused, hashes it onto its own head and
compares with the host's signed one. So two players who see the same head (who read out the same words) have
seen the same game. What only one player may know stands in an entry as a digest; its *opening* is shown after
the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import msgspec

from protocol import codec, limits
from protocol.common import (
    DecisionId,
    Digest,
    Hash,
    Key,
    Number,
    SeatName,
    Shape,
    Signature,
    SignedSeed,
    Until,
    Value,
    WindowNames,
)
from protocol.fields import digest
from protocol.signing import answer_digest
from protocol.wordlist import say

WORDS_SHOWN = 3


class Base(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, array_like=True):
    """Base of all entries. Packed with `encode_entry`: a canonical list of the tag and all fields in their order."""


class SeedsEntry(Base, frozen=True, kw_only=True, tag="seeds"):
    """Always entry 0: the commitments to the seed. At a practice table only to the seed itself."""

    host: Hash
    seats: dict[SeatName, SignedSeed]


class AnswerEntry(Base, frozen=True, kw_only=True, tag="answer"):
    """A seat has answered a decision."""

    seat: SeatName
    decision: DecisionId
    digest: Digest
    """`signing.answer_digest`."""
    shown: Any = None
    """The answer itself where it is public at once: the commitment and signature of a sealed card."""


class PassEntry(Base, frozen=True, kw_only=True, tag="pass"):
    """The host has passed for a seat, because of its standing pass."""

    seat: SeatName
    decision: DecisionId


class CloseEntry(Base, frozen=True, kw_only=True, tag="close"):
    """The clock of a group of decisions has run out: who had not answered got the default."""

    group: Number


class PassesEntry(Base, frozen=True, kw_only=True, tag="passes"):
    """A seat has set or ended its standing pass. The signature is `signing.sign_passes`."""

    seat: SeatName
    until: Until
    keep: WindowNames
    head: Hash
    signature: Signature


class PlayerEntry(Base, frozen=True, kw_only=True, tag="player"):
    """From here on a seat's answers are signed with this key: a bot plays for it, or its player is back."""

    seat: SeatName
    key: Key


Entry = SeedsEntry | AnswerEntry | PassEntry | CloseEntry | PassesEntry | PlayerEntry


class Opening(Shape, frozen=True, kw_only=True):
    """What an `AnswerEntry` hides until the game is over."""

    value: Value
    head: Hash
    signature: Signature


class Transcript:
    """A chain under way: `count` entries so far, and its `head`."""

    def __init__(self, game: str, setup: bytes) -> None:
        self.count = 0
        self.head = start(game, setup)

    def append(self, entry: bytes) -> bytes:
        """Adds an entry's bytes as they were received, and gives the new head."""
        self.head = step(self.head, entry)
        self.count += 1
        return self.head

    @property
    def words(self) -> str:
        """The head in words, to be compared aloud."""
        return words(self.head)


def start(game: str, setup: bytes) -> bytes:
    """The head before any entry."""
    return digest("transcript/1", game, setup)


def step(head: bytes, entry: bytes) -> bytes:
    """The head after one more entry."""
    return digest("entry/1", head, entry)


def words(head: bytes, count: int = WORDS_SHOWN) -> str:
    """The first `count` bytes of a head as words, say "cedar lantern otter"."""
    return say(head[:count])


def extend(count: int, head: bytes, entries: Sequence[bytes]) -> tuple[bytes, tuple[int, bytes] | None]:
    """The head after more entries than `count`, and the newest among them that the host signs, with its count."""
    due: tuple[int, bytes] | None = None
    for number, entry in enumerate(entries, count + 1):
        head = step(head, entry)
        if number % limits.ENTRIES_PER_SIGNATURE == 0:
            due = number, head
    return head, due


def encode_entry(entry: Entry) -> bytes:
    """The bytes of an entry. Raises ValueError if `shown` is not plain data."""
    return codec.pack_value(msgspec.to_builtins(entry, builtin_types=(bytes,)))


def decode_entry(data: bytes) -> Entry:
    """The entry in these bytes. Raises ValueError for anything else."""
    entry = cast(Entry, _convert(data, Entry))
    if encode_entry(entry) != data:
        raise ValueError("not the one form of this transcript entry")
    return entry


def encode_opening(opening: Opening) -> bytes:
    """The bytes of an opening, as a `Page` brings them."""
    return codec.pack_value(msgspec.to_builtins(opening, builtin_types=(bytes,)))


def decode_opening(data: bytes) -> Opening:
    """The opening in these bytes. Raises ValueError for anything else."""
    return cast(Opening, _convert(data, Opening))


def check_opening(game: str, entry: AnswerEntry, opening: Opening) -> bool:
    """Whether this is what the entry hid. Whether its signature is the seat's: `signing.verify_answer`."""
    found = answer_digest(game, entry.decision, opening.value, opening.head, opening.signature)
    return found == entry.digest


def _convert(data: bytes, kind: Any) -> Any:
    if len(data) > limits.ENTRY_BYTES + limits.ANSWER_BYTES:
        raise ValueError("too long for a transcript entry")
    try:
        return msgspec.convert(codec.unpack_value(data), kind, strict=True, builtin_types=(bytes,))
    except (msgspec.ValidationError, RecursionError) as error:
        raise ValueError(f"not a transcript entry: {error}") from error
