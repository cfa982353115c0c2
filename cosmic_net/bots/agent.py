"""An agent plays a seat in process: a bot decides, the agent seals and opens.

Used by bots, simulations, scenarios and tests; a client at a terminal does the same with a person in the bot's place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Protocol

from cosmic_net.engine import sealing


class Bot(Protocol):
    """Whatever decides for a seat, from that seat's own view and one of its open questions."""

    def decide(self, view: Mapping[str, Any], decision: Mapping[str, Any]) -> Any:
        """The answer; for a `seal` question the id of the card, or {"option": id}; never asked for an `open` one.

        None to a `deal` question is no answer: the bot has nothing to say until the other has spoken.
        """
        ...


class Agent:
    """Seals and opens for one seat. `secret` (any bytes) makes its nonces."""

    def __init__(self, bot: Bot, secret: bytes) -> None:
        self.bot = bot
        self._secret = secret
        self._sealed: dict[bytes, tuple[int, bytes]] = {}

    def answer(self, view: Mapping[str, Any], decision: Mapping[str, Any]) -> Any:
        """The answer to any question, ready to be given to the game."""
        if decision["kind"] == "open":
            return self.open(decision)
        answer = self.bot.decide(view, decision)
        if decision["kind"] == "seal" and not isinstance(answer, Mapping):
            return self.seal(decision, answer)
        return answer

    def seal(self, decision: Mapping[str, Any], card: int) -> dict[str, bytes]:
        """The commitment to a card; the agent remembers how to open it."""
        nonce = hashlib.sha256(self._secret + sealing.encode(decision["context"])).digest()
        commitment = sealing.commitment(decision["context"], card, nonce)
        self._sealed[commitment] = (card, nonce)
        return {"commitment": commitment, "signature": b""}

    def open(self, decision: Mapping[str, Any]) -> dict[str, Any] | None:
        """The opening of a commitment made before; None if this agent did not make it."""
        if decision["commitment"] not in self._sealed:
            return None
        card, nonce = self._sealed[decision["commitment"]]
        return {"card": card, "nonce": nonce}
