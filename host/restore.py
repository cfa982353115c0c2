"""Going on after a restart: table, players and the running game as the journal kept them."""

from __future__ import annotations

import logging

from cosmic_net.engine.options import Setup
from host.errors import CannotStart, NoTable
from host.journal import JournalError, StoredGame
from host.match import Basis, Match
from host.room import Room
from host.table import Table
from host.telling import Telling
from protocol import codec, transcript
from protocol.messages import Reply

_log = logging.getLogger(__name__)


def restore(room: Room) -> None:
    """Brings a room back to where its journal ends. Raises CannotStart if there is nothing to go on with."""
    data = room.journal.get("table")
    if data is None:
        raise NoTable
    room.table = Table.from_data(data)
    for player in room.journal.players():
        peer = room.peers.get(player.key)
        peer.name, peer.bot, peer.sign_key = player.name, player.kind == "bot", player.sign_key
        peer.behind = True
    stored = room.journal.game(room.table.game) if room.table.game is not None else None
    if stored is None:
        return
    if room.table.phase == "seeding":
        room.journal.state(stored.id, "abandoned")
        room.table.phase, room.table.game = "lobby", None
    elif room.table.phase in ("playing", "over"):
        _restore_match(room, stored)


def _restore_match(room: Room, stored: StoredGame) -> None:
    lines = room.journal.lines(stored.id)
    first = transcript.decode_entry(lines[0].entry) if lines else None
    if not isinstance(first, transcript.SeedsEntry):
        raise JournalError("it is damaged (the game has no beginning); nothing was changed")
    basis = Basis(
        setup=Setup.from_data(codec.unpack_value(stored.setup)),
        packed=stored.setup,
        seats=stored.players,  # type: ignore[arg-type]
        practice=stored.practice,
        host_share=stored.host_share,
        signed=first.seats,
        shares=stored.shares,  # type: ignore[arg-type]
    )
    try:
        room.match = Match(basis, room.journal, room.table.clocks, lines)
    except ValueError as error:
        raise CannotStart(f"the game in this folder cannot be gone on with by these rules: {error}") from error
    for seat, key in room.match.keys.items():
        stand_in = next((peer for peer in room.peers if peer.bot and peer.sign_key == key), None)
        if stand_in is not None and stand_in.key != stored.players[seat]:
            room.table.stand_ins[seat] = stand_in.key
    room.journal.check_end(stored.id, room.match.chain.count, room.match.chain.head)
    room.match.settle(room.now())
    room.telling = Telling(room.match, room.identity)
    # A request that was dealt with before the host was killed must not be dealt with again.
    for line in lines:
        if line.origin is not None:
            peer = room.peers.get(line.origin.player)
            peer.replies.start(line.origin.session)
            peer.replies.keep(Reply(id=line.origin.request, ok=True))
    _log.info("going on with game %s after %d entries", stored.id, len(lines))
