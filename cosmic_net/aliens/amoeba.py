"""Amoeba: its ships flow into and out of an encounter."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cosmic_net.engine import ask, ships
from cosmic_net.engine.verbs import ALLY, MAIN, Alien, Half, Sheet, Steps, Use, super_, use, wild
from cosmic_net.engine.windows import use_part

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

IN, OUT = "in", "out"
WILD_SHIPS = 4


def directions(t: Table, seat: str) -> list[str]:
    """In with ships elsewhere; out with ships in the encounter and a colony that they can go to."""
    elsewhere = ships.elsewhere(t, seat)
    return [IN] * bool(elsewhere) + [OUT] * bool(elsewhere and t.ships_in_encounter(seat))


def can_move(t: Table, u: Use) -> bool:
    """There is some way to go."""
    return bool(directions(t, u.seat))


def takes_part(t: Table, u: Use) -> bool:
    """He has a ship in the encounter, and some way to go."""
    return t.ships_in_encounter(u.seat) > 0 and can_move(t, u)


def choose_direction(t: Table, u: Use) -> Steps:
    """In or out, once."""
    names = {IN: "bring ships into the encounter", OUT: "take ships out of it"}
    options = [ask.option(way, names[way]) for way in directions(t, u.seat)]
    return (yield from ask.pick(t, u.seat, "direction", "Which way do your ships go?", options))


def move(t: Table, u: Use, most: int | None = None) -> Steps:
    """One single move; colonies and powers are looked at when it is complete."""
    post = ships.post(t, u.seat)
    if u.aim == OUT:
        there = t.ships_in_encounter(u.seat)
        text = "How many ships do you take out?"
        count = yield from ask.declare(t, u.seat, "ships", text, 1, min(there, most or there), 1)
        ships.take(t, u.seat, {post: count})
        text = "Where do you put {count} ships?"
        yield from ships.spread(t, u.seat, count, "return", text, avoid=[post])
        yield from ships.settle(t)
        return
    places = ships.elsewhere(t, u.seat)
    text = "How many ships do you bring in, and from where?"
    chosen = yield from ask.ships(t, u.seat, "ships", text, places, 1, most or sum(places.values()))
    t.say("ships-brought-in", seat=u.seat, places=chosen)
    count = ships.take(t, u.seat, chosen)
    if post == t.enc.target:
        yield from ships.land(t, {u.seat: (post, count)})
        return
    ships.put(t, u.seat, post, count)
    yield from ships.settle(t)


class Amoeba(Alien):
    """Ooze."""

    sheet = Sheet(
        id="amoeba",
        name="Amoeba",
        power="Ooze",
        alert="yellow",
        short="Moves any number of ships in or out",
        who=MAIN,
        when=("planning",),
        mandatory=False,
        text=(
            "When both cards are selected and you have a ship in the encounter: either take any number of your ships "
            "out of it to your colonies, or bring any number from your colonies into it, also beyond four."
        ),
        wild=Half(
            MAIN,
            ("planning",),
            "Before cards are selected: bring one to four ships from colonies into the encounter, or take one to "
            "four of yours out. The gate may hold more than four.",
        ),
        super_=Half("ally", ("planning",), "Use the power as an ally with a ship in the encounter."),
    )
    texts: ClassVar = {"ships-brought-in": "{seat} brings {places} into the encounter."}

    @use("after-selection", who=MAIN, when=takes_part, aim=choose_direction)
    def ooze(self, t: Table, u: Use) -> Steps:
        """Any number of ships."""
        yield from move(t, u)

    @wild("before-selection", who=MAIN, when=can_move, aim=choose_direction)
    def trickle(self, t: Table, u: Use) -> Steps:
        """One to four; none need be there before."""
        yield from move(t, u, WILD_SHIPS)

    @super_("after-selection", who=ALLY, when=takes_part)
    def ooze_as_ally(self, t: Table, u: Use) -> Steps:
        """On either side; whoever leaves has still allied."""
        yield from use_part(t, u, "ooze")
