"""Hosts that say what a test lets them say, honestly or not: one made by hand, and processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from client.game.told import Told
from client.notes import Note
from client.wire.hosting import Running
from protocol import codec, fairness, patch, signing, updates
from protocol import messages as m
from protocol.identity import Identity
from protocol.transcript import AnswerEntry, CloseEntry, Transcript, encode_entry, extend
from tests.host.hosts import HostProcess

HOST = Identity(b"h" * 32)
ANA, BEN = Identity(b"a" * 32), Identity(b"b" * 32)
GAME = "g-1"
SETUP = codec.pack_value(
    {"game_id": GAME, "seats": ["red", "blue"], "keys": {"red": ANA.sign_key, "blue": BEN.sign_key}}
)
VIEW: dict[str, Any] = {"seats": ["red", "blue"], "me": "red", "prompts": [], "waiting": [], "over": False}


class TrickyHost(HostProcess):
    """A host process that plays tricks; `module` is the program."""

    def play(self, trick: str) -> None:
        """What it does from now on."""
        (self.folder / "trick").write_text(trick)

    @property
    def running(self) -> Running:
        running = Running.read(self.folder)
        assert running is not None
        return running


class FakeHost:
    """Tells a client about a game. What is told arrives at once; `notes` is what came of it."""

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self.resyncs = 0
        self.told = Told(self.notes.append, self._resync)
        self.told.host_key = HOST.sign_key
        self.chain = Transcript(GAME, SETUP)
        self.view = dict(VIEW)
        self.n = 0

    def _resync(self) -> None:
        self.resyncs += 1

    def heard(self, kind: type) -> list[Any]:
        return [note for note in self.notes if isinstance(note, kind)]

    def number(self) -> int:
        self.n += 1
        return self.n

    def head(self, *, by: Identity = HOST) -> m.Head:
        signature = signing.sign_head(by, GAME, self.chain.count, self.chain.head)
        return m.Head(count=self.chain.count, head=self.chain.head, signature=signature)

    def put(self, entries: Sequence[bytes], by: Identity = HOST) -> bytes | None:
        """Adds entries to the record; returns the signature that is due then."""
        head, due = extend(self.chain.count, self.chain.head, entries)
        self.chain.count, self.chain.head = self.chain.count + len(entries), head
        return None if due is None else signing.sign_head(by, GAME, *due)

    def snapshot(self, **changes: Any) -> None:
        fields: dict[str, Any] = {
            "game": GAME, "setup": SETUP, "host_commitment": b"c" * 32, "view": self.view, "log": [],
            "head": self.head(), "clocks": {}, "sealed": [], "passes": [],
        }  # fmt: skip
        self.told.take(m.Snapshot(n=self.number(), **(fields | changes)))

    def update(
        self,
        view: dict[str, Any] | None = None,
        events: Sequence[dict[str, Any]] = (),
        entries: Sequence[bytes] | None = None,
        by: Identity = HOST,
        **changes: Any,
    ) -> None:
        entries = [encode_entry(CloseEntry(group=self.n))] if entries is None else entries
        new = self.view if view is None else view
        fields: dict[str, Any] = {
            "events": list(events), "patch": patch.diff(self.view, new), "entries": list(entries),
            "signature": self.put(entries, by),
        }  # fmt: skip
        self.view = new
        self.told.take(m.Update(n=self.number(), shared=updates.pack(m.Shared(**(fields | changes)))))

    def seal(self, who: Identity = BEN, card: int = 5, **changes: Any) -> fairness.Seal:
        """Asks blue for a card, and tells that one has been sealed."""
        context = m.SealContext(v=1, game=GAME, encounter=1, attempt=1, seat="blue", key=who.sign_key)
        made = fairness.seal(who, context.data(), card)
        asked = {"id": 3, "seat": "blue", "kind": "seal", "timer": 1, "context": context.data()}
        self.update({**self.view, "waiting": [asked]})
        shown = {"commitment": made.commitment, "signature": made.signature} | changes
        entry = AnswerEntry(seat="blue", decision=3, digest=bytes(16), shown=shown)
        self.update({**self.view, "waiting": []}, entries=[encode_entry(entry)])
        return made

    def open(self, seal: fairness.Seal, card: int = 5, **changes: Any) -> None:
        event = {
            "n": self.n, "kind": "card-opened", "seat": "blue", "commitment": seal.commitment, "card": card,
            "face": "attack-08", "nonce": seal.nonce,
        }  # fmt: skip
        self.update(events=[event | changes])
