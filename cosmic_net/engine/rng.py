"""The game's own random numbers: a keystream from a 256-bit seed, the same on every machine and Python version.

Block i of the keystream is SHA-256(seed || label || i as 8 bytes big-endian). A number below n is taken from the
next 4 bytes by rejection sampling, so that no value is favoured; a shuffle is Fisher-Yates from the top down.
`docs/architecture.md` has test vectors.
"""

from __future__ import annotations

import hashlib
from collections.abc import MutableSequence
from typing import Any

LABEL = b"cosmic-net/rng/1"
NAMES = b"cosmic-net/names/1"


class Rng:
    """A deterministic generator. `seed` must have 32 bytes (ValueError otherwise)."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != 32:
            raise ValueError("a seed has 32 bytes")
        self._seed = seed
        self._block = 0
        self._buffer = b""

    def _word(self) -> int:
        if not self._buffer:
            block = self._block.to_bytes(8, "big")
            self._buffer = hashlib.sha256(self._seed + LABEL + block).digest()
            self._block += 1
        word, self._buffer = self._buffer[:4], self._buffer[4:]
        return int.from_bytes(word, "big")

    def name(self, number: int) -> int:
        """48 bits that stand for a number and tell nothing of it; they take nothing from the keystream."""
        return int.from_bytes(hashlib.sha256(self._seed + NAMES + number.to_bytes(8, "big")).digest()[:6], "big")

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, all equally likely. Raises ValueError unless n is from 1 to 2**32."""
        if not 1 <= n <= 2**32:
            raise ValueError(f"nothing can be drawn from {n}")
        limit = 2**32 - 2**32 % n
        while (word := self._word()) >= limit:
            pass
        return word % n

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffles in place: for i from the last place down to 1, places i and below(i + 1) change."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
