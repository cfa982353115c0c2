"""Allying: whom to invite, whom to join, with how many ships; never so that somebody else wins the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cosmic_net.bots import fleet, strengths, worth
from cosmic_net.bots.odds import Odds
from cosmic_net.bots.outlook import Outlook
from cosmic_net.engine.state import DEFENSE, OFFENSE

#: Ships that an ally is expected to bring.
USUAL_SHIPS = 3
#: Ships that somebody who is not invited is expected to bring to the defense.
UNINVITED = 2
#: What joining must promise before it is worth the ships' absence.
LEAST_GAIN = 0.4


def invite(o: Outlook, decision: Mapping[str, Any]) -> list[str]:
    """The players whose help promises more than what they get for it."""
    able = [option["id"] for option in decision["options"] if o.homes[option["id"]] + o.foreign[option["id"]]]
    return _helpers(o, able) if o.me == o.offense else [seat for seat in able if _useful(o, seat)]


def _helpers(o: Outlook, able: list[str]) -> list[str]:
    """As the offense: the allies whose ships help more than their colony hurts."""
    odds, lead = Odds(o), strengths.lead(o)
    alone = odds.hand_wins(OFFENSE, lead - UNINVITED)
    lost = worth.if_defense_wins(o, {}, o.ships_here)
    without = alone * worth.if_offense_wins(o, {}, o.ships_here) + (1 - alone) * lost
    found = []
    for seat in able:
        if not worth.gifts_victory(o, worth.landings(o, {seat: OFFENSE}, o.target)):
            helped = odds.hand_wins(OFFENSE, lead + strengths.points(o, seat, USUAL_SHIPS))
            won = worth.if_offense_wins(o, {seat: OFFENSE}, o.ships_here)
            if helped * won + (1 - helped) * lost > without:
                found.append(seat)
    return found


def _useful(o: Outlook, seat: str) -> bool:
    """As the defense: anybody's ships help; a leader's only if the offense is about to win the game."""
    return not o.reaches(seat) or o.reaches(o.offense)


def side(o: Outlook, decision: Mapping[str, Any]) -> str:
    """The side to join, or "decline"."""
    sides = [option["id"] for option in decision["options"] if option["id"] in (OFFENSE, DEFENSE)]
    count = min(4, fleet.spare(o))
    if not count:
        return "decline"
    odds, lead = Odds(o), strengths.lead(o)
    best, value = "decline", Promise(o, odds, lead, None).value(0) + LEAST_GAIN
    for name in sides:
        if not bars(o, name) and (promise := Promise(o, odds, lead, name).value(count)) > value:
            best, value = name, promise
    return best


def bars(o: Outlook, name: str) -> bool:
    """Whether joining a side could make somebody else win the game, and oneself not."""
    allies = o.allies | {o.me: name}
    if name == DEFENSE:
        return o.last_tick not in (None, o.me)
    return worth.gifts_victory(o, worth.landings(o, allies, o.target))


class Promise:
    """What the encounter promises to somebody on a side (None: to a bystander), by the number of his ships.

    `lead` is by how much the offense's side is ahead without him and the cards.
    """

    def __init__(self, o: Outlook, odds: Odds, lead: int, name: str | None) -> None:
        self._o, self._odds = o, odds
        self._direction = {OFFENSE: 1, DEFENSE: -1}.get(name or "", 0)
        self._lead = lead
        allies = o.allies | ({o.me: name} if name else {})
        self._won, self._held = worth.if_offense_wins(o, allies, 0), worth.if_defense_wins(o, allies, 0)
        self._won_each = worth.if_offense_wins(o, allies, 1) - self._won if name == DEFENSE else 0.0
        self._held_each = worth.if_defense_wins(o, allies, 1) - self._held if name else 0.0

    def value(self, count: int) -> float:
        """The promise with so many ships; what they cost or earn grows with their number."""
        mine = strengths.points(self._o, self._o.me, count) * self._direction
        offense, defense = self._odds.outcome(self._lead + mine)
        return offense * (self._won + count * self._won_each) + defense * (self._held + count * self._held_each)


def ships(o: Outlook, decision: Mapping[str, Any]) -> dict[str, int]:
    """The ships to send as an ally: all that can be spared if the game is at stake, else as many as pay."""
    low = decision["min"]
    most = max(low, min(decision["max"], fleet.spare(o)))
    name = o.my_side
    if name is None:
        return fleet.take(o, decision["places"], low)
    promise = Promise(o, Odds(o), strengths.lead(o), name)
    best = max(range(low, most + 1), key=promise.value)
    return fleet.take(o, decision["places"], best)
