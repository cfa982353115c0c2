"""The names of the seats, for the type checker and as plain text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from cosmic_net.engine.options import SEATS
from protocol.messages import SeatName

T = TypeVar("T")
SEAT_NAMES: tuple[SeatName, ...] = ("red", "blue", "green", "yellow", "purple")
"""All seats, clockwise."""
assert SEAT_NAMES == SEATS


def plain(by_seat: Mapping[SeatName, T]) -> dict[str, T]:
    """The same by plain text."""
    return {str(seat): value for seat, value in by_seat.items()}
