"""What is done at the table outside the game: seats, options, bots, talk."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

from host.absent import Absent
from host.errors import Refused
from host.peers import Peer
from host.room import Room
from protocol.messages import (
    Bot,
    Closing,
    Kick,
    Leave,
    Ready,
    Rematch,
    Said,
    Say,
    SeatName,
    SetOptions,
    Sit,
)

_log = logging.getLogger(__name__)
BOT_SECONDS = 15.0
LATER = object()
"""Stands for a reply that is given later."""


class _Promise(NamedTuple):
    """A bot who is on the way: until when he is waited for, and the request that wants him, if there is one."""

    until: float
    peer: Peer | None = None
    request: int = 0


class Lobby:
    """The requests about the table itself."""

    def __init__(self, room: Room, absent: Absent) -> None:
        self._room = room
        self._absent = absent
        self._promises: dict[SeatName, _Promise] = {}

    # ---- one's own seat

    def sit(self, peer: Peer, request: Sit) -> dict[str, Any]:
        """Takes a seat; a bot may be meant to play for somebody who is gone."""
        room = self._room
        if request.seat is not None and self._absent.expects(peer, request.seat):
            self._absent.arrive(peer, request.seat)
            return {"seat": request.seat}
        ours = peer.bot and room.bots.owns(peer.key)
        seat = room.table.sit(peer.key, request.seat, ours)
        room.remember(peer)
        if ours:
            room.table.ready.add(peer.key)
            promise = self._promises.pop(seat, None)
            if promise is not None and promise.peer is not None:
                room.reply(promise.peer, promise.request, {"seat": seat})
        _log.info("%s sits down at %s", peer.label, seat)
        return {"seat": seat}

    def leave(self, peer: Peer, _request: Leave) -> None:
        """Gives up one's seat."""
        if self._room.table.seat_of(peer.key) is None:
            return
        if self._room.table.phase in ("seeding", "playing"):
            raise Refused("refused", "your seat is kept while the game runs; close the program if you have to go")
        self._room.table.stand_up(peer.key)

    def ready(self, peer: Peer, request: Ready) -> None:
        """Says that one is ready, or not."""
        table = self._room.table
        table.need("lobby")
        if table.seat_of(peer.key) is None:
            raise Refused("not-seated", "sit down first")
        (table.ready.add if request.ready else table.ready.discard)(peer.key)
        table.changed = True

    def say(self, peer: Peer, request: Say) -> None:
        """Says something to all."""
        room, now = self._room, self._room.now()
        if not peer.says.take(now) or (not room.has_place(peer) and not room.crowd_says.take(now)):
            raise Refused("too-fast", "slowly: wait a moment before you say more")
        seat, name = room.table.seat_of(peer.key), peer.name
        room.tell(lambda n: Said(n=n, seat=seat, name=name, text=request.text))

    # ---- the owner's

    def set_options(self, peer: Peer, request: SetOptions) -> None:
        """Changes options and clocks; everybody has to say again that they are ready."""
        table = self._room.table
        self._need_owner(peer)
        table.need("lobby")
        if request.options is not None:
            table.change_options(request.options)
        if request.clocks is not None:
            table.clocks = request.clocks
        if request.house is not None:
            table.house = request.house
        self.only_bots_ready()
        table.changed = True

    def bot(self, peer: Peer, request: Bot) -> Any:
        """Lets a bot come to a seat, or go."""
        self._need_owner(peer)
        table = self._room.table
        table.need("lobby")
        if request.action == "add":
            self._promise(request.seat, peer, request.id)
            return LATER
        seat = self._bot_seat(request.seat)
        table.stand_up(table.seats[seat])
        self._room.bots.remove(seat)
        return {"seat": seat}

    def _promise(self, seat: SeatName | None = None, peer: Peer | None = None, request: int = 0) -> None:
        """Keeps a seat for a bot and sends for him. Raises Refused if there is none."""
        table = self._room.table
        free = table.free()
        if not free:
            raise Refused("full", "all seats are taken")
        if seat is not None and seat not in free:
            raise Refused("refused", f"the {seat} seat is taken; choose another")
        # People take seats from the front, bots from the back.
        seat = seat or free[-1]
        table.promised.add(seat)
        self._promises[seat] = _Promise(self._room.now() + BOT_SECONDS, peer, request)
        self._room.bots.add(seat)

    def call_bots(self, count: int) -> None:
        """Lets bots come: so many new ones, and those who have a seat already."""
        table, bots = self._room.table, self._room.bots
        for seat, key in table.seats.items():
            if bots.owns(key):
                bots.add(seat)
        for seat in table.stand_ins:
            bots.add(seat)
        self.only_bots_ready()
        for _ in range(count):
            self._promise()

    def kick(self, peer: Peer, request: Kick) -> None:
        """Sends a player away for good."""
        self._need_owner(peer)
        table = self._room.table
        table.need("lobby", "over")
        key = table.seats.get(request.seat)
        other = self._room.peers.find(key)
        if other is None:
            raise Refused("refused", f"nobody sits at {request.seat}")
        if other is peer:
            raise Refused("refused", "you cannot send yourself away")
        _log.info("%s is sent away", other.label)
        if other.route is not None:
            text = "the owner of this table has sent you away"
            self._room.send(other.route, Closing(reason="kicked", text=text))
        if self._room.bots.owns(other.key):
            self._room.bots.remove(request.seat)
        else:
            table.banned.add(other.key)
        self._room.set_presence(other, "gone")
        other.route = None
        table.stand_up(other.key)

    def rematch(self, peer: Peer, _request: Rematch) -> None:
        """Back to the lobby after a game; who has left for good leaves his seat, too."""
        self._need_owner(peer)
        room = self._room
        room.table.need("over")
        room.match = room.telling = None
        room.table.phase, room.table.game = "lobby", None
        for key in list(room.table.seats.values()):
            player = room.peers.find(key)
            if player is None or (player.presence == "gone" and not player.bot):
                room.table.stand_up(key)
        self.only_bots_ready()
        room.table.changed = True

    # ---- by itself

    def only_bots_ready(self) -> None:
        """People have to say anew that they are ready; bots always are."""
        table = self._room.table
        players = [self._room.peers.find(key) for key in table.seats.values()]
        table.ready = {peer.key for peer in players if peer is not None and peer.bot}

    def look_after_bots(self) -> None:
        """Gives up on bots who did not come, and keeps their process going."""
        room = self._room
        room.bots.look_after()
        for seat, promise in list(self._promises.items()):
            if promise.until < room.now():
                del self._promises[seat]
                room.table.promised.discard(seat)
                room.bots.remove(seat)
                _log.error("the bot for %s did not come", seat)
                if promise.peer is not None:
                    text = "the bot did not come; the host's folder has a log that may say why"
                    room.refuse(promise.peer, promise.request, "refused", text)

    def _bot_seat(self, seat: SeatName | None) -> SeatName:
        table = self._room.table
        bots = [
            taken
            for taken, key in table.seats.items()
            if (peer := self._room.peers.find(key)) is not None and peer.bot and seat in (None, taken)
        ]
        if not bots:
            raise Refused("refused", "no bot sits there" if seat else "there is no bot")
        return bots[-1]

    def _need_owner(self, peer: Peer) -> None:
        if peer.key != self._room.leader:
            raise Refused("refused", "only the owner of the table can do this")
