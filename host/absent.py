"""Seats whose player is gone: they are waited for, voted on, played by a bot, and given back.

While a player is waited for, the clocks of what he is asked stand. A bot plays with a key of its own, which the
transcript tells of. It cannot open the player's sealed card, nor the player the bot's: so a seat changes hands only
when no card of it lies sealed; until then its clocks run.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from host.errors import Refused
from host.match import Match
from host.peers import Peer
from host.room import Room
from protocol import limits
from protocol.messages import Absence, Choice, PresencePush, SeatName, Vote

_log = logging.getLogger(__name__)
BOT_SECONDS = 15.0
"""How long a bot may take to come."""


@dataclass
class _Gone:
    """One seat without its player."""

    left: float | None
    """Seconds for which he is still waited for; None: without end."""
    looked: float
    votes: dict[SeatName, Choice] = field(default_factory=dict)
    coming: bool = False
    due: float = 0.0
    bot: Peer | None = None
    """The bot that has come and will take over."""

    def voters(self, choice: Choice) -> list[SeatName]:
        return [seat for seat, vote in self.votes.items() if vote == choice]


class Absent:
    """Looks after the seats whose players are gone."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._gone: dict[SeatName, _Gone] = {}

    def look(self) -> None:
        """Notes who has gone and who is back, and does what is due. To be called in every turn."""
        room, match = self._room, self._room.match
        if match is None or match.over or room.table.phase != "playing":
            self._forget()
            return
        for seat, key in match.basis.seats.items():
            peer = room.peers.find(key)
            if peer is None or peer.bot:
                continue
            if peer.presence == "here":
                self._come_back(seat, match)
            elif seat not in self._gone and match.keys[seat] == match.basis.setup.keys[seat]:
                self._go(seat)
        present = self._present()
        for seat, gone in list(self._gone.items()):
            self._count_down(gone, bool(present))
            self._decide(seat, gone, present)
            if gone.bot is not None and not match.lies_sealed(seat):
                self._take_over(seat, gone.bot, match)
        match.waited_for = {seat for seat, gone in self._gone.items() if not gone.coming}
        self._tell()

    def vote(self, peer: Peer, request: Vote) -> None:
        """What a player thinks should be done about another who is gone."""
        table, gone = self._room.table, self._gone.get(request.seat)
        voter = table.seat_of(peer.key)
        if voter not in self._present():
            raise Refused("not-seated", "only who plays in this game has a say in this")
        if gone is None or gone.coming:
            raise Refused("stale", f"nobody is waited for at {request.seat} (any more)")
        if table.house.absent == "wait" and gone.left is not None:
            raise Refused("refused", "this table waits for everybody first: it votes when the time is over")
        gone.votes[voter] = request.choice

    def expects(self, peer: Peer, seat: SeatName | None) -> bool:
        """Whether this is the bot that was sent for to play at a seat."""
        gone = self._gone.get(seat) if seat is not None else None
        return gone is not None and gone.coming and peer.bot and self._room.bots.owns(peer.key)

    def arrive(self, peer: Peer, seat: SeatName) -> None:
        """The bot is there; it takes over as soon as that is possible."""
        self._gone[seat].bot = peer

    # ---- steps

    def _go(self, seat: SeatName) -> None:
        seconds = self._room.table.clocks.away_s
        self._gone[seat] = _Gone(seconds or None, self._room.now())
        _log.info("%s is waited for", seat)

    def _come_back(self, seat: SeatName, match: Match) -> None:
        gone = self._gone.pop(seat, None)
        if gone is not None and gone.coming:
            self._room.bots.remove(seat)
        if match.keys[seat] != match.basis.setup.keys[seat] and not match.lies_sealed(seat):
            _log.info("%s is played by its player again", seat)
            match.rekey(seat, match.basis.setup.keys[seat])
            self._room.table.stand_ins.pop(seat, None)
            self._room.bots.remove(seat)
            self._room.table.changed = True

    def _count_down(self, gone: _Gone, anybody: bool) -> None:
        """Time runs only while there is somebody who waits."""
        now = self._room.now()
        if gone.left is not None and anybody:
            gone.left = max(0.0, gone.left - (now - gone.looked))
        gone.looked = now

    def _decide(self, seat: SeatName, gone: _Gone, present: set[SeatName]) -> None:
        if gone.coming:
            if gone.bot is None and self._room.now() > gone.due:
                _log.error("the bot for %s did not come", seat)
                self._room.bots.remove(seat)
                gone.coming, gone.left, gone.votes = False, self._room.table.clocks.away_s or None, {}
            return
        if self._majority(gone, "wait", present):
            gone.left = None
        enough = self._majority(gone, "bot", present)
        if enough or (gone.left == 0.0 and self._room.table.house.absent == "bot"):
            gone.coming, gone.due = True, self._room.now() + BOT_SECONDS
            self._room.bots.add(seat)
        elif gone.left == 0.0:
            gone.left = None

    @staticmethod
    def _majority(gone: _Gone, choice: Choice, present: set[SeatName]) -> bool:
        return 2 * len(present.intersection(gone.voters(choice))) > len(present)

    def _take_over(self, seat: SeatName, bot: Peer, match: Match) -> None:
        _log.info("%s takes over at %s", bot.label, seat)
        match.rekey(seat, bot.sign_key)
        self._room.table.stand_ins[seat] = bot.key
        bot.behind = True
        del self._gone[seat]
        self._room.tell(lambda n: PresencePush(n=n, seat=seat, state="bot"))
        self._room.table.changed = True

    def _present(self) -> set[SeatName]:
        """The seats of people who are there and play."""
        room = self._room
        seats = room.match.basis.seats if room.match is not None else {}
        here = {seat: peer for seat, key in seats.items() if (peer := room.peers.find(key)) is not None}
        return {seat for seat, peer in here.items() if peer.presence == "here" and not peer.bot}

    def _tell(self) -> None:
        """Everybody sees who is waited for, and for how long."""
        table = self._room.table
        before = [(one.seat, one.left_ms is None, one.wait, one.bot, one.coming) for one in table.away]
        table.away = [
            Absence(
                seat=seat,
                left_ms=None if gone.left is None else min(round(gone.left * 1000), limits.CLOCK_MS),
                wait=gone.voters("wait"),
                bot=gone.voters("bot"),
                coming=gone.coming,
            )
            for seat, gone in self._gone.items()
        ]
        if before != [(one.seat, one.left_ms is None, one.wait, one.bot, one.coming) for one in table.away]:
            table.changed = True

    def _forget(self) -> None:
        """No game is running: nobody is missed."""
        room = self._room
        for seat in {*room.table.stand_ins, *(seat for seat, gone in self._gone.items() if gone.coming)}:
            room.bots.remove(seat)
        if self._gone or room.table.stand_ins:
            room.table.changed = True
        self._gone.clear()
        room.table.stand_ins.clear()
        room.table.away = []
