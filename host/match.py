"""One game under way: every input goes through here, into the journal, the transcript and the engine."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cosmic_net.engine.decisions import SEAL, Decision
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Setup
from host.clocks import Running
from host.errors import Refused
from host.journal import Journal, Line, Origin
from host.seats import plain
from host.standing import Standing
from protocol import codec, fairness, signing, transcript
from protocol.messages import Answer, Clocks, Passes, SealContext, SealedCard, SeatName, SignedSeed
from protocol.transcript import AnswerEntry, CloseEntry, Entry, Opening, PassEntry, PassesEntry, PlayerEntry, SeedsEntry

_log = logging.getLogger(__name__)
OTHER = "does not fit your key, this game, and what you were shown of it"


@dataclass(frozen=True, kw_only=True)
class Basis:
    """What a game starts from, agreed and drawn before its first card."""

    setup: Setup
    packed: bytes
    """The setup as it travels; the transcript's first head is made from these very bytes."""
    seats: dict[SeatName, bytes]
    """The players' CURVE keys."""
    practice: bool
    host_share: bytes
    """The host's share of the seed; at a practice table the seed itself."""
    signed: dict[SeatName, SignedSeed] = field(default_factory=dict)
    shares: dict[SeatName, bytes] = field(default_factory=dict)

    @property
    def game(self) -> str:
        """The game's id."""
        return self.setup.game_id

    @property
    def host_commitment(self) -> bytes:
        """The host's commitment to its share."""
        return fairness.seed_commitment(self.game, fairness.HOST, self.host_share)

    @property
    def seed(self) -> bytes:
        """The seed, once all shares are there."""
        return self.host_share if self.practice else fairness.combine(self.game, self.host_share, plain(self.shares))


class StandingChange(NamedTuple):
    """A seat whose standing pass has been set or has ended."""

    seat: SeatName


class Match:
    """A game, with its transcript, clocks and standing passes.

    `news` collects what has happened besides the engine's events since it was last emptied. `stopped` is set if the
    engine failed: then the game ends without a winner, and with its record.
    """

    def __init__(self, basis: Basis, journal: Journal, clocks: Clocks, lines: list[Line] | None = None) -> None:
        self.basis = basis
        self.game = Game(basis.setup, basis.seed)
        self.standing = Standing()
        self.keys: dict[SeatName, bytes] = {seat: basis.setup.keys[seat] for seat in basis.seats}
        """The signing key that counts for each seat now."""
        self.waited_for: set[SeatName] = set()
        """Seats whose players are gone, and whose clocks stand."""
        self.running = Running(clocks)
        self.sealed: dict[bytes, SealedCard] = {}
        """The commitments that lie on the table unopened."""
        self.news: list[StandingChange] = []
        self.stopped = False
        self.chain = transcript.Transcript(basis.game, basis.packed)
        self.entries: list[bytes] = []
        self._unlogged: list[tuple[int, Entry]] = []
        self._heads = [self.chain.head]
        self._journal = journal
        if lines:
            self._restore(lines)
        else:
            self._record(SeedsEntry(host=basis.host_commitment, seats=basis.signed))

    @property
    def over(self) -> bool:
        """Whether the game has ended, one way or the other."""
        return self.stopped or self.game.over

    # ---- inputs

    def answer(self, seat: SeatName, request: Answer, origin: Origin) -> None:
        """A player's answer. Raises Refused, and then nothing has changed."""
        decision = self._asked(seat, request.decision)
        game, head = self.basis.game, self._head(request.count)
        if not signing.verify_answer(self.keys[seat], game, request.decision, request.value, head, request.signature):
            raise Refused("refused", f"the signature of this answer {OTHER}")
        try:
            value = decision.check(codec.unpack_value(request.value))
        except ValueError as error:  # IllegalAnswer is one
            raise Refused("illegal-answer", str(error)) from error
        shown = self._check_seal(decision, value)
        opening = Opening(value=request.value, head=head, signature=request.signature)
        digest = signing.answer_digest(game, request.decision, request.value, head, request.signature)
        entry = AnswerEntry(seat=seat, decision=decision.id, digest=digest, shown=value if shown else None)
        self._record(entry, transcript.encode_opening(opening), origin)
        if shown is not None:
            self._lay_down(shown)
        self._advance(lambda: self.game.answer(seat, decision.id, value))

    def passes(self, seat: SeatName, request: Passes, origin: Origin) -> None:
        """A player sets or ends a standing pass. Raises Refused."""
        head = self._head(request.count)
        if not signing.verify_passes(
            self.keys[seat], self.basis.game, seat, request.until, request.keep, head, request.signature
        ):
            raise Refused("refused", f"the signature of this standing pass {OTHER}")
        entry = PassesEntry(
            seat=seat,
            until=request.until,
            keep=request.keep,
            head=head,
            signature=request.signature,
        )
        self._record(entry, origin=origin)
        self.standing.set(self.game, seat, request.until, request.keep)
        self.news.append(StandingChange(seat))

    def rekey(self, seat: SeatName, key: bytes) -> None:
        """From now on somebody else plays a seat; its standing pass ends."""
        self._record(PlayerEntry(seat=seat, key=key))
        self._hand_over(seat, key)
        self.news.append(StandingChange(seat))

    def _hand_over(self, seat: SeatName, key: bytes) -> None:
        self.keys[seat] = key
        self.standing.set(self.game, seat, "off", [])
        self._advance(lambda: self.game.rekey(seat, key))

    def head_at(self, count: int) -> bytes:
        """The head of the transcript after so many entries."""
        return self._heads[count]

    def write_log(self) -> None:
        """Writes the inputs since the last time into the log: it can wait until everybody has heard of them."""
        for number, entry in self._unlogged:
            _log.info("game %s: entry %d: %s", self.basis.game, number, _summary(entry))
        self._unlogged.clear()

    def lies_sealed(self, seat: SeatName) -> bool:
        """Whether a card of this seat lies sealed, that only who sealed it can open."""
        encounter = self.game.state.encounter
        if encounter is None:
            return False
        done = {one.commitment for one in encounter.sealed.values() if one.opened is not None or one.forfeited}
        return any(
            card.seat == seat and card.context.encounter == encounter.number and card.commitment not in done
            for card in self.sealed.values()
        )

    def settle(self, now: float) -> None:
        """Lets the host do what follows by itself: standing passes, and clocks that have run out."""
        while not self.over:
            self.running.watch(self.game.pending, now, self.waited_for)
            if (decision := self.standing.passing(self.game.pending)) is not None:
                self._pass(decision)
            elif (group := self.running.due(self.game.pending, now)) is not None:
                self._close(group)
            else:
                return
        self.running.watch((), now)

    def _pass(self, decision: Decision) -> None:
        self._record(PassEntry(seat=decision.seat, decision=decision.id))  # type: ignore[arg-type]
        self._advance(lambda: self.game.answer(decision.seat, decision.id, None))

    def _close(self, group: int) -> None:
        self._record(CloseEntry(group=group))
        self._advance(lambda: self.game.close(group))

    # ---- checks

    def _asked(self, seat: SeatName, number: int) -> Decision:
        decision = next((d for d in self.game.pending if d.id == number), None)
        if decision is None or self.over:
            raise Refused("stale", "that question is not open any more")
        if decision.seat != seat:
            raise Refused("not-your-turn", f"{decision.seat} was asked that, not you")
        return decision

    def _head(self, count: int) -> bytes:
        """The head after so many entries, to which an answer is bound."""
        if count >= len(self._heads):
            raise Refused("stale", "this game has not come so far: ask for everything anew")
        return self._heads[count]

    def _check_seal(self, decision: Decision, value: Any) -> SealedCard | None:
        """The sealed card in an answer, if there is one. Only its owner can have made it."""
        if decision.kind != SEAL or "commitment" not in value:
            return None
        context: Mapping[str, Any] = decision.bounds["context"]
        if not fairness.check_commitment(context, value["commitment"], value["signature"]):
            raise Refused("illegal-answer", "the signature of the sealed card does not fit your key")
        return SealedCard(
            seat=decision.seat,  # type: ignore[arg-type]
            context=SealContext(**context),
            commitment=value["commitment"],
            signature=value["signature"],
        )

    # ---- what an input changes

    def _lay_down(self, card: SealedCard) -> None:
        self.sealed = {
            commitment: other
            for commitment, other in self.sealed.items()
            if other.context.encounter == card.context.encounter
        }
        self.sealed[card.commitment] = card

    def _record(self, entry: Entry, opening: bytes = b"", origin: Origin | None = None) -> None:
        """Puts an input into journal and transcript, before it has any consequences."""
        raw = transcript.encode_entry(entry)
        number = self.chain.count
        self._unlogged.append((number, entry))
        self._chain(raw)
        self._journal.line(self.basis.game, number, Line(raw, opening, origin), self.chain.head)

    def _chain(self, raw: bytes) -> None:
        self._heads.append(self.chain.append(raw))
        self.entries.append(raw)

    def _advance(self, step: Callable[[], None]) -> None:
        """Lets the engine go on. If it fails, the game is stopped, not the host."""
        try:
            step()
        except Exception:
            _log.exception("game %s: the engine failed at entry %d", self.basis.game, self.chain.count - 1)
            self.stopped = True
            return
        for seat in self.standing.end(self.game):
            self.news.append(StandingChange(seat))

    # ---- going on after a restart

    def _restore(self, lines: list[Line]) -> None:
        """Feeds in what the journal kept. Raises ValueError if that is no record of this game."""
        for line in lines:
            entry = transcript.decode_entry(line.entry)
            self._chain(line.entry)
            match entry:
                case AnswerEntry():
                    self._restore_answer(entry, transcript.decode_opening(line.opening))
                case PassEntry(seat=seat, decision=number):
                    self._advance(lambda seat=seat, number=number: self.game.answer(seat, number, None))  # type: ignore[misc]
                case CloseEntry(group=group):
                    self._advance(lambda group=group: self.game.close(group))  # type: ignore[misc]
                case PassesEntry(seat=seat, until=until, keep=keep):
                    self.standing.set(self.game, seat, until, keep)
                case PlayerEntry(seat=seat, key=key):
                    self._hand_over(seat, key)
                case _:
                    pass
        self.news.clear()

    def _restore_answer(self, entry: AnswerEntry, opening: Opening) -> None:
        decision = next((d for d in self.game.pending if d.id == entry.decision), None)
        if decision is None:
            raise ValueError("the journal has an answer to a question that was not asked")
        value = decision.check(codec.unpack_value(opening.value))
        if (card := self._check_seal(decision, value)) is not None:
            self._lay_down(card)
        self._advance(lambda: self.game.answer(entry.seat, entry.decision, value))


def _summary(entry: Entry) -> str:
    """An entry for the log: what came from whom, not what it says."""
    match entry:
        case AnswerEntry(seat=seat, decision=number):
            return f"{seat} answers {number}"
        case PassEntry(seat=seat, decision=number):
            return f"pass for {seat} at {number}"
        case CloseEntry(group=group):
            return f"time is over for group {group}"
        case PassesEntry(seat=seat, until=until):
            return f"{seat} passes until {until}"
        case PlayerEntry(seat=seat, key=key):
            return f"{seat} is played with the key {key[:4].hex()} from here on"
        case _:
            return type(entry).__name__
