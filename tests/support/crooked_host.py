"""A host that does with whispers what no host should, and is a host like any other besides.

python -m tests.support.crooked_host FOLDER …; the trick is read from the file `trick` in the folder whenever there is a
chance to play it:

    change, forge, withhold   the one who is meant gets another byte, another sender, nothing
    repeat, renumber          he gets an old one, as it was or with the new number
    redirect                  everybody who is not meant gets it as his own
    keys                      whoever arrives as "Ben" is shown with a key of the host's own
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from host.door import Door, Sent
from host.main import main
from host.peers import Peer
from host.sessions import Sessions
from protocol import codec, whisper
from protocol import messages as m
from protocol.identity import Identity

SECRET = X25519PrivateKey.from_private_bytes(b"m" * 32)
SIGNER = Identity(b"m" * 32)
"""With what the host pretends to be Ben."""


class Crook:
    """What it knows and does."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "trick"
        self._seats: dict[bytes, str | None] = {}
        self._old: m.Box | None = None
        self._last: m.Box | None = None

    @property
    def trick(self) -> str:
        return self._file.read_text() if self._file.exists() else ""

    def send(self, route: bytes, frame: bytes) -> bytes:
        """What is sent instead of a frame."""
        push = codec.decode_push(frame)
        if isinstance(push, m.Lobby):
            self._seats[route] = push.you.seat
        return codec.encode(self._whispered(push, self._seats.get(route))) if isinstance(push, m.Whispered) else frame

    def _whispered(self, push: m.Whispered, seat: str | None) -> m.Whispered:
        changes: dict[str, Any] = {}
        box = push.box
        if box is not None:
            self._last, self._old = box, self._old or box
            match self.trick:
                case "change":
                    data = box.data[:-1] + bytes([box.data[-1] ^ 1])
                    changes = {"box": msgspec.structs.replace(box, data=data)}
                case "forge":
                    changes = {"seat": "green"}
                case "repeat":
                    changes = {"box": self._old}
                case "renumber":
                    changes = {"box": msgspec.structs.replace(self._old, number=box.number)}
                case "withhold":
                    changes = {"box": None}
        elif self.trick == "redirect" and seat not in (None, push.seat):
            changes = {"to": seat, "box": self._last}
        return msgspec.structs.replace(push, **changes)

    def arrived(self, peer: Peer, host_key: bytes) -> None:
        """Somebody has said hello."""
        if self.trick == "keys" and peer.name == "Ben":
            key = whisper.public(SECRET)
            signature = whisper.vouch(SIGNER, host_key, key)
            peer.whisper = m.WhisperKey(sign_key=SIGNER.sign_key, key=key, signature=signature)


def arm(crook: Crook) -> None:
    """Lets door and hello do its will."""
    send, hello = Door.send, Sessions.hello

    def crooked_send(self: Door, route: bytes, frame: bytes) -> Sent:
        return send(self, route, crook.send(route, frame))

    def crooked_hello(self: Sessions, peer: Peer, route: bytes, request: m.Hello) -> dict[str, Any]:
        body = hello(self, peer, route, request)
        crook.arrived(peer, self._room.identity.curve_key)
        return body

    Door.send, Sessions.hello = crooked_send, crooked_hello  # type: ignore[method-assign]


if __name__ == "__main__":
    arm(Crook(Path(sys.argv[1])))
    sys.exit(main())
