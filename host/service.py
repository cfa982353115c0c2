"""The host at work: reads what arrives, lets it be dealt with, and then sends what comes of it.

Everything happens in *turns*. A turn deals with all that has arrived or is due; at its end the journal is brought onto
the disk, and only then is anything sent. So nobody hears of what could be lost, and much that happens at once costs
one write and one update for each client.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Any

from host.absent import Absent
from host.announcing import Announcing
from host.door import Arrival, Door, Sent
from host.errors import Refused
from host.inbox import MOST_READ, Inbox
from host.journal import JournalError
from host.lobby import LATER, Lobby
from host.patience import Patience
from host.peers import Peer
from host.play import Play
from host.resources import files_short, memory_used
from host.room import Room
from host.sessions import Sessions
from host.whispers import Whispers
from protocol import codec, limits
from protocol import messages as m
from protocol.codec import BadFrame

_log = logging.getLogger(__name__)
TICK_SECONDS = 1.0
MEMORY_SECONDS = 0.2
SPARE_MEMORY = 64 * 1024 * 1024
STRANGERS_SECONDS = 10
"""How often the log says how many connections have failed."""
SLOW_SECONDS = 0.5
MOST_ALONE_SECONDS = 3 * 3600.0
"""How long a running game is kept open when nobody is there; its journal stays."""
REPEATABLE = (m.Ping, m.Record, m.Resync)
"""Requests without effect on others: repeated, they are simply dealt with again."""


class Service:
    """One host. `run` returns when it is to stop."""

    def __init__(self, room: Room, door: Door, record: Callable[[Arrival], None] | None = None) -> None:
        self._room = room
        self._door = door
        self._record = record
        self._sessions = Sessions(room)
        self._patience = Patience(room)
        self._inbox = Inbox(room.now)
        self.absent = Absent(room)
        self._announcing = Announcing(room)
        self.lobby = Lobby(room, self.absent)
        self.play = Play(room)
        self.on_table: Callable[[], None] | None = None
        """Called when something about the table has changed."""
        self._handlers: dict[type, Callable[[Peer, Any], Any]] = {
            m.Ping: self._sessions.ping,
            m.Resync: self._sessions.resync,
            m.Bye: self._sessions.bye,
            m.Sit: self.lobby.sit,
            m.Leave: self.lobby.leave,
            m.Ready: self.lobby.ready,
            m.Say: self.lobby.say,
            m.Whisper: Whispers(room).whisper,
            m.SetOptions: self.lobby.set_options,
            m.Bot: self.lobby.bot,
            m.Kick: self.lobby.kick,
            m.Vote: self.absent.vote,
            m.Rematch: self.lobby.rematch,
            m.Start: self.play.start,
            m.Seed: self.play.seed,
            m.SeedOpen: self.play.seed_open,
            m.Answer: self.play.answer,
            m.Passes: self.play.passes,
            m.Record: self.play.record,
        }
        self._stop = asyncio.Event()
        self._failure: BaseException | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._alone_since = room.now()
        self._looked_at_strangers = room.now()
        self._most_memory = max(room.config.memory_mb * 1024 * 1024, (memory_used() or 0) + SPARE_MEMORY)
        self.too_large = False
        """Whether `run` has returned because this process takes too much memory: then it has to begin anew."""

    async def run(self) -> None:
        """Works until `stop` is called or nobody comes any more. Raises JournalError if the disk fails."""
        self._door.watch(self._readable)
        with self._turn():
            pass
        self._tick()
        self._look_at_memory()
        await self._stop.wait()
        if self._failure is not None:
            raise self._failure

    def stop(self, text: str = "the host is being closed") -> None:
        """Says goodbye to everybody and lets `run` return."""
        if not self._stop.is_set():
            with self._turn():
                for peer in self._room.peers.present:
                    if peer.route is not None:
                        self._room.send(peer.route, m.Closing(reason="host-stops", text=text))
            self._stop.set()

    # ---- turns

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        """What is done inside belongs to one turn; leaving it commits and sends."""
        began = self._room.now()
        try:
            try:
                yield
            except JournalError:
                raise
            except Exception:
                _log.exception("a turn has failed; the host goes on")
            self._finish()
        except Exception as error:
            # What was not written must not be told, and what cannot be told must not go on.
            _log.critical("the host stops: %s", error, exc_info=error)
            self._failure = error
            self._stop.set()
            self._say_that_it_fails(error)
        if (took := self._room.now() - began) > SLOW_SECONDS:
            _log.warning("a turn took %.2f s", took)

    def _say_that_it_fails(self, error: Exception) -> None:
        """Tells everybody why this host stops, and nothing else any more."""
        self._room.frames.clear()
        why = f"its journal cannot be written ({error})" if isinstance(error, JournalError) else "it has failed"
        frame = codec.encode(m.Closing(reason="host-stops", text=f"{why[:1].upper()}{why[1:]}."))
        for peer in self._room.peers.present:
            if peer.route is not None:
                self._door.send(peer.route, frame)

    def _readable(self) -> None:
        if self._stop.is_set():
            return
        with self._turn():
            self._read()
            for arrival in self._inbox.take():
                self._take(arrival)
        if self._inbox:
            asyncio.get_running_loop().call_soon(self._readable)

    def _read(self) -> None:
        """Takes in what has arrived, as far as it is to be read at all."""
        room = self._room
        for _ in range(MOST_READ):
            if self._inbox.full or (arrival := self._door.receive()) is None:
                return
            if self._record is not None:
                self._record(arrival)
            peer = room.peers.get(arrival.key)
            if not self._patience.reads(peer, arrival) or peer.key in room.table.banned:
                continue
            if not self._inbox.put(arrival, room.has_place(peer)):
                self._patience.note(peer, "is not heard: too many others wait")

    def _finish(self) -> None:
        room = self._room
        self.play.give_up_waiting()
        self.absent.look()
        was_over = room.match is None or room.table.phase == "over"
        self.play.settle()
        room.gather_news()
        changed = room.telling is not None and room.telling.advance(room.now())
        ended = not was_over and room.table.phase == "over"
        self._announcing.announce(changed, ended)
        if room.table.changed:
            room.journal.put("table", room.table.to_data())
            room.table.changed = False
            if self.on_table is not None:
                self.on_table()
        room.journal.commit()
        self._flush()
        if room.match is not None:
            room.match.write_log()
        self._set_alarm()

    def _flush(self) -> None:
        """Hands everything to the socket, as far as that goes without waiting; replies before the same peer's pushes.

        Whom the game waits for is told first what he is asked: nobody else can do anything before.
        """
        room = self._room
        answered = {to for to, _ in room.frames}
        awaited = room.awaited()
        for peer in awaited:
            if peer.route not in answered:
                self._send_pushes(peer)
        for to, frame in room.frames:
            self._door.send(to, frame)
        room.frames.clear()
        for peer in [*awaited, *room.peers]:
            self._send_pushes(peer)
        self._door.look_again()

    def _send_pushes(self, peer: Peer) -> None:
        route = peer.route
        if route is None:
            return
        for frame in peer.pushes.unsent():
            sent = self._door.send(route, frame)
            if sent is Sent.GONE:
                _log.info("the connection of %s is gone", peer.label)
                peer.route = None
                self._room.set_presence(peer, "away")
                self._room.people_changed(peer)  # the others hear of it in the next turn
            if sent is not Sent.DONE:
                break

    # ---- time

    def _set_alarm(self) -> None:
        """Comes back when the next clock runs out."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        match = self._room.match
        ends = [self._announcing.next_due(), match.running.next_end() if match is not None else None]
        if any(end is not None for end in ends):
            end = min(end for end in ends if end is not None)
            self._alarm = asyncio.get_running_loop().call_at(end, self._due)

    def _due(self) -> None:
        self._alarm = None
        if not self._stop.is_set():
            with self._turn():
                pass

    def _tick(self) -> None:
        if self._stop.is_set():
            return
        asyncio.get_running_loop().call_later(TICK_SECONDS, self._tick)
        with self._turn():
            self._sessions.watch_presence()
            self._room.tell_of_crowd()
            self.lobby.look_after_bots()
        self._door.end_idle({peer.route for peer in self._room.peers.present if peer.route is not None})
        self._close_when_deserted()
        self._look_at_strangers()

    def _look_at_strangers(self) -> None:
        """Says in the log what happens at the socket without anybody having said hello."""
        if self._room.now() - self._looked_at_strangers < STRANGERS_SECONDS:
            return
        self._looked_at_strangers = self._room.now()
        for reason, count in self._door.failures().items():
            _log.warning("%d connections %s", count, reason)
        if short := files_short():
            _log.error("hardly any descriptors are left (%s): nobody can join until some connections end", short)

    def _look_at_memory(self) -> None:
        """Between turns everything is on disk: a process that has grown too large can be given up then."""
        if self._stop.is_set():
            return
        asyncio.get_running_loop().call_later(MEMORY_SECONDS, self._look_at_memory)
        used = memory_used()
        if used is not None and used > self._most_memory:
            text = "this process takes %d MB of memory, more than its %d MB; it begins anew with what is on disk"
            _log.critical(text, used >> 20, self._most_memory >> 20)
            self.too_large = True
            self._stop.set()

    def _close_when_deserted(self) -> None:
        room = self._room
        most = MOST_ALONE_SECONDS if room.table.phase == "playing" else room.config.linger
        if any(not peer.bot and peer.presence == "here" for peer in room.peers.present):
            self._alone_since = room.now()
        elif room.config.linger and room.now() - self._alone_since > most:
            _log.info("nobody has been here for %d s", most)
            self.stop("nobody was here any more")

    # ---- requests

    def _take(self, arrival: Arrival) -> None:
        peer = self._room.peers.get(arrival.key)
        try:
            if arrival.frame is None:
                raise BadFrame("bad-frame", "a message is one frame")
            request = codec.decode_request(arrival.frame)
        except BadFrame as error:
            self._bad_frame(peer, arrival.route, error)
            return
        if peer.route == arrival.route:
            peer.heard = self._room.now()
        if isinstance(request, m.Ack):
            if peer.route == arrival.route:
                self._sessions.ack(peer, request)
            return
        try:
            self._patience.check(peer, request)
            if isinstance(request, m.Hello):
                self._room.reply(peer, request.id, self._sessions.hello(peer, arrival.route, request))
                return
            if peer.superseded(arrival.route):
                raise Refused("superseded", "you have connected elsewhere since")
            if peer.route != arrival.route:
                raise Refused("hello-first", "say hello first")
        except Refused as refused:
            self._refused(peer, request, refused)
            self._error(arrival.route, request.id, refused.code, refused.text)
            return
        self._deal_with(peer, request)

    def _refused(self, peer: Peer, request: m.Request, refused: Refused) -> None:
        self._patience.note(peer, type(request).__name__, "refused", refused.text, level=logging.INFO)

    def _deal_with(self, peer: Peer, request: Any) -> None:
        """Deals with a request once, however often it comes."""
        room = self._room
        assert peer.route is not None
        if (given := peer.replies.find(request.id)) is not None:
            room.frames.append((peer.route, given))
            return
        if peer.replies.owed(request.id):
            return
        if peer.replies.forgotten(request.id):
            self._error(peer.route, request.id, "stale", "this was answered long ago")
            return
        try:
            body = self._handlers[type(request)](peer, request)
        except Refused as refused:
            if refused.code == "too-fast":
                self._error(peer.route, request.id, refused.code, refused.text)
            else:
                self._refused(peer, request, refused)
                room.refuse(peer, request.id, refused.code, refused.text)
            return
        except JournalError:
            raise
        except Exception:
            _log.exception("%s of %s failed", type(request).__name__, peer.label)
            room.refuse(peer, request.id, "refused", "the host could not do this; its log says why")
            return
        if body is LATER:
            peer.replies.owe(request.id)
            return
        room.reply(peer, request.id, body, keep=not isinstance(request, REPEATABLE))
        if isinstance(request, m.Bye):
            peer.route = None

    def _bad_frame(self, peer: Peer, route: bytes, error: BadFrame) -> None:
        count = peer.bad_frame(route)
        self._patience.note(peer, "a bad frame", error.reason)
        self._error(route, error.request_id or 0, error.code, error.reason)
        if count >= limits.BAD_FRAMES:
            self._patience.note(peer, "too many bad frames; this connection is not listened to any more")
            text = "your program sends what this host cannot read"
            self._room.send(route, m.Closing(reason="bad-frames", text=text))
            if peer.route == route:
                self._room.set_presence(peer, "away")
                peer.route = None

    def _error(self, route: bytes, request: int, code: m.ErrorCode, text: str) -> None:
        """An error reply that is not kept: the request has not been dealt with."""
        error = m.Error(code=code, text=text)
        self._room.send(route, m.Reply(id=request, ok=False, error=error))
