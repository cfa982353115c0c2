"""What all parts of a host share: the table, the people, the running game, and what is to be sent.

Nothing is sent while a request is dealt with. Replies and news are collected here; `host.service` sends them at the
end of the turn, when the journal has everything on disk.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NamedTuple

from host.botpool import BotPool
from host.ceremony import Ceremony
from host.config import Config
from host.journal import Journal, StoredPlayer
from host.match import Match
from host.peers import Peer, Peers
from host.rates import Bucket
from host.table import Table
from host.telling import Make, Telling
from protocol import codec, limits
from protocol.identity import Identity
from protocol.messages import (
    Error,
    ErrorCode,
    Presence,
    PresencePush,
    Push,
    Reply,
    SeatName,
    Standing,
    StandingPass,
)

_log = logging.getLogger(__name__)


class News(NamedTuple):
    """A push for everybody, and what the one with this key is told instead, if there is such a one."""

    make: Make
    key: bytes = b""
    own: Make | None = None

    def for_key(self, key: bytes) -> Make:
        """What the peer with this key is told."""
        return self.own if self.own is not None and key == self.key else self.make


class Room:
    """The shared state of one host process."""

    def __init__(
        self,
        config: Config,
        identity: Identity,
        journal: Journal,
        table: Table,
        bots: BotPool,
        clock: Callable[[], float],
    ) -> None:
        self.config = config
        self.identity = identity
        self.journal = journal
        self.table = table
        self.bots = bots
        self.now = clock
        self.peers = Peers()
        self.passphrase_key = b""
        """Made of the passphrase that strangers have to know; b"": there is none."""
        self.ceremony: Ceremony | None = None
        self.match: Match | None = None
        self.telling: Telling | None = None
        self.shown_later: tuple[str, int, bool] | None = None
        """How much of which game those who look on have seen, and whether its end; None: they see all at once."""
        self.dealt = False
        """Whether a game has begun since the last turn, so that everybody needs a snapshot."""
        self.news: list[News] = []
        """Pushes for everybody, in the order in which things happened."""
        self.crowd_says = Bucket(limits.CROWD_SAYS_PER_SECOND, limits.CROWD_SAY_BURST)
        self.crowd_costly = Bucket(limits.CROWD_COSTLY_PER_SECOND, limits.CROWD_COSTLY_BURST)
        self._crowd_changed = False
        self.frames: list[tuple[bytes, bytes]] = []
        """Frames for connections: (route, frame)."""

    # ---- saying something

    def reply(self, peer: Peer, request: int, body: dict[str, object] | None = None, keep: bool = True) -> None:
        """Answers a request of a peer: it is done. `keep`: the same id gets this very reply again."""
        self._answer(peer, Reply(id=request, ok=True, body=body), keep)

    def refuse(self, peer: Peer, request: int, code: ErrorCode, text: str) -> None:
        """Answers a request of a peer: it is not done, and why."""
        self._answer(peer, Reply(id=request, ok=False, error=Error(code=code, text=text)))

    def _answer(self, peer: Peer, reply: Reply, keep: bool = True) -> None:
        frame = peer.replies.keep(reply) if keep else codec.encode(reply)
        if peer.route is not None:
            self.frames.append((peer.route, frame))

    def send(self, route: bytes, message: Push) -> None:
        """Sends something that concerns one connection only."""
        self.frames.append((route, codec.encode(message)))

    def tell(self, make: Make, key: bytes = b"", own: Make | None = None) -> None:
        """Tells everybody; the peer with this key something of his own."""
        self.news.append(News(make, key, own))

    def gather_news(self) -> None:
        """Turns what the game reports into news."""
        if self.match is None:
            return
        standing = {item.seat: item for item in self.match.standing.passes}
        for item in self.match.news:
            self.tell(_standing(item.seat, standing.get(item.seat)))
        self.match.news.clear()

    # ---- people

    @property
    def leader(self) -> bytes | None:
        """Who may do what is the owner's: the owner, or while he is gone the first who sits here and is there."""
        owner = self.peers.find(self.table.owner)
        if owner is not None and owner.presence != "here":
            for key in self.table.seats.values():
                peer = self.peers.find(key)
                if peer is not None and peer.presence == "here" and not peer.bot:
                    return key
        return self.table.owner

    def awaited(self) -> list[Peer]:
        """Those whom the game waits for."""
        asked = {decision.seat for decision in self.match.game.pending} if self.match is not None else set()
        keys = [self.table.stand_ins.get(seat, key) for seat, key in self.table.seats.items() if seat in asked]
        return [peer for key in keys if (peer := self.peers.find(key)) is not None]

    def set_presence(self, peer: Peer, state: Presence) -> None:
        """Notes whether a player is there, and tells the others if he has a seat."""
        if peer.presence == state:
            return
        _log.info("%s is %s", peer.label, state)
        peer.presence = state
        seat = self.table.seat_of(peer.key)
        if seat is not None and self.table.seats.get(seat) == peer.key:
            self.table.changed = True
            self.tell(lambda n: PresencePush(n=n, seat=seat, state=state))

    def people_changed(self, peer: Peer) -> None:
        """Somebody has come or gone. Of those who look on, all hear once a second: they may be a crowd."""
        if self.has_place(peer):
            self.table.changed = True
        else:
            self._crowd_changed = True

    def tell_of_crowd(self) -> None:
        """To be called every second: everybody hears who looks on, if that has changed."""
        if self._crowd_changed:
            self.table.changed, self._crowd_changed = True, False

    def has_place(self, peer: Peer) -> bool:
        """Whether a peer has a seat, is to have one, or is the owner: whoever else comes looks on."""
        return peer.key in self.needed() or self.bots.owns(peer.key)

    def needed(self) -> set[bytes]:
        """The keys of all who have something to do with the table or its game."""
        keys = set(self.table.seats.values())
        if self.table.owner is not None:
            keys.add(self.table.owner)
        if self.match is not None:
            keys.update(self.match.basis.seats.values())
        return keys

    @property
    def watchers(self) -> int:
        """How many there are who look on."""
        return sum(not self.has_place(peer) for peer in self.peers.present)

    def game_of(self, peer: Peer) -> str | None:
        """The game that runs, as far as a peer may know."""
        unseen = self.shown_later is not None and self.shown_later[1] == 0
        if self.match is None or (unseen and self.table.seat_of(peer.key) is None):
            return None
        return self.match.basis.game

    def remember(self, peer: Peer) -> None:
        """Keeps in the journal who a peer is."""
        kind = "bot" if peer.bot else "person"
        self.journal.player(StoredPlayer(peer.key, peer.name, kind, peer.sign_key))


def _standing(seat: SeatName, held: StandingPass | None) -> Make:
    if held is None:
        return lambda n: Standing(n=n, seat=seat, until="off", keep=[])
    return lambda n: Standing(n=n, seat=seat, until=held.until, keep=held.keep)
