"""A game and its table as this client is told of them: it keeps what pushes bring and makes notes for the player.

It checks whatever can be checked without knowing the rules: that the record fits, that commitments are signed by the
right seat, that openings open them. It sends nothing.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from client import notes
from client.game.chain import Chain, Forked
from client.game.scrub import scrub
from client.notes import Note
from cosmic_net.engine.decisions import SEAL
from protocol import codec, fairness, patch, updates
from protocol import messages as m
from protocol.text import clean
from protocol.transcript import AnswerEntry, Entry, PlayerEntry, SeedsEntry, decode_entry

log = logging.getLogger(__name__)

LOG_KEPT = 5000


class Told:
    """What is known. `take` is given every push; the notes that it makes go to `tell`."""

    def __init__(self, tell: Callable[[Note], None], resync: Callable[[], None]) -> None:
        self._tell = tell
        self._resync = resync
        self.host_key = b""
        """The host's signing key, from its welcome."""
        self.table: m.Table | None = None
        self.you = m.You()
        self.away: dict[str, float | None] = {}
        """Seats whose players are gone -> until when they are waited for (`time.monotonic`); None: without end."""
        self.game: str | None = None
        self.setup: dict[str, Any] = {}
        self.setup_bytes = b""
        self.host_commitment = b""
        self.practice = False
        self.commitments: dict[str, m.SignedSeed] = {}
        self.view: dict[str, Any] | None = None
        self.revision = 0
        """Counts the changes of the view."""
        self.log: list[Mapping[str, Any]] = []
        self.chain: Chain | None = None
        self.ends: dict[int, float] = {}
        """Timer number -> when it runs out, on the clock of `time.monotonic`."""
        self.sealed: dict[bytes, m.SealedCard] = {}
        self.passes: dict[str, m.StandingPass] = {}
        self.keys: dict[str, set[bytes]] = {}
        """The signing keys that a seat has had: the player's, and a bot's that played for it."""
        self.ended: m.Ended | None = None
        self.fatal: str | None = None
        self.opened_good = 0
        self.opened_all = 0
        self._patched = False

    @property
    def prompts(self) -> list[dict[str, Any]]:
        """The player's own open decisions."""
        return [] if self.view is None or self.fatal else list(self.view.get("prompts", []))

    @property
    def waiting(self) -> list[dict[str, Any]]:
        """All open decisions, as everybody may know them."""
        return [] if self.view is None else list(self.view.get("waiting", []))

    @property
    def phase(self) -> str:
        """What the table is doing: "lobby", "seeding", "playing" or "over"."""
        return self.table.phase if self.table is not None else "lobby" if self.view is None else "playing"

    @property
    def seat(self) -> str | None:
        """The player's seat in the game; None for one who looks on."""
        return self.view.get("me") if self.view is not None else self.you.seat

    def name_of(self, seat: str) -> str:
        """The name of a seat's player; the colour if nobody is known to sit there."""
        if self.table is not None:
            for info in self.table.seats:
                if info.seat == seat and info.name:
                    return info.name
        return seat

    def is_voted_on(self, seat: str) -> bool:
        """Whether the others may vote about a player who is gone; a table that waits votes when his time is over."""
        if self.table is None or seat not in self.away:
            return False
        return self.table.house.absent != "wait" or self.away[seat] is None

    @property
    def names(self) -> dict[str, str]:
        """Seat -> the name of its player, for all seats of the table."""
        seats = {info.seat for info in self.table.seats} if self.table is not None else set()
        if self.view is not None:
            seats |= set(self.view.get("seats", ()))
        return {seat: self.name_of(seat) for seat in seats}

    def seconds_left(self, timer: int) -> float | None:
        """How long a timer still runs; None if it does not run."""
        end = self.ends.get(timer)
        return None if end is None else max(0.0, end - time.monotonic())

    def take(self, push: m.Push) -> None:
        """Takes one push, in its order."""
        handler = self._HANDLERS.get(type(push))
        if handler is None:
            return
        try:
            handler(self, push)
        except Forked as error:
            self.alarm(f"{error}. Play stops here: compare the words of the record with the others.", fatal=True)

    def alarm(self, text: str, *, fatal: bool = False) -> None:
        """Tells the player that something is wrong; `fatal` also stops this client from playing on."""
        log.error("alarm: %s", text)
        if fatal:
            self.fatal = text
        self._tell(notes.Alarm(text, fatal))

    # ---- the table

    def _lobby(self, push: m.Lobby) -> None:
        old, self.table, self.you = self.table, push.table, push.you
        now = time.monotonic()
        self.away = {
            one.seat: None if one.left_ms is None else now + one.left_ms / 1000
            for one in push.table.away
            if not one.coming
        }
        if push.table.phase == "lobby":
            self._leave_game()
        self._tell(notes.TableChanged(old, push.table))

    def _said(self, push: m.Said) -> None:
        self._tell(notes.Said(push.seat, push.name, push.text))

    def _presence(self, push: m.PresencePush) -> None:
        if push.state != "bot":  # who plays is told from the record
            self._tell(notes.PresenceChanged(push.seat, push.state))

    def _closing(self, push: m.Closing) -> None:
        why = {
            "host-stops": "The host has been stopped. The game is kept; it goes on when the host is started again.",
            "kicked": "The table's owner has sent you away.",
            "bad-frames": "The host does not understand this program. Does everybody have the same version?",
        }[push.reason]
        self._tell(notes.Connection("over", f"{why} {clean(push.text)}".strip()))

    # ---- the start of a game

    def _begin(self, push: m.Begin) -> None:
        self._new_game(push.game, push.setup, push.host_commitment, push.practice)
        self._tell(notes.GameBegan(push.game, push.practice, running=False))

    def _seeds(self, push: m.Seeds) -> None:
        if push.game != self.game:
            return
        self.commitments = {str(seat): seed for seat, seed in push.commitments.items()}
        for seat, seed in push.commitments.items():
            key = self.setup["keys"].get(seat, b"")
            if not fairness.verify_seed(key, push.game, seat, seed.commitment, seed.signature):
                self.alarm(f"The share of the seed of {self.name_of(seat)} is not signed by its player.", fatal=True)
                return
        self._tell(notes.SeedDrawn(len(push.commitments)))

    def _abandoned(self, push: m.Abandoned) -> None:
        self._leave_game()
        self._tell(notes.Info(clean(push.text)))

    def _leave_game(self) -> None:
        """There is no game any more: the table is in its lobby."""
        self.game, self.view, self.chain = None, None, None

    def _new_game(self, game: str, setup: bytes, host_commitment: bytes, practice: bool) -> None:
        self.game = game
        self.setup_bytes = setup
        try:
            self.setup = codec.unpack_value(setup)
        except ValueError as error:
            raise Forked("the host's description of the game cannot be read") from error
        self.keys = {seat: {key} for seat, key in self.setup["keys"].items()}
        self.host_commitment = host_commitment
        self.practice = practice
        self.commitments, self.view, self.log = {}, None, []
        self.chain = Chain(game, setup)
        self.ends, self.sealed, self.passes = {}, {}, {}
        self.ended, self.fatal = None, None

    # ---- the game

    def _snapshot(self, push: m.Snapshot) -> None:
        fresh = push.game != self.game or self.chain is None
        if not fresh and (push.setup, push.host_commitment) != (self.setup_bytes, self.host_commitment):
            raise Forked("the host shows another setup of this game than before")
        known = self.log[-1]["n"] if self.log and not fresh else -1
        if fresh:
            self._new_game(push.game, push.setup, push.host_commitment, push.practice)
        self.view = scrub(push.view)
        past = scrub(push.log)
        self.ends = {}
        self._set_clocks(push.clocks)
        self.sealed = {card.commitment: card for card in push.sealed}
        self.passes = {standing.seat: standing for standing in push.passes}
        self._patched = True
        assert self.chain is not None
        if fresh:
            self.log = list(past)
            self._tell(notes.GameBegan(push.game, push.practice, running=True))
            self._tell(notes.Before(tuple(past)))
        else:
            for event in past:
                if event.get("n", 0) > known:
                    self._event(event)
        self.chain.jump(push.head, self.host_key)
        self.revision += 1
        self._tell(notes.Moved())

    def _update(self, push: m.Update) -> None:
        if self.view is None or self.chain is None or not self._patched:
            self._resync()
            return
        try:
            shared = updates.unpack(push.shared)
            own = None if push.own is None else m.Own(**scrub(msgspec.structs.asdict(push.own)))
            asked_before = self.waiting
            self.view = updates.apply(self.view, scrub(shared.patch), own)
            events = updates.events(scrub(shared.events), own)
        except (codec.BadFrame, patch.BadPatch) as error:
            log.warning("an update does not fit: %s", error)
            self._patched = False
            self._resync()
            return
        self._set_clocks(shared.clocks)
        for entry in self.note_entries(shared.entries, asked_before):
            if isinstance(entry, PlayerEntry) and entry.key != self.setup["keys"].get(entry.seat):
                self._tell(notes.PresenceChanged(entry.seat, "bot"))
        for event in events:
            if event.get("kind") == updates.OPENED:
                self._opened(event)
        for event in events:
            self._event(event)
        self.chain.extend(shared.entries, shared.signature, self.host_key)
        self.revision += 1
        self._tell(notes.Moved())

    def note_entries(self, entries: Sequence[bytes], asked: Sequence[Mapping[str, Any]] = ()) -> list[Entry]:
        """Takes from entries of the transcript who plays for whom, and what was committed to; returns what they say.

        `asked`: the decisions that were open, for sealed cards among these entries to be laid on the table.
        """
        read = []
        for raw in entries:
            try:
                entry = decode_entry(raw)
            except ValueError as error:
                raise Forked("the host's record cannot be read") from error
            read.append(entry)
            if isinstance(entry, PlayerEntry):
                self.keys.setdefault(entry.seat, set()).add(entry.key)
            elif isinstance(entry, SeedsEntry) and not self.commitments:
                self.commitments = {str(seat): seed for seat, seed in entry.seats.items()}
            elif isinstance(entry, AnswerEntry) and (card := updates.sealed_card(entry, asked)) is not None:
                self._sealed(card)
        return read

    def _event(self, event: Mapping[str, Any]) -> None:
        self.log.append(event)
        del self.log[:-LOG_KEPT]
        if event.get("kind") == "encounter-started":
            self.opened_good = self.opened_all = 0
        self._tell(notes.Happened(event))

    def _set_clocks(self, clocks: Mapping[int, int | None]) -> None:
        """Timers that have been set; the others run on as long as a decision has them."""
        now = time.monotonic()
        ends = self.ends | {timer: now + left / 1000 for timer, left in clocks.items() if left is not None}
        timers = {entry.get("timer") for entry in self.waiting}
        self.ends = {timer: end for timer, end in ends.items() if timer in timers and clocks.get(timer, 0) is not None}

    def _standing(self, push: m.Standing) -> None:
        if push.until == "off":
            self.passes.pop(push.seat, None)
        else:
            self.passes[push.seat] = m.StandingPass(seat=push.seat, until=push.until, keep=push.keep)
        self._tell(notes.PassStands(push.seat, push.until))

    # ---- sealed cards

    def is_to_be_opened(self, commitment: bytes) -> bool:
        """Whether it is time to open a card: it has been told that it lies there, and nobody is choosing one.

        (Two who choose together are both done before either is told to have chosen. If that was a lie, the check of
        the finished game shows it.)
        """
        if any(one.get("kind") == SEAL for one in self.waiting):
            return False
        return any(e.get("kind") == "card-sealed" and e.get("commitment") == commitment for e in reversed(self.log))

    def _sealed(self, card: m.SealedCard) -> None:
        context = card.context.data()
        right = (
            card.context.seat == card.seat
            and card.context.key in self.keys.get(card.seat, ())
            and card.context.game == self.game
            and fairness.check_commitment(context, card.commitment, card.signature)
        )
        if not right:
            self.alarm(f"The commitment of {self.name_of(card.seat)} is not signed by its player.")
        self.sealed[card.commitment] = card

    def _opened(self, event: Mapping[str, Any]) -> None:
        """A sealed card is opened, by an event that has to have all that is needed to check it."""
        commitment = event.get("commitment")
        card = self.sealed.pop(commitment, None) if isinstance(commitment, bytes) else None
        good = card is not None and fairness.verify_opening(
            card.context.data(), card.commitment, card.signature, event.get("card", 0), event.get("nonce", b"")
        )
        self.opened_all += 1
        self.opened_good += good
        if not good:
            self.alarm(f"The opening of {self.name_of(str(event.get('seat')))} does not fit what was sealed.")
        self._tell(notes.Checked(self.opened_good, self.opened_all))

    def _game_over(self, push: m.Ended) -> None:
        self.ended = push
        self.ends = {}
        if self.chain is not None and self.view is not None:
            self.chain.end(push.head, self.host_key)
        if not self.practice:
            self._check_shares(push)
        self._tell(notes.GameEnded(push.outcome, tuple(push.winners)))

    def _check_shares(self, push: m.Ended) -> None:
        """Compares the shares of the seed with what was committed to when the game began."""
        promised = {"host": self.host_commitment} | {s: seed.commitment for s, seed in self.commitments.items()}
        for party, commitment in promised.items():
            share = push.seeds.get(party, b"")  # type: ignore[call-overload]
            if not fairness.check_seed(push.game, party, commitment, share):
                self.alarm(f"The share of the seed of {party} is not the one that was committed to.")

    _HANDLERS: Mapping[type, Callable[[Any, Any], None]] = {
        m.Lobby: _lobby,
        m.Said: _said,
        m.PresencePush: _presence,
        m.Closing: _closing,
        m.Begin: _begin,
        m.Seeds: _seeds,
        m.Abandoned: _abandoned,
        m.Snapshot: _snapshot,
        m.Update: _update,
        m.Standing: _standing,
        m.Ended: _game_over,
    }
