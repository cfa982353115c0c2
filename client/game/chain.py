"""The transcript as this client has computed it itself, against the heads that the host signs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocol import messages as m
from protocol import signing, transcript
from protocol.transcript import Transcript, words


class Forked(Exception):
    """What the host says does not fit what it said before, or what this client has computed."""


@dataclass(frozen=True)
class _Claim:
    """A head of which only the host says that it is right."""

    count: int
    head: bytes


class Chain:
    """The chain of one game. Until `verified` is true its head is only the host's word."""

    def __init__(self, game: str, setup: bytes) -> None:
        self._game = game
        self._own = Transcript(game, setup)
        self._claimed: _Claim | None = None
        self._known: _Claim | None = None
        self.went_back = False
        """Whether this is another course of the game than the one that the player has played."""

    def remember(self, count: int, head: bytes) -> None:
        """The record had this head after so many entries when the player played last, before this chain was begun."""
        self._known = _Claim(count, head)
        self.went_back = self.length < count

    @property
    def head(self) -> bytes:
        """The newest head: the own one, or the host's as long as this client has not caught up with it."""
        return self._own.head if self._claimed is None else self._claimed.head

    @property
    def length(self) -> int:
        """How many entries lead to the newest head."""
        return self._own.count if self._claimed is None else self._claimed.count

    @property
    def count(self) -> int:
        """How many entries the own chain has."""
        return self._own.count

    @property
    def verified(self) -> bool:
        """Whether this client has hashed every entry up to the newest head itself."""
        return self._claimed is None

    @property
    def words(self) -> str:
        """The head in words, to be compared aloud."""
        return words(self.head)

    def jump(self, head: m.Head, host_key: bytes) -> None:
        """A snapshot names a head; the entries up to it are still to be fetched. Raises Forked."""
        self._check_signature(head, host_key)
        if head.count < self._own.count or (head.count == self._own.count and head.head != self._own.head):
            raise Forked("the host shows another course of the game than before")
        self._claimed = None if head.count == self._own.count else _Claim(head.count, head.head)

    def extend(self, entries: Sequence[bytes], signature: bytes | None, host_key: bytes) -> None:
        """New entries, and the host's signature where one is due. Raises Forked."""
        head, due = transcript.extend(self.length, self.head, entries)
        if (due is None) != (signature is None):
            raise Forked("the host has not signed the record that it sends")
        if due is not None and signature is not None:
            self._check_signature(m.Head(count=due[0], head=due[1], signature=signature), host_key)
        if self._claimed is not None:
            self._claimed = _Claim(self._claimed.count + len(entries), head)
            return
        for entry in entries:
            self._append(entry)

    def end(self, head: m.Head, host_key: bytes) -> None:
        """The last head of the game. Raises Forked if it is another than the newest one."""
        self._check_signature(head, host_key)
        if (head.count, head.head) != (self.length, self.head):
            raise Forked("the host's record does not fit what it sends")

    def catch_up(self, start: int, entries: Sequence[bytes]) -> None:
        """Entries that were fetched, from the own count on. Raises Forked if they lead elsewhere."""
        for number, entry in enumerate(entries, start):
            if self._claimed is None:
                return
            if number == self._own.count:
                self._append(entry)
            if self._own.count == self._claimed.count:
                if self._own.head != self._claimed.head:
                    raise Forked("the record that the host keeps leads to another game than the one it shows")
                self._claimed = None

    def _append(self, entry: bytes) -> None:
        self._own.append(entry)
        known = self._known
        if known is not None and known.count == self._own.count and known.head != self._own.head:
            self.went_back = True

    def _check_signature(self, head: m.Head, host_key: bytes) -> None:
        if not signing.verify_head(host_key, self._game, head.count, head.head, head.signature):
            raise Forked("the host has not signed the record that it sends")
