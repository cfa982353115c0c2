"""Tick-Tock: counts down to victory."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cosmic_net.engine import ask, ships
from cosmic_net.engine.state import DEFENSE, Power, owner_of
from cosmic_net.engine.verbs import (
    ALL_PHASES,
    ANY,
    MAIN,
    Alien,
    Half,
    Sheet,
    Steps,
    Use,
    after,
    modifies,
    setup,
    super_,
    use,
    wild,
)

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

#: How many tokens the sheet starts with, by the number of planets (Q03).
TOKENS = {5: 10, 4: 8}
MOST_SHIPS = 4


def ticks(t: Table, u: Use) -> bool:
    """A defense, whoever it is, has won, or a deal was made."""
    return t.enc.result in (DEFENSE, "deal") and u.power is not None and u.power.tokens > 0


def own_success(t: Table, u: Use) -> bool:
    """He has won or made a deal himself, and has a ship to pay with."""
    won = t.enc.result == "deal" or t.enc.winner_side() == t.enc.side_of(u.seat)
    return won and u.power is not None and u.power.tokens > 0 and bool(ships.outside_warp(t, u.seat))


def open_planets(t: Table, u: Use) -> list[str]:
    """Planets of the other players' systems without an own colony."""
    return [planet for planet, there in t.state.planets.items() if owner_of(planet) != u.seat and u.seat not in there]


def can_settle(t: Table, u: Use) -> bool:
    """There is such a planet, and a ship on a colony to go there."""
    return bool(open_planets(t, u)) and bool(t.colonies(u.seat))


def choose_planet(t: Table, u: Use) -> Steps:
    """Any one of them."""
    return (yield from ask.planet(t, u.seat, "settle", "Where do you found a colony?", open_planets(t, u)))


class TickTock(Alien):
    """Patience."""

    sheet = Sheet(
        id="tick-tock",
        name="Tick-Tock",
        power="Patience",
        alert="yellow",
        short="Counts down to victory",
        who=ANY,
        when=("resolution",),
        mandatory=True,
        text=(
            "Whenever a defense wins, whoever it is, or any two players make a deal, take a token off this sheet. "
            "When there is none left you win the game."
        ),
        wild=Half(
            ANY,
            ALL_PHASES,
            "When the discards are shuffled into a new deck, found a colony on any other player's home planet with "
            "up to four of your ships.",
        ),
        super_=Half(MAIN, ("resolution",), "When you win or make a deal, pay a ship to take one more token off."),
        setup="Lay ten tokens on this sheet, eight with four planets each.",
    )
    texts: ClassVar = {"tokens-changed": "The {alien} has {tokens} tokens left."}

    @setup
    def wind_up(self, t: Table, u: Use) -> Steps:
        """The tokens stay with the sheet."""
        assert u.power is not None
        u.power.tokens = TOKENS[t.state.options.planets]
        return
        yield

    @use("after-encounter", who=ANY, must=True, when=ticks)
    def tick(self, t: Table, u: Use) -> Steps:
        """One token for an encounter."""
        _take_token(t, u.seat, u.power)
        return
        yield

    @modifies("has-won")
    def run_out(self, t: Table, u: Use, value: bool, seat: str) -> bool:
        """Another way to win, looked at with all others (Z04)."""
        return value or (seat == u.seat and u.power is not None and u.power.tokens == 0)

    @wild(after("deck-reshuffled"), when=can_settle, aim=choose_planet)
    def settle(self, t: Table, u: Use) -> Steps:
        """At once, in the midst of what needed the new deck; a victory is looked at first (Z03)."""
        text = "Which ships do you send to {planet}?"
        places = ships.on_colonies(t, u.seat)
        chosen = yield from ask.ships(t, u.seat, "ships", text, places, 1, MOST_SHIPS, planet=u.aim)
        yield from ships.land(t, {u.seat: (u.aim, ships.take(t, u.seat, chosen))})

    @super_("after-encounter", who=MAIN, when=own_success)
    def hurry(self, t: Table, u: Use) -> Steps:
        """The ship counts as paid even if a power brings it back (B10)."""
        yield from ships.pay(t, u.seat, "tick-tock")
        _take_token(t, u.seat, u.power)


def _take_token(t: Table, seat: str, power: Power | None) -> None:
    assert power is not None
    power.tokens -= 1
    t.say("tokens-changed", seat=seat, alien=power.id, tokens=power.tokens)
