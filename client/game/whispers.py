"""Whispers of this client to other players, and theirs to it.

Whose key is whose: while a game runs, the setup says it, which the words of the record vouch for. Without a game there
is only the host's word; when a game begins, its setup shows whether that was true.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from client.game.told import Told
from client.notes import Note, Whispered
from client.wire.session import Refused
from protocol import limits, whisper
from protocol import messages as m
from protocol.identity import Identity
from protocol.text import clean

MOST_KEYS = 64


class Whispers:
    """The whispers of one program. `tell` gets a note for each that comes."""

    def __init__(self, identity: Identity, host_key: bytes, told: Told, tell: Callable[[Note], None]) -> None:
        self._secret = X25519PrivateKey.generate()
        self._key = whisper.public(self._secret)
        self._sign_key = identity.sign_key
        self._host_key = host_key
        self._told = told
        self._tell = tell
        self.own = m.WhisperKey(
            sign_key=self._sign_key, key=self._key, signature=whisper.vouch(identity, host_key, self._key)
        )
        """What `hello` says."""
        self._signers: OrderedDict[bytes, bytes] = OrderedDict()
        """Keys of others' programs -> the Ed25519 key that has signed each."""
        self._sent: dict[bytes, int] = {}
        """Their keys -> the number of the last whisper that the host has taken."""
        self._heard: dict[bytes, int] = {}
        """Their keys -> the number of the last whisper that came."""
        self._in_lobby: dict[str, bytes] = {}
        """Names of those with whom something was whispered while no game ran -> the Ed25519 key that was theirs."""

    def take(self, push: m.Push) -> None:
        """Takes any push, after what is told has taken it."""
        if isinstance(push, m.Lobby):
            self._note_keys(push.table)
        elif isinstance(push, m.Begin | m.Snapshot):
            self._compare_keys()
        elif isinstance(push, m.Whispered):
            self._whispered(push)

    # ---- to others

    def make(self, to: m.SeatName, text: str) -> dict[str, Any]:
        """The fields of the request that whispers something. Raises Refused if that is not possible now."""
        seat, game = self._told.you.seat, self._game()
        info = self._seat(to)
        key = info.whisper if info is not None else None
        if seat is None or info is None or key is None:
            raise Refused("refused", f"{self._told.name_of(to)} takes no whispers")
        if not self._right(to, key):
            raise Refused("refused", f"the host shows a key of {info.name} that is not {info.name}'s; say nothing here")
        way = whisper.Way(self._host_key, game or "", seat, to, self._sign_key, key.sign_key, self._next(key.key))
        nonce = secrets.token_bytes(whisper.NONCE_BYTES)
        try:
            data = whisper.seal(self._secret, key.key, way, text, nonce)
        except whisper.BadWhisper as error:
            raise Refused("refused", f"this cannot be whispered: {error}") from error
        if game is None:
            self._in_lobby[info.name] = key.sign_key
        return {"to": to, "game": game, "key": key.key, "number": way.number, "data": data}

    def sent(self, key: bytes, number: int) -> None:
        """The host has taken this one."""
        self._sent[key] = number

    def _next(self, key: bytes) -> int:
        return self._sent.get(key, 0) + 1

    # ---- from others

    def _whispered(self, push: m.Whispered) -> None:
        """Somebody has whispered to somebody, perhaps to us."""
        text, missed = None, 0
        if push.to == self._told.you.seat or push.box is not None:
            text, missed = self._read(push)
            if text is None:
                return
        self._tell(Whispered(push.seat, push.to, text, missed))

    def _read(self, push: m.Whispered) -> tuple[str | None, int]:
        """What was whispered to us, and how many whispers before it never came; no text if it cannot be trusted."""
        box, name = push.box, clean(self._told.name_of(push.seat))
        if box is None:
            self._told.alarm(f"{name} has whispered to you, and the host has not passed on what.")
            return None, 0
        signer = self._signers.get(box.key)
        if signer is None or not self._is(push.seat, signer):
            self._told.alarm(f"The host has shown a whisper to you as {name}'s that is not.")
            return None, 0
        way = whisper.Way(self._host_key, self._game() or "", push.seat, push.to, signer, self._sign_key, box.number)
        try:
            text = clean(whisper.unseal(self._secret, box.key, way, box.data), limits.SAY_LENGTH)
        except whisper.BadWhisper:
            self._told.alarm(f"A whisper of {name} to you was changed on its way, or was not meant for you.")
            return None, 0
        last = self._heard.get(box.key, 0)
        if box.number <= last:
            self._told.alarm(f"The host has shown you a whisper of {name} a second time.")
            return None, 0
        self._heard[box.key] = box.number
        if self._game() is None:
            self._in_lobby[self._told.name_of(push.seat)] = signer
        return text, box.number - last - 1

    # ---- whose key is whose

    def _note_keys(self, table: m.Table) -> None:
        """Takes note of the keys that others' programs take whispers with, as far as they are signed."""
        for info in table.seats:
            key = info.whisper
            if key is None or key.key in self._signers:
                continue
            if whisper.vouched(key.sign_key, self._host_key, key.key, key.signature):
                self._signers[key.key] = key.sign_key
                while len(self._signers) > MOST_KEYS:
                    self._signers.popitem(last=False)

    def _compare_keys(self) -> None:
        """A game is shown: with its setup comes out whether those whispered to before are who they were said to be."""
        for seat in self._told.setup.get("keys", {}):
            name = self._told.name_of(seat)
            known = self._in_lobby.get(name)
            if known is not None and not self._is(seat, known):
                text = f"{clean(name)}'s key is another than the host said before: others may have read your whispers."
                self._told.alarm(text)
        self._in_lobby.clear()

    def _right(self, seat: str, key: m.WhisperKey) -> bool:
        """Whether a key is signed by the player of a seat, as far as that can be known."""
        return self._signers.get(key.key) == key.sign_key and self._is(seat, key.sign_key)

    def _is(self, seat: str, sign_key: bytes) -> bool:
        """Whether this is a player's Ed25519 key, as far as that can be known: a running game says it."""
        return self._game() is None or self._told.setup.get("keys", {}).get(seat) == sign_key

    def _game(self) -> str | None:
        return self._told.game if self._told.ended is None else None

    def _seat(self, seat: str) -> m.SeatInfo | None:
        table = self._told.table
        return next((info for info in table.seats if info.seat == seat and info.name), None) if table else None
