"""Whispers: the host passes them on and lets everybody see who whispers to whom. It cannot read them."""

from __future__ import annotations

from host.errors import Refused
from host.peers import Peer
from host.room import Room
from protocol.messages import Box, SeatName, Whisper, Whispered, WhisperKey
from protocol.whisper import DATA_BYTES


class Whispers:
    """The requests of players who whisper."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def whisper(self, peer: Peer, request: Whisper) -> None:
        """Passes on what one player has for another."""
        room, table = self._room, self._room.table
        if not table.house.whispers:
            raise Refused("refused", "this table does not allow whispers; its owner can change that before a game")
        seat = table.seat_of(peer.key)
        if seat is None:
            raise Refused("not-seated", "only who has a seat can whisper")
        if peer.whisper is None:
            raise Refused("refused", "your program has not said which key it whispers with")
        other, key = self._meant(seat, request.to)
        game = table.game if table.phase in ("seeding", "playing") else None
        if (request.key, request.game) != (key.key, game):
            raise Refused("stale", f"{other.name}'s program or the game is another by now; whisper it once more")
        if len(request.data) not in DATA_BYTES:
            raise Refused("refused", "no whisper is so long")
        if not peer.says.take(room.now()):
            raise Refused("too-fast", "slowly: wait a moment before you say more")
        box = Box(key=peer.whisper.key, number=request.number, data=request.data)
        room.tell(
            lambda n: Whispered(n=n, seat=seat, to=request.to, game=game),
            key=other.key,
            own=lambda n: Whispered(n=n, seat=seat, to=request.to, game=game, box=box),
        )

    def _meant(self, seat: SeatName, to: SeatName) -> tuple[Peer, WhisperKey]:
        """Who sits at the seat that is meant, and with which key. Raises Refused if nobody there can take a whisper."""
        table = self._room.table
        other = self._room.peers.find(table.seats.get(to))
        if other is None:
            raise Refused("refused", f"nobody sits at {to}")
        if to == seat:
            raise Refused("refused", "that is your own seat")
        if other.bot or to in table.stand_ins:
            raise Refused("refused", "a bot plays there; bots take no whispers")
        if other.presence != "here":
            raise Refused("refused", f"{other.name} is not there now; whispers do not wait")
        if other.whisper is None:
            raise Refused("refused", f"{other.name}'s program takes no whispers")
        return other, other.whisper
