"""Strengths: what the powers on the table make of cards and ships, as far as a bot reckons with it."""

from __future__ import annotations

from collections.abc import Callable

from cosmic_net.bots.outlook import Outlook
from cosmic_net.engine.state import OFFENSE

MACRON_SHIP, HUMAN_BONUS = 4, 4
INVERTERS = frozenset({"anti-matter", "anti-matter-classic"})


def points(o: Outlook, seat: str, ships: int, revealed: bool = False) -> int:
    """What a player with so many ships in the encounter adds to his side's total, without the card.

    What powers add by themselves is left out once the cards are revealed: it is among the additions then.
    """
    powers = o.powers[seat]
    if not powers:
        return ships
    total = ships * (MACRON_SHIP if "macron" in powers else 1)
    main = seat in (o.offense, o.defense)
    if main and "virus" in powers:
        total -= ships  # they multiply the card instead
    if not revealed and "human" in powers:
        total += HUMAN_BONUS
    if not revealed and main:
        if "warrior" in powers:
            total += powers["warrior"]
        if "warpish" in powers:
            total += sum(player["warp"] for player in o.players.values())
    return total


def lead(o: Outlook, revealed: bool = False) -> int:
    """By how much the offense's side is ahead now, without the cards."""
    low = lower_wins(o)
    total = sum(_signed(o, seat, count, low, revealed) for seat, count in o.enc.get("gate", {}).items())
    total -= sum(_signed(o, seat, count, low, revealed) for seat, count in o.enc.get("side", {}).items())
    if o.defense is not None:
        total -= _signed(o, o.defense, o.defending, low, revealed)
    return total


def _signed(o: Outlook, seat: str, ships: int, low: bool, revealed: bool) -> int:
    """With Anti-Matter all ships subtract but the other main player's own."""
    number = points(o, seat, ships, revealed)
    main = seat in (o.offense, o.defense)
    return -number if low and not (main and not inverts(o, seat)) else number


def inverts(o: Outlook, seat: str | None) -> bool:
    """Whether a main player's power makes the lower total win."""
    return seat is not None and not INVERTERS.isdisjoint(o.powers[seat])


def lower_wins(o: Outlook) -> bool:
    """Whether the lower total wins this encounter."""
    return inverts(o, o.offense) or inverts(o, o.defense)


def counting(o: Outlook, seat: str | None) -> Callable[[int], int] | None:
    """How a main player's attack card counts, if not by its number."""
    powers = o.powers[seat] if seat is not None else {}
    if "tripler" in powers:
        return lambda number: 3 * number if number <= 10 else -(-number // 3)
    if "virus" in powers:
        ships = main_ships(o, seat)
        return lambda number: number * ships
    return None


def main_ships(o: Outlook, seat: str | None) -> int:
    """A main player's own ships in the encounter."""
    return int(o.enc.get("gate", {}).get(seat, 0)) if seat == o.offense else o.defending


def shown(o: Outlook, side: str) -> int:
    """What the open card of a side counts by now."""
    seat = o.offense if side == OFFENSE else o.defense
    value = int(o.enc["values"][side])
    return value * main_ships(o, seat) if seat is not None and "virus" in o.powers[seat] else value


def negotiate_wins(o: Outlook, seat: str | None) -> bool:
    """Whether a main player's negotiate wins against an attack."""
    return seat is not None and "pacifist" in o.powers[seat]
