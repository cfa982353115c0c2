"""A game's record, made as a host makes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from protocol import audit, codec, fairness, messages, signing, transcript
from protocol.identity import Identity

GAME = "game-1"
SETUP = codec.pack_value({"game_id": GAME, "seats": ["red", "blue"]})


@dataclass
class Played:
    """A little game as a host would record it."""

    seats: Sequence[str] = ("red", "blue")
    entries: list[bytes] = field(default_factory=list)
    openings: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.players = {seat: Identity(seat.encode().ljust(32)) for seat in self.seats}
        self.chain = transcript.Transcript(GAME, SETUP)
        self.keys = {seat: player.sign_key for seat, player in self.players.items()}
        self.shares = {party: party.encode().ljust(32) for party in ("host", *self.seats)}
        seats = {}
        for seat, player in self.players.items():
            commitment = fairness.seed_commitment(GAME, seat, self.shares[seat])
            seats[seat] = messages.SignedSeed(
                commitment=commitment, signature=fairness.sign_seed(player, GAME, seat, commitment)
            )
        host = fairness.seed_commitment(GAME, "host", self.shares["host"])
        self.put(transcript.SeedsEntry(host=host, seats=seats))  # type: ignore[arg-type]

    def put(self, entry: transcript.Entry, opening: bytes = b"") -> None:
        self.entries.append(transcript.encode_entry(entry))
        self.openings.append(opening)
        self.chain.append(self.entries[-1])

    def answer(self, seat: Any, decision: int, answer: Any, *, head: bytes = b"", shown: Any = None) -> None:
        value, head = codec.pack_value(answer), head or self.chain.head
        signature = signing.sign_answer(self.players[seat], GAME, decision, value, head)
        digest = signing.answer_digest(GAME, decision, value, head, signature)
        self.put(
            transcript.AnswerEntry(seat=seat, decision=decision, digest=digest, shown=shown),
            transcript.encode_opening(transcript.Opening(value=value, head=head, signature=signature)),
        )

    def standing_pass(self, seat: Any, until: Any = "turn") -> None:
        signature = signing.sign_passes(self.players[seat], GAME, seat, until, [], self.chain.head)
        self.put(transcript.PassesEntry(seat=seat, until=until, keep=[], head=self.chain.head, signature=signature))

    def findings(self) -> list[tuple[int, str]]:
        found = audit.check(GAME, SETUP, self.keys, self.entries, self.openings, self.shares)
        return [(finding.entry, finding.who) for finding in found]
