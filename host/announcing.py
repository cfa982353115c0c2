"""What is queued for whom at the end of a turn: everybody's pushes, and for those who look on perhaps later ones."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

from host.gallery import Gallery
from host.peers import Peer
from host.room import Room
from host.telling import Make, all_committed, begun
from protocol import limits
from protocol import messages as m

_log = logging.getLogger(__name__)


class Announcing:
    """Queues pushes for all who are known."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._gallery = Gallery(room)
        self._table: m.Table | None = None

    def announce(self, changed: bool, ended: bool) -> None:
        """Queues for everybody what there is to tell. `changed`: the game has moved; `ended`: it is over since now."""
        room, gallery = self._room, self._gallery
        later = list(self._game(b"", None, changed, ended)) if gallery.is_later else []
        gallery.take_in(later, self._message() if room.table.changed else None, changed or room.dealt, ended)
        for peer in room.peers:
            if peer.known:
                self._tell(peer, room.table.seat_of(peer.key), changed, ended)
        gallery.next_turn()
        room.news.clear()
        room.dealt = False
        self._table = None

    def next_due(self) -> float | None:
        """When there is something to tell those who look on, if nothing happens before."""
        return self._gallery.next_due()

    def _tell(self, peer: Peer, seat: m.SeatName | None, changed: bool, ended: bool) -> None:
        most = limits.PUSH_BYTES_KEPT if seat else limits.WATCHER_BYTES_KEPT
        later = seat is None and self._gallery.is_later
        if peer.route is None and seat is None:
            peer.behind = True
            peer.pushes.drop()
        if not peer.behind:
            pushes = self._gallery.due(peer) if later else self._game(peer.key, seat, changed, ended)
            self._add(peer, [*self._lobby_if_changed(peer, seat, later), *pushes], most)
        if peer.behind and peer.route is not None:
            peer.behind = False
            everything = self._gallery.everything(peer) if later else self._everything(seat, ended)
            for make in [self._lobby(peer, seat, later), *everything]:
                peer.pushes.add(make, most)

    @staticmethod
    def _add(peer: Peer, pushes: Iterable[Make], most: int) -> None:
        for make in pushes:
            if not peer.pushes.add(make, most):
                _log.warning("%s is too far behind and will get a snapshot", peer.label)
                peer.behind = True
                return

    def _game(self, key: bytes, seat: m.SeatName | None, changed: bool, ended: bool) -> Iterator[Make]:
        """What is new, for the peer with this key."""
        room, telling = self._room, self._room.telling
        yield from (item.for_key(key) for item in room.news)
        if telling is not None and room.dealt:
            yield telling.snapshot(seat)
        elif telling is not None and changed:
            yield telling.update(seat)
        if telling is not None and ended:
            yield telling.ended()

    def _everything(self, seat: m.SeatName | None, ended: bool) -> Iterator[Make]:
        """For a peer who has to be told everything anew."""
        telling, ceremony = self._room.telling, self._room.ceremony
        if ceremony is not None:
            yield begun(ceremony.basis)
            if ceremony.committed:
                yield all_committed(ceremony.basis)
        if telling is not None:
            yield telling.snapshot(seat)
            if ended or self._room.table.phase == "over":
                yield telling.ended()

    def _lobby_if_changed(self, peer: Peer, seat: m.SeatName | None, later: bool) -> list[Make]:
        if not self._room.table.changed and not (later and self._gallery.has_news):
            return []
        before, make = peer.table, self._lobby(peer, seat, later)
        # When the table has changed in a way that is held back, not even that is told.
        return [] if later and peer.table == before else [make]

    def _lobby(self, peer: Peer, seat: m.SeatName | None, later: bool) -> Make:
        table = self._gallery.table(self._message()) if later else self._message()
        you = m.You(seat=seat, owner=peer.key == self._room.leader)
        peer.table = (table, you)
        return lambda n: m.Lobby(n=n, table=table, you=you)

    def _message(self) -> m.Table:
        if self._table is None:
            self._table = self._room.table.message(self._room.peers)
        return self._table
