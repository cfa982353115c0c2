"""Hello and goodbye: who is connected, by which connection, and how far he has followed."""

from __future__ import annotations

import logging
from typing import Any

from host.errors import Refused
from host.peers import Peer
from host.rates import Bucket
from host.room import Room
from protocol import codec, identity, limits, passphrase, whisper
from protocol.messages import Ack, Bye, Hello, Ping, Resync, Superseded, Welcome
from protocol.text import clean

PROGRAM = "cosmic-net host"
_log = logging.getLogger(__name__)


class Sessions:
    """The requests that concern a connection."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._guesses = Bucket(limits.GUESSES_PER_SECOND, limits.GUESS_BURST)

    def hello(self, peer: Peer, route: bytes, request: Hello) -> dict[str, Any]:
        """A player arrives, or comes back on a new connection."""
        room = self._room
        version = next((v for v in request.versions if v in limits.VERSIONS), None)
        if version is None:
            raise Refused("version", f"this host speaks protocol version {limits.VERSION}")
        self._check(peer, request)
        if request.session in peer.old_sessions:  # a frozen program has woken up, and connects anew by itself
            room.send(route, Superseded())
            raise Refused("superseded", "you have connected elsewhere since")
        if (old := peer.take_route(route)) is not None:
            _log.info("%s has a new connection", peer.label)
            room.send(old, Superseded())
        anew = peer.replies.session not in (b"", request.session)
        if anew:
            peer.old_sessions.append(peer.replies.session)
        peer.replies.start(request.session)
        arrived = not peer.known
        peer.sign_key, peer.bot = request.sign_key, request.kind == "bot"
        peer.whisper = request.whisper
        self._rename(peer, request.name)
        peer.heard = room.now()
        # A program that has just been started needs the state, not the way to it.
        followed = peer.pushes.restart(request.seen) and not anew
        if not followed:
            peer.pushes.drop()
        if arrived or not followed:
            peer.behind = True
        if room.table.owner is None and request.kind == "person":
            room.table.owner = peer.key
        _log.info("%s says hello (%s)", peer.label, clean(request.program, limits.PROGRAM_LENGTH))
        room.set_presence(peer, "here")
        if room.has_place(peer):
            room.remember(peer)
        room.people_changed(peer)
        return codec.make_body(
            Welcome(
                version=version,
                features=[],
                program=PROGRAM,
                sign_key=room.identity.sign_key,
                proof=room.identity.prove_host(),
                next=request.seen + 1 if followed else peer.pushes.next,
                seat=room.table.seat_of(peer.key),
                game=room.game_of(peer),
            )
        )

    def ack(self, peer: Peer, request: Ack) -> None:
        """Pushes have arrived."""
        peer.pushes.acknowledge(request.n)

    def ping(self, peer: Peer, request: Ping) -> None:
        """The client lives."""
        peer.pushes.acknowledge(request.seen)

    def resync(self, peer: Peer, _request: Resync) -> None:
        """The client wants everything anew."""
        peer.pushes.drop()
        peer.behind = True

    def bye(self, peer: Peer, _request: Bye) -> None:
        """The client goes away on purpose."""
        self._room.set_presence(peer, "gone")
        if self._room.table.phase == "lobby":
            self._room.table.stand_up(peer.key)
        self._room.people_changed(peer)

    def watch_presence(self) -> None:
        """Notes who has fallen silent, and who is heard again."""
        room, now = self._room, self._room.now()
        for peer in room.peers.present:
            silent = now - peer.heard
            room.set_presence(peer, "away" if silent > limits.SILENT_SECONDS else "here")
            if silent > limits.WATCHER_SECONDS and not room.has_place(peer):
                room.set_presence(peer, "gone")
                peer.route = None
                room.people_changed(peer)
        room.peers.make_room(room.needed())

    def _check(self, peer: Peer, request: Hello) -> None:
        room = self._room
        if peer.key in room.table.banned:
            raise Refused("refused", "the owner of this table has sent you away")
        if not identity.verify_proof(room.identity.curve_key, peer.key, request.sign_key, request.proof):
            raise Refused("refused", "the proof that your two keys belong together is wrong")
        if peer.known and peer.sign_key != request.sign_key:
            raise Refused("refused", "you came with another signing key before")
        if (own := request.whisper) is not None and not (
            own.sign_key == request.sign_key
            and whisper.vouched(own.sign_key, room.identity.curve_key, own.key, own.signature)
        ):
            raise Refused("refused", "the key for whispers is not signed by you")
        if room.passphrase_key and not peer.known and peer.key != room.table.owner and not room.bots.owns(peer.key):
            self._check_passphrase(peer, request)
        if peer.route is None and not room.has_place(peer) and room.watchers >= limits.WATCHERS:
            raise Refused("full", "there is no room at this table, not even to look on")

    def _check_passphrase(self, peer: Peer, request: Hello) -> None:
        """Whether a stranger knows the passphrase; wrong ones are looked at slowly."""
        room = self._room
        if request.passphrase is None:
            raise Refused("passphrase", "this table asks for a passphrase")
        if not self._guesses.take(room.now()):
            raise Refused("too-fast", "too many wrong passphrases; try again in some seconds")
        if not passphrase.check(room.passphrase_key, room.identity.curve_key, peer.key, request.passphrase):
            _log.warning("%s does not know the passphrase", peer.label)
            raise Refused("passphrase", "the passphrase is wrong")
        self._guesses.give_back()

    def _rename(self, peer: Peer, name: str) -> None:
        """Gives a peer a name that nobody else has."""
        others = {p.name.casefold() for p in self._room.peers if p is not peer and p.known}
        wanted, number = name, 2
        while wanted.casefold() in others:
            suffix = f" ({number})"
            wanted = name[: limits.NAME_LENGTH - len(suffix)].rstrip() + suffix
            number += 1
        peer.name = wanted
