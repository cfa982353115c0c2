"""How much a host puts up with: who asks too much is told so, and who does not stop is not listened to for a moment.

Everybody has buckets of his own, so nobody's noise costs others their turn. Those without a seat share some more: a
crowd of strangers cannot do more than a few people could.
"""

from __future__ import annotations

import logging

from host.door import Arrival, Door
from host.errors import Refused
from host.peers import Peer
from host.room import Room
from protocol import limits
from protocol import messages as m

_log = logging.getLogger(__name__)
COSTLY = (
    m.Hello,
    m.Bye,
    m.Resync,
    m.Record,
    m.Sit,
    m.Leave,
    m.Ready,
    m.SetOptions,
    m.Bot,
    m.Kick,
    m.Start,
    m.Rematch,
    m.Passes,
)
"""Requests after which everybody is told something, or that need much to be looked up."""


class Patience:
    """Decides whether a frame is read, and whether a request is looked at."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def reads(self, peer: Peer, arrival: Arrival) -> bool:
        """Whether the next frame of this peer is read. A connection by which too many are not is cut."""
        if peer.shut_out(arrival.route):
            peer.unread += 1
        elif not peer.floods(self._room.now()) or self._ours(peer):
            return True
        elif peer.unread == 1:  # the first one; for each of them would leave no room in the log for anything else
            self.note(peer, "sends more than this host reads")
        if peer.unread > limits.UNREAD_FRAMES and Door.cut(arrival):
            self.note(peer, "its connection is cut")
            peer.unread = 0
        return False

    def check(self, peer: Peer, request: m.Request) -> None:
        """Raises Refused if there are too many requests of this peer, or of all who look on."""
        if self._ours(peer):
            return
        now = self._room.now()
        if not peer.requests.take(now):
            self.note(peer, "sends too many requests")
            raise Refused("too-fast", "too many requests; wait a moment")
        if not isinstance(request, COSTLY):
            return
        if not peer.costly.take(now):
            self.note(peer, "changes too much, or asks for too much", type(request).__name__)
            raise Refused("too-fast", "that was too often; wait a moment")
        if not self._room.has_place(peer) and not self._room.crowd_costly.take(now):
            self.note(peer, "has to wait: too many people look on")
            raise Refused("too-fast", "there are too many people here just now; wait a moment")

    def note(self, peer: Peer, *words: str, level: int = logging.WARNING) -> None:
        """Writes into the log what a peer does wrong, as far as it is not too often."""
        if peer.notes.take(self._room.now()):
            _log.log(level, "%s: %s", peer.label, ": ".join(words))

    def _ours(self, peer: Peer) -> bool:
        """Whether this is one of the host's own bots."""
        return peer.bot and self._room.bots.owns(peer.key)
