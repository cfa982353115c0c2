"""The transcript as this client has computed it itself, against the heads that the host signs."""

from __future__ import annotations

from collections.abc import Sequence

from protocol import messages as m
from protocol import signing
from protocol.transcript import Transcript, step, words


class Forked(Exception):
    """What the host says does not fit what it said before, or what this client has computed."""


class Chain:
    """The chain of one game. Until `verified` is true its head is only the host's word."""

    def __init__(self, game: str, setup: bytes) -> None:
        self._game = game
        self._own = Transcript(game, setup)
        self._claimed: m.Head | None = None

    @property
    def head(self) -> bytes:
        """The newest head: the own one, or the host's as long as this client has not caught up with it."""
        return self._own.head if self._claimed is None else self._claimed.head

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
        self._claimed = None if head.count == self._own.count else head

    def extend(self, entries: Sequence[bytes], head: m.Head, host_key: bytes) -> None:
        """New entries and the head that they must give. Raises Forked."""
        self._check_signature(head, host_key)
        if self._claimed is not None:
            at, count = self._claimed.head, self._claimed.count + len(entries)
            for entry in entries:
                at = step(at, entry)
            if (at, count) != (head.head, head.count):
                raise Forked("the host's record does not fit what it sends")
            self._claimed = head
            return
        for entry in entries:
            self._own.append(entry)
        if (self._own.head, self._own.count) != (head.head, head.count):
            raise Forked("the host's record does not fit what it sends")

    def catch_up(self, start: int, entries: Sequence[bytes]) -> None:
        """Entries that were fetched, from the own count on. Raises Forked if they lead elsewhere."""
        for number, entry in enumerate(entries, start):
            if self._claimed is None:
                return
            if number == self._own.count:
                self._own.append(entry)
            if self._own.count == self._claimed.count:
                if self._own.head != self._claimed.head:
                    raise Forked("the record that the host keeps leads to another game than the one it shows")
                self._claimed = None

    def _check_signature(self, head: m.Head, host_key: bytes) -> None:
        if not signing.verify_head(host_key, self._game, head.count, head.head, head.signature):
            raise Forked("the host has not signed the record that it sends")
