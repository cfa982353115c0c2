"""What the clients of a game are told: snapshots, and after every turn of the host one update for each.

What all may see is computed once and shared; a seat's own part is added. All clients who follow were told the same
last state, so one old view for each seat is enough to make the patches from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from cosmic_net.engine.events import Event
from host.match import Basis, Match
from protocol import limits, patch, signing, updates
from protocol.identity import Identity
from protocol.messages import (
    Begin,
    Ended,
    Head,
    Own,
    Push,
    SealedCard,
    SeatName,
    Seeds,
    Shared,
    Snapshot,
    StandingPass,
    Update,
)

Make = Callable[[int], Push]
"""Makes a push with the number that it gets."""


class _Moment(NamedTuple):
    """How a game stood after a turn, as far as all may see it. Nothing of it changes later."""

    public: Mapping[str, Any]
    events: int
    entries: int
    clocks: dict[int, int]
    sealed: tuple[SealedCard, ...]
    passes: list[StandingPass]


class Telling:
    """What was told about a game so far. Call `advance` after every turn, then ask for what there is to tell."""

    def __init__(self, match: Match, identity: Identity) -> None:
        self._match = match
        self._identity = identity
        self._public = patch.Followed(match.game.view())
        views = {seat: match.game.private_view(seat) for seat in match.basis.seats}
        self._prompts: dict[SeatName, list[dict[str, Any]]] = {
            seat: view.pop("prompts") for seat, view in views.items()
        }
        self._private = {seat: patch.Followed(view) for seat, view in views.items()}
        self._seen_events = len(match.game.events)
        self.entries = len(match.entries)
        """How many entries of the transcript were told."""
        self._clocks: dict[int, int] = {}
        self._ends: Mapping[int, float] = {}
        self._standing = match.running.standing
        self._shared = b""
        """What all are told in this turn, packed once for everybody."""
        self._own: dict[SeatName, Own | None] = {}
        self._signed: Head | None = None
        """The head that was signed last."""

    def advance(self, now: float) -> bool:
        """Looks at what has changed since the last time; False if there is nothing to tell."""
        match = self._match
        self._clocks = match.running.left(now)
        if (len(match.entries), match.running.standing) == (self.entries, self._standing):
            return False
        events, entries = match.game.events[self._seen_events :], match.entries[self.entries :]
        public = match.game.view()
        shared = Shared(
            events=visible(events, None),
            patch=self._public.follow(public),
            entries=entries,
            signature=self._signature(len(match.entries)),
            clocks=self._changed_clocks(),
        )
        self._shared = updates.pack(shared)
        self._own = {seat: self._own_part(seat, events, public["waiting"]) for seat in self._private}
        self._seen_events, self.entries = len(match.game.events), len(match.entries)
        self._ends, self._standing = match.running.ends, match.running.standing
        return True

    def update(self, seat: SeatName | None) -> Make:
        """What has changed, for a seat (None: for those who look on)."""
        shared, own = self._shared, self._own.get(seat) if seat else None
        return lambda n: Update(n=n, shared=shared, own=own)

    def _own_part(self, seat: SeatName, events: Sequence[Event], waiting: Sequence[Mapping[str, Any]]) -> Own | None:
        """What a seat alone is told: what its own cards are, what it is asked, and what it sees more of than others."""
        seen = visible((event for event in events if seat in event.to), seat)
        view = self._match.game.private_view(seat)
        prompts = view.pop("prompts")
        asked = updates.asked(self._prompts[seat], prompts, waiting)
        self._prompts[seat] = prompts
        changed = self._private[seat].follow(view)
        return Own(events=seen, patch=changed, asked=asked) if seen or changed or asked else None

    def _changed_clocks(self) -> dict[int, int | None]:
        """The timers that have been set since the last time, and those that stand now although they ran."""
        ends, left = self._match.running.ends, self._clocks
        changed: dict[int, int | None] = {timer: left[timer] for timer in ends if self._ends.get(timer) != ends[timer]}
        return changed | dict.fromkeys(self._match.running.standing & self._ends.keys())

    def _signature(self, count: int) -> bytes | None:
        """The signature of the newest head that is to be signed, if it is not older than what was told last."""
        due = count - count % limits.ENTRIES_PER_SIGNATURE
        return self._sign(due).signature if due > self.entries else None

    def snapshot(self, seat: SeatName | None) -> Make:
        """Everything that this seat may see."""
        return self._snapshot_of(self._moment(), seat)

    def later(self) -> Callable[[], Make]:
        """Makes a snapshot, at any later time, of what all may see now."""
        moment = self._moment()
        return lambda: self._snapshot_of(moment, None)

    @property
    def game(self) -> str:
        """The game's id."""
        return self._match.basis.game

    def _moment(self) -> _Moment:
        match = self._match
        return _Moment(
            self._public.data, self._seen_events, self.entries, self._clocks,
            tuple(match.sealed.values()), list(match.standing.passes),
        )  # fmt: skip

    def _snapshot_of(self, moment: _Moment, seat: SeatName | None) -> Make:
        match = self._match
        events = match.game.events[: moment.events]
        opened = {event.data["commitment"] for event in events if event.kind == updates.OPENED}
        number = (moment.public["encounter"] or {}).get("number")
        message = Snapshot(
            n=0,
            game=match.basis.game,
            setup=match.basis.packed,
            host_commitment=match.basis.host_commitment,
            practice=match.basis.practice,
            view=self._view(moment, seat),
            log=_last(events, seat),
            head=self._sign(moment.entries),
            clocks=moment.clocks,
            sealed=[
                card for card in moment.sealed if card.commitment not in opened and card.context.encounter == number
            ],
            passes=moment.passes,
        )
        return lambda n: _numbered(message, n)

    def _view(self, moment: _Moment, seat: SeatName | None) -> dict[str, Any]:
        own = {**self._private[seat].data, "prompts": self._prompts[seat]} if seat else {}
        return {**moment.public, **own}

    def ended(self) -> Make:
        """That the game is over, with all that is needed to check it."""
        match = self._match
        outcome: Any = "won" if match.game.over else "stopped"
        winners: Any = match.game.winners
        seeds: dict[Any, bytes] = {"host": match.basis.host_share} | match.basis.shares
        head = self._sign(self.entries)
        return lambda n: Ended(n=n, game=match.basis.game, outcome=outcome, winners=winners, seeds=seeds, head=head)

    def _sign(self, count: int) -> Head:
        """The head after so many entries, signed."""
        if self._signed is None or self._signed.count != count:
            head = self._match.head_at(count)
            signature = signing.sign_head(self._identity, self._match.basis.game, count, head)
            self._signed = Head(count=count, head=head, signature=signature)
        return self._signed


def begun(basis: Basis) -> Make:
    """That a game is being started."""
    return lambda n: Begin(
        n=n,
        game=basis.game,
        setup=basis.packed,
        host_commitment=basis.host_commitment,
        practice=basis.practice,
    )


def all_committed(basis: Basis) -> Make:
    """That all commitments to the seed are in."""
    return lambda n: Seeds(n=n, game=basis.game, commitments=basis.signed)


def visible(events: Iterable[Event], seat: SeatName | None) -> list[dict[str, Any]]:
    """The events as this seat sees them."""
    return [seen for event in events if (seen := event.seen_by(seat)) is not None]


def _last(events: Sequence[Event], seat: SeatName | None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for event in reversed(events):
        if len(found) == limits.LOG_PER_SNAPSHOT:
            break
        if (seen := event.seen_by(seat)) is not None:
            found.append(seen)
    return found[::-1]


def _numbered(message: Push, n: int) -> Push:
    return msgspec.structs.replace(message, n=n)
