"""A host made by hand that says what a test lets it say, honestly or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from client.game.told import Told
from client.notes import Note
from protocol import codec, fairness, patch, signing
from protocol import messages as m
from protocol.identity import Identity
from protocol.transcript import CloseEntry, Transcript, encode_entry

HOST = Identity(b"h" * 32)
ANA, BEN = Identity(b"a" * 32), Identity(b"b" * 32)
GAME = "g-1"
SETUP = codec.pack_value(
    {"game_id": GAME, "seats": ["red", "blue"], "keys": {"red": ANA.sign_key, "blue": BEN.sign_key}}
)
VIEW: dict[str, Any] = {"seats": ["red", "blue"], "me": "red", "prompts": [], "waiting": [], "over": False}


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

    def snapshot(self, **changes: Any) -> None:
        fields: dict[str, Any] = {
            "game": GAME, "setup": SETUP, "host_commitment": b"c" * 32, "view": self.view, "log": [],
            "head": self.head(), "clocks": {}, "sealed": [], "passes": [],
        }  # fmt: skip
        self.told.take(m.Snapshot(n=self.number(), **(fields | changes)))

    def update(self, view: dict[str, Any] | None = None, events: Sequence[dict[str, Any]] = (), **changes: Any) -> None:
        entry = encode_entry(CloseEntry(group=self.n))
        self.chain.append(entry)
        new = self.view if view is None else view
        fields: dict[str, Any] = {
            "game": GAME, "events": list(events), "patch": patch.diff(self.view, new), "entries": [entry],
            "head": self.head(), "clocks": {},
        }  # fmt: skip
        self.view = new
        self.told.take(m.Update(n=self.number(), **(fields | changes)))

    def seal(self, who: Identity = BEN, card: int = 5, **changes: Any) -> fairness.Seal:
        context = m.SealContext(v=1, game=GAME, encounter=1, attempt=1, seat="blue", key=who.sign_key)
        made = fairness.seal(who, context.data(), card)
        fields: dict[str, Any] = {
            "seat": "blue", "context": context, "commitment": made.commitment, "signature": made.signature, **changes
        }  # fmt: skip
        self.told.take(m.Sealed(n=self.number(), **fields))
        return made

    def open(self, seal: fairness.Seal, card: int = 5) -> None:
        self.told.take(
            m.Opened(
                n=self.number(), seat="blue", commitment=seal.commitment, card=card, face="attack-08", nonce=seal.nonce
            )
        )
