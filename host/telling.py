"""What the clients of a game are told: snapshots, and after every turn of the host one update for each.

What all may see is computed once and shared; a seat's own part is added. All clients who follow were told the same
last state, so one old view for each seat is enough to make the patches from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from cosmic_net.engine.events import Event
from host.match import Basis, Match
from protocol import limits, patch, signing
from protocol.identity import Identity
from protocol.messages import (
    Begin,
    Ended,
    Head,
    Opened,
    Push,
    SealedCard,
    SeatName,
    Seeds,
    Snapshot,
    StandingPass,
    Update,
)

Make = Callable[[int], Push]
"""Makes a push with the number that it gets."""
#: A card that is shown: an event with these fields is told as `opened` too.
OPENING = ("seat", "commitment", "card", "face", "nonce")


class _Moment(NamedTuple):
    """How a game stood after a turn, as far as all may see it. Nothing of it changes later."""

    public: dict[str, Any]
    events: int
    head: Head
    clocks: dict[int, int]
    sealed: tuple[SealedCard, ...]
    passes: list[StandingPass]


class Telling:
    """What was told about a game so far. Call `advance` after every turn, then ask for what there is to tell."""

    def __init__(self, match: Match, identity: Identity) -> None:
        self._match = match
        self._identity = identity
        self._public: dict[str, Any] = match.game.view()
        self._private = {seat: match.game.private_view(seat) for seat in match.basis.seats}
        self._patch: dict[str, Any] | None = None
        self._patches: dict[str, dict[str, Any] | None] = {}
        self._events: Sequence[Event] = ()
        self._entries: list[bytes] = []
        self._seen_events = len(match.game.events)
        self._seen_entries = len(match.entries)
        self._head = self._sign()
        self._clocks: dict[int, int] = {}
        self._standing = match.running.standing
        self._made: dict[SeatName | None, Update] = {}
        """The updates of this turn: all who look on get the same one."""

    def advance(self, now: float) -> bool:
        """Looks at what has changed since the last time; False if there is nothing to tell."""
        match = self._match
        self._clocks = match.running.left(now)
        self._made.clear()
        if (len(match.entries), match.running.standing) == (self._seen_entries, self._standing):
            return False
        self._standing = match.running.standing
        public, private = match.game.view(), {seat: match.game.private_view(seat) for seat in self._private}
        self._patch = patch.diff(self._public, public)
        self._patches = {seat: patch.diff(self._private[seat], view) for seat, view in private.items()}
        self._public, self._private = public, private
        self._events = match.game.events[self._seen_events :]
        self._entries = match.entries[self._seen_entries :]
        self._seen_events, self._seen_entries = len(match.game.events), len(match.entries)
        self._head = self._sign()
        return True

    def update(self, seat: SeatName | None) -> Make:
        """What has changed, for a seat (None: for those who look on)."""
        if (message := self._made.get(seat)) is None:
            message = self._made[seat] = Update(
                n=0,
                game=self._match.basis.game,
                events=visible(self._events, seat),
                patch=_both(self._patch, self._patches.get(seat) if seat else None),
                entries=self._entries,
                head=self._head,
                clocks=self._clocks,
            )
        return lambda n: _numbered(message, n)

    def openings(self, seat: SeatName | None) -> list[Make]:
        """The sealed cards that have been opened to this seat."""
        return [
            lambda n, opened=opened: Opened(n=n, **opened)  # type: ignore[misc]
            for opened in shown(self._events, seat)
        ]

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

    @property
    def entries(self) -> int:
        """How many entries of the transcript were told."""
        return self._head.count

    def _moment(self) -> _Moment:
        match = self._match
        return _Moment(
            self._public, len(match.game.events), self._head, self._clocks,
            tuple(match.sealed.values()), list(match.standing.passes),
        )  # fmt: skip

    def _snapshot_of(self, moment: _Moment, seat: SeatName | None) -> Make:
        match = self._match
        events = match.game.events[: moment.events]
        opened = {event["commitment"] for event in shown(events, seat)}
        number = (moment.public["encounter"] or {}).get("number")
        message = Snapshot(
            n=0,
            game=match.basis.game,
            setup=match.basis.packed,
            host_commitment=match.basis.host_commitment,
            practice=match.basis.practice,
            view=moment.public | self._private[seat] if seat else moment.public,
            log=_last(events, seat),
            head=moment.head,
            clocks=moment.clocks,
            sealed=[
                card for card in moment.sealed if card.commitment not in opened and card.context.encounter == number
            ],
            passes=moment.passes,
        )
        return lambda n: _numbered(message, n)

    def ended(self) -> Make:
        """That the game is over, with all that is needed to check it."""
        match = self._match
        outcome: Any = "won" if match.game.over else "stopped"
        winners: Any = match.game.winners
        seeds: dict[Any, bytes] = {"host": match.basis.host_share} | match.basis.shares
        return lambda n: Ended(
            n=n, game=match.basis.game, outcome=outcome, winners=winners, seeds=seeds, head=self._head
        )

    def _sign(self) -> Head:
        count, head = self._match.chain.count, self._match.chain.head
        signature = signing.sign_head(self._identity, self._match.basis.game, count, head)
        return Head(count=count, head=head, signature=signature)


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


def shown(events: Iterable[Event], seat: SeatName | None) -> list[dict[str, Any]]:
    """The openings of sealed cards among these events, as far as this seat may see them."""
    return [
        {name: event[name] for name in OPENING}
        for event in visible(events, seat)
        if all(name in event for name in OPENING)
    ]


def _last(events: Sequence[Event], seat: SeatName | None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for event in reversed(events):
        if len(found) == limits.LOG_PER_SNAPSHOT:
            break
        if (seen := event.seen_by(seat)) is not None:
            found.append(seen)
    return found[::-1]


def _both(shared: dict[str, Any] | None, own: dict[str, Any] | None) -> dict[str, Any] | None:
    """One patch out of two that change different keys."""
    if shared is None or own is None:
        return shared if own is None else own
    merged = shared | own
    if removed := [*shared.get(patch.REMOVED, ()), *own.get(patch.REMOVED, ())]:
        merged[patch.REMOVED] = removed
    return merged


def _numbered(message: Push, n: int) -> Push:
    return msgspec.structs.replace(message, n=n)
