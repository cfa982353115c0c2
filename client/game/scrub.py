"""Everything that a host tells of a game is made safe for a terminal when it arrives, before anything shows it."""

from __future__ import annotations

from typing import Any, TypeVar

from protocol.common import UNPRINTABLE_RE
from protocol.text import clean

T = TypeVar("T")


def scrub(data: T) -> T:
    """Plain data whose texts, keys included, have no characters that could act on a terminal.

    What is clean already comes back as it is; bytes are never shown and stay.
    """
    return _scrub(data)  # type: ignore[no-any-return]


def _scrub(data: Any) -> Any:
    if isinstance(data, str):
        return clean(data) if UNPRINTABLE_RE.search(data) else data
    if isinstance(data, dict):
        return {_scrub(key): _scrub(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_scrub(item) for item in data]
    return data
