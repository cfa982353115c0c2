"""Everybody who has ever connected: one `Peer` for each CURVE key, whatever connections it comes by.

A peer keeps what makes a connection forgettable: the pushes that were not acknowledged, the replies that were given,
and which of several connections counts.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Iterator
from itertools import islice

from host.rates import Bucket
from protocol import codec, limits
from protocol.messages import Presence, Push, Reply, Table, WhisperKey, You

OLD_ROUTES = 8
OLD_SESSIONS = 64
FAR = 2**48
"""A number that no honest client can have come to: there would be none left to count on with."""


class Pushes:
    """The numbered pushes of one peer: kept until acknowledged, sent from any number that is still there."""

    def __init__(self) -> None:
        self.next = 1
        """The number of the next push."""
        self._kept: deque[tuple[int, bytes]] = deque()
        self._bytes = 0
        self._sent = 0

    def add(self, make: Callable[[int], Push], most: int = limits.PUSH_BYTES_KEPT) -> bool:
        """Adds a push, made with its number. False if too many are waiting: they are dropped then, this one too."""
        frame = codec.encode(make(self.next))
        if len(self._kept) >= limits.PUSHES_KEPT or self._bytes + len(frame) > max(most, len(frame)):
            self.drop()
            return False
        self._kept.append((self.next, frame))
        self._bytes += len(frame)
        self.next += 1
        return True

    def acknowledge(self, number: int) -> None:
        """All pushes up to this one have arrived."""
        while self._kept and self._kept[0][0] <= number:
            self._bytes -= len(self._kept.popleft()[1])

    def drop(self) -> None:
        """Forgets what is kept; a snapshot has to follow."""
        self._kept.clear()
        self._bytes = 0

    def restart(self, seen: int) -> bool:
        """Goes on after push number `seen` on a new connection. False if something in between is gone."""
        self.acknowledge(seen)
        if seen >= self.next:  # this host was started anew and does not remember what it sent
            self.drop()
            self.next = seen + 2 if seen < FAR else self.next
            return False
        first = self._kept[0][0] if self._kept else self.next
        if first != seen + 1:
            self.drop()
            return False
        self._sent = seen
        return True

    def unsent(self) -> Iterator[bytes]:
        """The frames that were not handed to the socket yet; each counts as sent once the next is asked for."""
        if not self._kept or self._kept[-1][0] <= self._sent:
            return
        done = max(0, self._sent - self._kept[0][0] + 1)
        for number, frame in list(islice(self._kept, done, None)):
            yield frame
            self._sent = number


class Replies:
    """What a peer was answered in its session, so that a repeated request gets the same reply."""

    def __init__(self) -> None:
        self.session = b""
        self._given: OrderedDict[int, bytes] = OrderedDict()
        self._highest = 0
        self._owed: set[int] = set()

    def start(self, session: bytes) -> None:
        """A hello names its session: a new one forgets the replies of the one before."""
        if session != self.session:
            self.__init__()  # type: ignore[misc]
            self.session = session

    def find(self, request: int) -> bytes | None:
        """The reply that was given to this request."""
        return self._given.get(request)

    def owed(self, request: int) -> bool:
        """Whether this request has been taken up and its reply is still to come."""
        return request in self._owed

    def forgotten(self, request: int) -> bool:
        """Whether this id is so old that it is unknown whether it was answered."""
        return len(self._given) >= limits.REPLIES_KEPT and request < min(self._given)

    def owe(self, request: int) -> None:
        """The reply to this request comes later."""
        self._owed.add(request)

    def keep(self, reply: Reply) -> bytes:
        """Keeps a reply; returns its frame."""
        frame = codec.encode(reply)
        self._owed.discard(reply.id)
        self._given[reply.id] = frame
        while len(self._given) > limits.REPLIES_KEPT:
            self._given.popitem(last=False)
        return frame


class Peer:
    """One key that has connected: a player, somebody who looks on, a bot, or a stranger who never said hello."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.name = ""
        self.bot = False
        self.sign_key = b""
        self.whisper: WhisperKey | None = None
        """With what its program takes whispers; None: it takes none."""
        self.route: bytes | None = None
        """The connection that counts; None before hello and after bye."""
        self.pushes = Pushes()
        self.replies = Replies()
        self.frames = Bucket(limits.FRAMES_PER_SECOND, limits.FRAME_BURST)
        self.requests = Bucket(limits.REQUESTS_PER_SECOND, limits.REQUEST_BURST)
        self.costly = Bucket(limits.COSTLY_PER_SECOND, limits.COSTLY_BURST)
        self.notes = Bucket(limits.NOTES_PER_SECOND, limits.NOTE_BURST)
        """What this peer does wrong is written into the log so often."""
        self.says = Bucket(limits.SAYS_PER_SECOND, limits.SAY_BURST)
        self.table: tuple[Table, You] | None = None
        """The table as this peer was told of it last."""
        self.heard = 0.0
        self.presence: Presence = "gone"
        self.behind = False
        """Whether everything has to be sent anew."""
        self._old_routes: deque[bytes] = deque(maxlen=OLD_ROUTES)
        self.old_sessions: deque[bytes] = deque(maxlen=OLD_SESSIONS)
        """Programs of this player that others of the same player have taken the place of."""
        self._bad: dict[bytes, int] = {}
        self._deaf_until = 0.0
        self.unread = 0
        """How many frames were not read since this peer was listened to last."""

    def floods(self, now: float) -> bool:
        """Counts a frame; whether it is one too many: then neither it nor those of the next moment are read."""
        if now < self._deaf_until:
            self.unread += 1
            return True
        if self.frames.take(now):
            return False
        self._deaf_until = now + limits.DEAF_SECONDS
        self.unread = 1
        return True

    @property
    def known(self) -> bool:
        """Whether this peer has ever said hello."""
        return bool(self.sign_key)

    @property
    def label(self) -> str:
        """The peer in the log: name and the beginning of its key."""
        return f"{self.name or 'somebody'} ({self.key[:4].hex()})"

    def take_route(self, route: bytes) -> bytes | None:
        """From now on this connection counts; returns the one that did until now, if it was another."""
        old, self.route = self.route, route
        if old is None or old == route:
            return None
        self._old_routes.append(old)
        return old

    def superseded(self, route: bytes) -> bool:
        """Whether another connection has taken this one's place."""
        return route != self.route and route in self._old_routes

    def bad_frame(self, route: bytes) -> int:
        """Counts the bad frames of a connection; returns how many there were."""
        while len(self._bad) >= OLD_ROUTES and route not in self._bad:
            self._bad.pop(next(iter(self._bad)))
        self._bad[route] = self._bad.get(route, 0) + 1
        return self._bad[route]

    def shut_out(self, route: bytes) -> bool:
        """Whether this connection has sent so many bad frames that it is not listened to."""
        return self._bad.get(route, 0) >= limits.BAD_FRAMES


class Peers:
    """All peers by key."""

    def __init__(self) -> None:
        self._peers: OrderedDict[bytes, Peer] = OrderedDict()

    def __iter__(self) -> Iterator[Peer]:
        return iter(self._peers.values())

    def get(self, key: bytes) -> Peer:
        """The peer with this key, made if it is new."""
        if key not in self._peers:
            self._peers[key] = Peer(key)
        return self._peers[key]

    def find(self, key: bytes | None) -> Peer | None:
        """The peer with this key if there is one."""
        return None if key is None else self._peers.get(key)

    @property
    def present(self) -> list[Peer]:
        """Everybody who has said hello and not bye."""
        return [peer for peer in self._peers.values() if peer.route is not None]

    def make_room(self, needed: Collection[bytes]) -> None:
        """Forgets those who are gone, oldest first, if there are too many; nobody who is needed."""
        too_many = len(self._peers) - limits.PEERS_KEPT
        if too_many > 0:
            gone = [key for key, peer in self._peers.items() if peer.route is None and key not in needed]
            for key in gone[:too_many]:
                del self._peers[key]
