"""What anybody can check of a finished game's record without knowing the rules.

A record is the setup, the transcript's entries, their openings and the shares of the seed. `check` says who
did what wrong; `inputs` gives what the engine needs to replay the game, which checks the rules and every
draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from protocol import codec, fairness, signing
from protocol.transcript import (
    AnswerEntry,
    CloseEntry,
    Entry,
    Opening,
    PassEntry,
    PassesEntry,
    PlayerEntry,
    SeedsEntry,
    Transcript,
    check_opening,
    decode_entry,
    decode_opening,
)


class Finding(NamedTuple):
    """Something that is wrong: at which entry (from 0; -1: the shares of the seed), whose doing, what."""

    entry: int
    who: str
    what: str


def heads(game: str, setup: bytes, entries: Sequence[bytes]) -> list[bytes]:
    """Every head of a game's transcript: the first before any entry, the last after all."""
    chain = Transcript(game, setup)
    return [chain.head, *(chain.append(entry) for entry in entries)]


def check(
    game: str,
    setup: bytes,
    keys: Mapping[str, bytes],
    entries: Sequence[bytes],
    openings: Sequence[bytes],
    shares: Mapping[str, bytes],
) -> list[Finding]:
    """Everything that is wrong with a record, in the order of its entries; nothing if all is well.

    `keys`: seat -> the Ed25519 key in the setup. `openings`: as long as `entries`, b"" where there is none.
    `shares`: what `Ended.seeds` brought.
    """
    auditor = _Auditor(game, heads(game, setup, entries), dict(keys))
    for index, entry in enumerate(entries):
        auditor.entry(index, entry, openings[index] if index < len(openings) else b"")
    auditor.shares(shares)
    return auditor.found


def inputs(entries: Sequence[bytes], openings: Sequence[bytes]) -> list[dict[str, Any]]:
    """The engine's inputs in a record. Raises ValueError if `check` would have found it unreadable."""
    out: list[dict[str, Any]] = []
    for raw, opened in zip(entries, openings, strict=True):
        match decode_entry(raw):
            case AnswerEntry(seat=seat, decision=decision):
                answer = codec.unpack_value(decode_opening(opened).value)
                out.append({"seat": seat, "decision": decision, "answer": answer})
            case PassEntry(seat=seat, decision=decision):
                out.append({"seat": seat, "decision": decision, "answer": None})
            case CloseEntry(group=group):
                out.append({"close": group})
            case PlayerEntry(seat=seat, key=key):
                out.append({"rekey": seat, "key": key})
            case _:
                pass
    return out


class _Auditor:
    """Goes through a record from its start, knowing whose key counts and who has a standing pass."""

    def __init__(self, game: str, seen: list[bytes], keys: dict[str, bytes]) -> None:
        self.game = game
        self.seen = seen
        self.keys = keys
        self.found: list[Finding] = []
        self._standing: set[str] = set()
        self._commitments: dict[str, bytes] = {}
        self._index = 0

    def entry(self, index: int, raw: bytes, opened: bytes) -> None:
        self._index = index
        try:
            entry: Entry = decode_entry(raw)
            opening = decode_opening(opened) if opened else None
        except ValueError as error:
            self._wrong(f"the entry cannot be read: {error}")
            return
        if isinstance(entry, SeedsEntry) != (index == 0):
            self._wrong("the commitments to the seed belong into the first entry, and only there")
        match entry:
            case SeedsEntry():
                self._seeds(entry)
            case AnswerEntry():
                self._answer(entry, opening)
            case PassesEntry():
                self._passes(entry)
            case PassEntry():
                if entry.seat not in self._standing:
                    self._wrong(f"the host passed for {entry.seat}, who had not asked for it")
            case PlayerEntry():
                self.keys[entry.seat] = entry.key
                self._standing.discard(entry.seat)
            case CloseEntry():
                pass

    def shares(self, shares: Mapping[str, bytes]) -> None:
        self._index = -1
        for party, commitment in self._commitments.items():
            if party not in shares:
                self._wrong(f"the share of the seed of {party} is missing")
            elif not fairness.check_seed(self.game, party, commitment, shares[party]):
                self._wrong(f"the share of the seed of {party} is not the one committed to")

    def _wrong(self, what: str, who: str = fairness.HOST) -> None:
        self.found.append(Finding(self._index, who, what))

    def _had_seen(self, head: bytes) -> bool:
        """Whether a head that a player signed is one that this record had had by then."""
        return head in self.seen[: self._index + 1]

    def _seeds(self, entry: SeedsEntry) -> None:
        self._commitments = {fairness.HOST: entry.host}
        for seat, seed in entry.seats.items():
            self._commitments[seat] = seed.commitment
            key = self.keys.get(seat, b"")
            if not fairness.verify_seed(key, self.game, seat, seed.commitment, seed.signature):
                self._wrong(f"the commitment of {seat} to the seed is not signed by {seat}")

    def _passes(self, entry: PassesEntry) -> None:
        key = self.keys.get(entry.seat, b"")
        signed = signing.verify_passes(key, self.game, entry.seat, entry.until, entry.keep, entry.head, entry.signature)
        if not signed:
            self._wrong(f"the standing pass of {entry.seat} is not signed by {entry.seat}")
        if not self._had_seen(entry.head):
            self._wrong(f"{entry.seat} had been shown another game")
        (self._standing.discard if entry.until == "off" else self._standing.add)(entry.seat)

    def _answer(self, entry: AnswerEntry, opening: Opening | None) -> None:
        seat = entry.seat
        if opening is None:
            self._wrong(f"the answer of {seat} is missing")
            return
        if not check_opening(self.game, entry, opening):
            self._wrong(f"the answer of {seat} is not the one in the transcript")
        key = self.keys.get(seat, b"")
        signed = signing.verify_answer(key, self.game, entry.decision, opening.value, opening.head, opening.signature)
        if not signed:
            self._wrong(f"the answer of {seat} is not signed by {seat}")
        if not self._had_seen(opening.head):
            self._wrong(f"{seat} had been shown another game")
        try:
            value = codec.unpack_value(opening.value)
        except ValueError:
            self._wrong(f"the answer of {seat} is not in its canonical form", seat)
            return
        if entry.shown is not None and codec.pack_value(entry.shown) != codec.pack_value(value):
            self._wrong(f"the answer of {seat} was shown as another")
