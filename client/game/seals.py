"""The cards that this player has sealed, and how to open them, also after a restart; and what else a game's file keeps.

A nonce is derived from the player's secret, a salt of this game, and the context of the commitment. The salt is drawn
when the game starts and is on disk before anything is sealed; should the rest of the file be lost, the card is found
by trying the hand. Besides, the file knows for which commitments to the seed a share was given, and how far this player
has played.
"""

from __future__ import annotations

import contextlib
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
from protocol.fields import digest
from protocol.identity import Identity

log = logging.getLogger(__name__)

SALT_BYTES = 32
MOST_TRIES = 8
"""So many different cards can be chosen in one place, should the host not have taken the first choices."""


class Played(Exception):
    """A host starts a game whose id this player has played before: its nonces, or its share, could be known."""


class Seals:
    """What this player has sealed in one game; kept in one file, readable by this user only."""

    def __init__(self, folder: Path, identity: Identity, host_key: bytes, game: str) -> None:
        self._identity = identity
        self._path = folder / f"{host_key.hex()[:16]}-{game}.json"
        self._salt = b""
        self._cards: dict[str, int] = {}
        self._start = ""
        self._seeds = ""
        self._dealt = False
        self.played_to: tuple[int, bytes] | None = None
        """How many entries the record had when this player answered last, and its head then."""

    def begin(self, setup: bytes, host_commitment: bytes) -> None:
        """A new game: draws the salt. Raises Played if this id was dealt before, or stood for another start.

        (The same start may be told twice, if this program was started anew in between.)
        """
        start = hashlib.sha256(hashlib.sha256(setup).digest() + host_commitment).hexdigest()
        if self._load():
            if self._dealt or (start != self._start and (self._cards or self._seeds)):
                raise Played
            if start == self._start:
                return
        self._draw(start)

    def give_share_for(self, commitments: Mapping[str, bytes]) -> bool:
        """Whether the own share of the seed may be shown for this set of commitments (seat -> commitment).

        Only for one set, ever: else whoever commits last could choose the seed. Kept on disk first (else OSError).
        """
        parts = [part for seat in sorted(commitments) for part in (seat, commitments[seat])]
        seeds = digest("seeds", *parts).hex()
        if self._seeds and self._seeds != seeds:
            return False
        if not self._seeds:
            self._seeds = seeds
            self._save()
        return True

    def dealt(self) -> None:
        """The game runs: its id is used up, and nothing can start with it any more. OSError as for `seal`."""
        if not self._dealt:
            self._dealt = True
            self._save()

    def play_to(self, count: int, head: bytes) -> None:
        """Notes how far the record goes that the player has answered to. OSError as for `seal`."""
        self.played_to = (count, head)
        self._save()

    def resume(self) -> None:
        """A game that runs: takes up what was kept; without it only new cards can be opened later."""
        if not self._load():
            with contextlib.suppress(OSError):  # a card is sealed only if it can be written down then
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
        self._seeds, self._dealt, self.played_to = "", False, None
        self._save()

    def _load(self) -> bool:
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            salt, start = bytes.fromhex(data["salt"]), str(data["start"])
            cards = {str(commitment): int(card) for commitment, card in data["cards"].items()}
            seeds, dealt = str(data.get("seeds", "")), bool(data.get("dealt", False))
            count, head = data.get("played_to") or (0, "")
            played_to = (int(count), bytes.fromhex(head)) if count else None
        except FileNotFoundError:
            return False
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            log.exception("%s cannot be read", self._path)
            return False
        self._salt, self._cards, self._start = salt, cards, start
        self._seeds, self._dealt, self.played_to = seeds, dealt, played_to
        return True

    def _save(self) -> None:
        """Keeps it. Raises OSError: a card whose opening is not safe must not be sealed."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        played_to = None if self.played_to is None else (self.played_to[0], self.played_to[1].hex())
        data = {
            "start": self._start,
            "salt": self._salt.hex(),
            "cards": self._cards,
            "seeds": self._seeds,
            "dealt": self._dealt,
            "played_to": played_to,
        }
        write_private(self._path, json.dumps(data).encode())
