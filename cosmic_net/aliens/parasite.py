"""Parasite: joins alliances uninvited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import ask, ships
from cosmic_net.engine.phases.launch import Sending
from cosmic_net.engine.state import SIDES
from cosmic_net.engine.verbs import (
    ALL_PHASES,
    ANY,
    NOT_MAIN,
    OTHERS,
    OWN,
    Alien,
    Half,
    Sheet,
    Steps,
    Use,
    after,
    before,
    offers,
    super_,
    wild,
)

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def ally_sends(t: Table, u: Use) -> bool:
    """It is as an ally that he sends ships."""
    return u.seat in t.enc.allies


def free_planets(t: Table, u: Use) -> list[str]:
    """Home planets of the player who lost his power, without a colony of the flare's player."""
    return [planet for planet in t.system(u.subject.seat) if not t.state.planets[planet].get(u.seat)]


def can_settle(t: Table, u: Use) -> bool:
    """There is such a planet, and a ship on a colony to go there."""
    return bool(free_planets(t, u)) and bool(t.colonies(u.seat))


def choose_planet(t: Table, u: Use) -> Steps:
    """Which of his home planets."""
    return (yield from ask.planet(t, u.seat, "settle", "Where do you found a colony?", free_planets(t, u)))


class Parasite(Alien):
    """Infest."""

    sheet = Sheet(
        id="parasite",
        name="Parasite",
        power="Infest",
        alert="green",
        short="Allies without invitation",
        who=NOT_MAIN,
        when=("alliance",),
        mandatory=False,
        text="When it is your turn to ally you may join one side as if invited, though it did not invite you.",
        wild=Half(
            ANY,
            ALL_PHASES,
            "When another player's power is lost through too few home colonies, found a colony with one of your "
            "ships on one of his home planets.",
        ),
        super_=Half("ally", ("alliance",), "As an ally send any number of ships."),
    )

    @offers("ally", who=NOT_MAIN)
    def join(self, t: Table, u: Use) -> list[str]:
        """Both sides are open to him."""
        return list(SIDES)

    @wild(after("power-lost"), who=OTHERS, when=can_settle, aim=choose_planet)
    def settle(self, t: Table, u: Use) -> Steps:
        """Beside whatever is there; a victory is looked at like after any single effect (Z03)."""
        text = "Which ship do you send to {planet}?"
        places = ships.on_colonies(t, u.seat)
        chosen = yield from ask.ships(t, u.seat, "ships", text, places, 1, 1, planet=u.aim)
        yield from ships.land(t, {u.seat: (u.aim, ships.take(t, u.seat, chosen))})

    @super_(before("ships-sent"), who=OWN, when=ally_sends)
    def swarm(self, t: Table, u: Use) -> Steps:
        """No upper limit."""
        sending: Sending = u.subject
        sending.limit = sum(ships.on_colonies(t, u.seat).values())
        return
        yield
