"""What is done in a game: its start, the players' answers, its end."""

from __future__ import annotations

import logging
import secrets
from typing import Any

from cosmic_net.engine.decisions import DEAL
from cosmic_net.engine.game import Game, RulesError
from cosmic_net.engine.options import BadSetup, Setup
from host.ceremony import Ceremony
from host.errors import Refused
from host.journal import Line, Origin
from host.match import Basis, Match
from host.peers import Peer
from host.room import Room
from host.seats import plain
from host.table import LEAST_PLAYERS
from host.telling import Telling, all_committed, begun
from protocol import codec, limits
from protocol.fields import digest
from protocol.messages import (
    Abandoned,
    Answer,
    Page,
    Passes,
    Record,
    SeatName,
    Seed,
    SeedOpen,
    Start,
)

_log = logging.getLogger(__name__)
PAGE_BYTES = 1024 * 1024
"""A page of a record ends when it has so many bytes."""


class Play:
    """The requests about a game."""

    def __init__(self, room: Room) -> None:
        self._room = room

    # ---- starting

    def start(self, peer: Peer, _request: Start) -> None:
        """Starts a game with everybody who sits at the table."""
        room, table = self._room, self._room.table
        if peer.key != room.leader:
            raise Refused("refused", "only the owner of the table can do this")
        table.need("lobby")
        self._check_players(peer)
        basis = self._basis()
        room.journal.begin(basis.game, basis.packed, basis.practice, basis.host_share, plain(basis.seats))
        table.game, table.changed = basis.game, True
        room.tell(begun(basis))
        _log.info("game %s begins with %s", basis.game, ", ".join(basis.seats))
        table.phase = "seeding"
        room.ceremony = Ceremony(basis, room.now() + limits.SEEDING_SECONDS)
        if basis.practice:
            self._open()

    def seed(self, peer: Peer, request: Seed) -> None:
        """A seat's commitment to its share of the seed."""
        seat, ceremony = self._drawing(peer, request.game)
        ceremony.commit(seat, request)
        if ceremony.committed:
            self._room.tell(all_committed(ceremony.basis))

    def seed_open(self, peer: Peer, request: SeedOpen) -> None:
        """A seat's share of the seed."""
        seat, ceremony = self._drawing(peer, request.game)
        if not ceremony.open(seat, request):
            self._abandon(seat, f"{seat} sent another share of the seed than it had committed to")
            raise Refused("refused", "this is not the share that you committed to")
        self._room.journal.share(ceremony.basis.game, seat, request.value)
        if ceremony.complete:
            self._open()

    def give_up_waiting(self) -> None:
        """Calls a start off when a share does not come."""
        ceremony = self._room.ceremony
        if ceremony is not None and self._room.now() >= ceremony.deadline:
            seat = ceremony.missing
            self._abandon(seat, f"{seat} did not send its share of the seed in time")

    # ---- playing

    def answer(self, peer: Peer, request: Answer) -> None:
        """The answer to a question."""
        seat, match = self._playing(peer)
        haggling = any(one.id == request.decision and one.kind == DEAL for one in match.game.pending)
        match.answer(seat, request, self._origin(peer, request.id))
        # Nobody can give more answers than there are questions: they do not count for the rate. Offers are not so.
        if not haggling:
            peer.requests.give_back()
            peer.frames.give_back()

    def passes(self, peer: Peer, request: Passes) -> None:
        """A standing pass."""
        seat, match = self._playing(peer)
        match.passes(seat, request, self._origin(peer, request.id))

    def record(self, peer: Peer, request: Record) -> dict[str, Any]:
        """A piece of a game's transcript; with openings when the game is over."""
        room = self._room
        stored = room.journal.game(request.game)
        if stored is None or stored.state in ("seeding", "abandoned"):
            raise Refused("stale", "this host has no such game")
        over, total = stored.state != "playing", room.journal.length(request.game)
        later = room.shown_later
        if later is not None and later[0] == request.game and room.table.seat_of(peer.key) is None:
            total, over = later[1:]
        lines: list[Line] = []
        size = 0
        count = max(0, min(request.count, total - request.start))
        for line in room.journal.lines(request.game, request.start, count):
            size += len(line.entry) + len(line.opening)
            if lines and size > PAGE_BYTES:
                break
            lines.append(line)
        page = Page(
            start=request.start,
            total=total,
            entries=[line.entry for line in lines],
            opened=[line.opening for line in lines] if over else [],
        )
        return codec.make_body(page)

    def settle(self) -> None:
        """Lets the game go as far as it goes by itself, and ends it if it is over."""
        room = self._room
        if room.match is None or room.telling is None or room.table.phase != "playing":
            return
        room.match.settle(room.now())
        if room.match.over:
            state = "won" if room.match.game.over else "stopped"
            _log.info("game %s is over: %s %s", room.match.basis.game, state, room.match.game.winners)
            room.journal.state(room.match.basis.game, state, room.match.game.winners)
            room.table.phase, room.table.changed = "over", True

    # ---- steps

    def _check_players(self, owner: Peer) -> None:
        table, peers = self._room.table, self._room.peers
        if table.promised:
            raise Refused("refused", "a bot is still on its way; start again in a moment")
        if len(table.seats) < LEAST_PLAYERS:
            raise Refused("refused", f"a game needs {LEAST_PLAYERS} to 5 players; bots can fill the seats")
        waiting = [
            peer.name
            for key in table.seats.values()
            if key not in table.ready and key != owner.key and (peer := peers.find(key)) is not None
        ]
        if waiting:
            raise Refused("refused", f"not ready yet: {', '.join(waiting)}")

    def _basis(self) -> Basis:
        """What the game starts from. Raises Refused if these players cannot play with these options."""
        room, table, seed = self._room, self._room.table, self._room.config.practice_seed
        seats = {seat: table.seats[seat] for seat in table.taken()}
        game = self._new_id()
        keys = {seat: room.peers.get(key).sign_key for seat, key in seats.items()}
        try:
            setup = Setup(game, tuple(seats), plain(keys), table.options)
            Game(setup, bytes(limits.SEED_BYTES))
        except (BadSetup, RulesError) as error:
            raise Refused("refused", f"this game cannot be started: {error}") from error
        return Basis(
            setup=setup,
            packed=codec.pack_value(setup.to_data()),
            seats=seats,
            practice=seed is not None,
            host_share=seed or secrets.token_bytes(limits.SEED_BYTES),
        )

    def _new_id(self) -> str:
        """An id that no game ever had. A practice game's follows from what makes it: it can be played again."""
        seed = self._room.config.practice_seed
        if seed is None:
            return secrets.token_hex(8)
        mark = digest("practice/1", self._room.identity.curve_key, seed, self._room.journal.games())
        return f"practice-{mark.hex()[:16]}"

    def _open(self) -> None:
        """All is drawn: the game starts."""
        room = self._room
        assert room.ceremony is not None
        basis = room.ceremony.basis
        try:
            room.match = Match(basis, room.journal, room.table.clocks)
        except (BadSetup, RulesError) as error:
            self._abandon(None, f"the game cannot be set up: {error}")
            return
        room.ceremony = None
        room.match.settle(room.now())
        room.telling = Telling(room.match, room.identity)
        room.telling.advance(room.now())
        room.dealt = True
        room.journal.state(basis.game, "playing")
        room.table.phase, room.table.changed = "playing", True

    def _abandon(self, seat: SeatName | None, why: str) -> None:
        room = self._room
        assert room.ceremony is not None
        game = room.ceremony.basis.game
        text = f"the start was called off: {why}"
        _log.warning("game %s: %s", game, text)
        room.journal.state(game, "abandoned")
        room.tell(lambda n: Abandoned(n=n, game=game, seat=seat, text=text))
        room.ceremony = None
        room.table.phase, room.table.game, room.table.changed = "lobby", None, True

    def _drawing(self, peer: Peer, game: str) -> tuple[SeatName, Ceremony]:
        ceremony = self._room.ceremony
        if ceremony is None or ceremony.basis.game != game:
            raise Refused("stale", "no seed is being drawn for this game")
        return self._seat(peer, ceremony.basis), ceremony

    def _playing(self, peer: Peer) -> tuple[SeatName, Match]:
        match = self._room.match
        if match is None or match.over:
            raise Refused("stale", "no game is being played (any more)")
        seat = self._room.table.seat_of(peer.key)
        if seat not in match.basis.seats:
            raise Refused("not-seated", "you do not play in this game")
        if self._room.table.stand_ins.get(seat, peer.key) != peer.key:
            raise Refused("refused", "a bot plays for you until no card of its own lies sealed; then you play again")
        return seat, match

    @staticmethod
    def _seat(peer: Peer, basis: Basis) -> SeatName:
        seat = next((seat for seat, key in basis.seats.items() if key == peer.key), None)
        if seat is None:
            raise Refused("not-seated", "you do not play in this game")
        return seat

    @staticmethod
    def _origin(peer: Peer, request: int) -> Origin:
        return Origin(peer.key, peer.replies.session, request)
