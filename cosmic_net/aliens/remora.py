"""Remora: draws and retrieves along with others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import ask, drawing, ships
from cosmic_net.engine.drawing import Draw
from cosmic_net.engine.ships import Founded, Freed
from cosmic_net.engine.verbs import (
    ALL_PHASES,
    ANY,
    OTHERS,
    SUPER,
    WILD,
    Alien,
    Half,
    Sheet,
    Steps,
    Use,
    after,
    reacts,
    super_,
    wild,
)

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

#: The cause of what this power does; it sets off no power like it.
CLINGING = "remora"
FLARE = "flare-remora"


def card_drawn(t: Table, u: Use) -> bool:
    """Somebody has drawn, and not by this very power."""
    drawn: Draw = u.subject
    return drawn.cause != CLINGING


def ship_to_follow(t: Table, u: Use) -> bool:
    """Somebody's ships came out of the warp; an own one has been there since before this encounter."""
    freed: Freed = u.subject
    return freed.cause != CLINGING and ships.long_in_warp(t, u.seat) > 0 and bool(t.colonies(u.seat))


def flare_used(t: Table, u: Use) -> bool:
    """The card that was played is a flare, either half."""
    played: Use = u.subject
    return played.hook.half in (WILD, SUPER)


class Remora(Alien):
    """Cling."""

    sheet = Sheet(
        id="remora",
        name="Remora",
        power="Cling",
        alert="yellow",
        short="Draws and retrieves along with others",
        who=ANY,
        when=ALL_PHASES,
        mandatory=False,
        text=(
            "Whenever another player draws from the deck you may draw one card. Whenever another player's ships come "
            "out of the warp you may retrieve one of yours that did not go there in this encounter."
        ),
        wild=Half(ANY, ALL_PHASES, "When another player uses a flare, draw a card."),
        super_=Half(
            ANY,
            ALL_PHASES,
            "When other players gain colonies, take for each of them a card off the deck or a ship out of the warp.",
        ),
    )

    @reacts("cards-drawn", when=card_drawn)
    def draw_along(self, t: Table, u: Use) -> Steps:
        """Cards drawn together are one event, a new hand too."""
        yield from drawing.draw(t, u.seat, 1, CLINGING)

    @reacts("ships-freed", when=ship_to_follow)
    def swim_along(self, t: Table, u: Use) -> Steps:
        """One ship, to any own colony."""
        yield from ships.free(t, u.seat, 1, CLINGING, old=True)

    @wild(after("card-played"), who=OTHERS, when=flare_used)
    def profit(self, t: Table, u: Use) -> Steps:
        """When that flare has had its effect."""
        yield from drawing.draw(t, u.seat, 1, FLARE)

    @super_(after("colony-founded"), who=OTHERS)
    def celebrate(self, t: Table, u: Use) -> Steps:
        """Any ship: the ban on those lost just now is the power's alone."""
        founded: Founded = u.subject
        for other in [seat for seat in dict.fromkeys(founded.seats) if seat != u.seat]:
            choices = [ask.option("card", "a card off the deck")]
            if t.player(u.seat).warp and t.colonies(u.seat):
                choices.append(ask.option("ship", "a ship out of the warp"))
            text = "{other} has gained a colony. What do you take?"
            if (yield from ask.pick(t, u.seat, "take", text, choices, other=other)) == "card":
                yield from drawing.draw(t, u.seat, 1, FLARE)
            else:
                yield from ships.free(t, u.seat, 1, FLARE)
