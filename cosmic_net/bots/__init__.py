"""Players without a person: they see what a person at their seat would see, and answer the same questions."""

from __future__ import annotations

import hashlib

from cosmic_net.bots.agent import Bot
from cosmic_net.bots.chance import Chance
from cosmic_net.bots.sensible import Sensible

NAMES = ("sensible", "chance")


def make(name: str, seed: bytes) -> Bot:
    """A bot by name, one of `NAMES`; `seed` (any bytes) makes its whims. Raises ValueError for another name."""
    if name == "sensible":
        return Sensible(seed)
    if name == "chance":
        return Chance(hashlib.sha256(seed).digest())
    raise ValueError(f"no such bot: {name}; there are {', '.join(NAMES)}")


__all__ = ["NAMES", "Bot", "make"]
