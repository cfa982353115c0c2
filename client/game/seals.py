"""The cards that this player has sealed, and how to open them, also after a restart.

A nonce is derived from the player's secret, a salt of this game, and the context of the commitment. The salt is drawn
when the game starts and is on disk before anything is sealed; should the rest of the file be lost, the card is found
by trying the hand.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from client.home import write_private
from cosmic_net.engine import sealing
from protocol import fairness
from protocol.identity import Identity

log = logging.getLogger(__name__)

SALT_BYTES = 32
MOST_TRIES = 8
"""So many different cards can be chosen in one place, should the host not have taken the first choices."""


class Played(Exception):
    """A host starts a game whose id this player has played before: its nonces could be known."""


class Seals:
    """What this player has sealed in one game; kept in one file, readable by this user only."""

    def __init__(self, folder: Path, identity: Identity, host_key: bytes, game: str) -> None:
        self._identity = identity
        self._path = folder / f"{host_key.hex()[:16]}-{game}.json"
        self._salt = b""
        self._cards: dict[str, int] = {}
        self._start = ""

    def begin(self, setup: bytes, host_commitment: bytes) -> None:
        """A new game: draws the salt. Raises Played if cards were sealed under this id in another game.

        (The same start may be told twice, if this program was started anew in between.)
        """
        start = hashlib.sha256(hashlib.sha256(setup).digest() + host_commitment).hexdigest()
        if self._load() and self._cards:
            if start != self._start:
                raise Played
            return
        self._draw(start)

    def resume(self) -> None:
        """A game that runs: takes up what was kept; without it only new cards can be opened later."""
        if not self._load():
            self._draw("")

    def seal(self, context: Mapping[str, Any], card: int) -> dict[str, bytes]:
        """Seals a card: the answer to a `seal` decision, kept on disk before it returns (else OSError).

        No nonce serves two cards: another card in the same context gets a nonce of its own.
        """
        made = None
        for salt in self._salts():
            made = fairness.seal(self._identity, context, card, salt)
            if self._cards.get(made.commitment.hex()) == card or not self._used(context, made.nonce):
                break
        else:
            raise ValueError("too many different cards were chosen in this place")
        self._cards[made.commitment.hex()] = card
        self._save()
        return {"commitment": made.commitment, "signature": made.signature}

    def open(self, context: Mapping[str, Any], commitment: bytes, hand: Iterable[int]) -> dict[str, Any] | None:
        """The opening of a commitment: the answer to an `open` decision; None if no card fits."""
        known = self.card_of(commitment)
        candidates = [known] if known is not None else list(hand)
        for salt in self._salts():
            nonce = self._identity.nonce(context, salt)
            for card in candidates:
                if sealing.check(context, commitment, card, nonce):
                    return {"card": card, "nonce": nonce}
        return None

    def card_of(self, commitment: bytes) -> int | None:
        """The id of the card behind one of the player's own commitments."""
        return self._cards.get(commitment.hex())

    def _salts(self) -> list[bytes]:
        return [self._salt + bytes([number]) for number in range(MOST_TRIES)]

    def _used(self, context: Mapping[str, Any], nonce: bytes) -> bool:
        """Whether a card has been sealed with this nonce."""
        return any(
            sealing.check(context, bytes.fromhex(commitment), card, nonce) for commitment, card in self._cards.items()
        )

    # ---- the file

    def _draw(self, start: str) -> None:
        self._salt, self._cards, self._start = secrets.token_bytes(SALT_BYTES), {}, start
        self._save()

    def _load(self) -> bool:
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            salt, start = bytes.fromhex(data["salt"]), str(data["start"])
            cards = {str(commitment): int(card) for commitment, card in data["cards"].items()}
        except FileNotFoundError:
            return False
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            log.exception("%s cannot be read", self._path)
            return False
        self._salt, self._cards, self._start = salt, cards, start
        return True

    def _save(self) -> None:
        """Keeps it. Raises OSError: a card whose opening is not safe must not be sealed."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        data = {"start": self._start, "salt": self._salt.hex(), "cards": self._cards}
        write_private(self._path, json.dumps(data).encode())
