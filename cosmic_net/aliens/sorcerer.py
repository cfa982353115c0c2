"""Sorcerer: swaps the two cards that lie face down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import powers, seals
from cosmic_net.engine.state import SIDES
from cosmic_net.engine.verbs import ALLY, ANY, MAIN, Alien, Half, Sheet, Steps, Use, super_, use, wild
from cosmic_net.engine.windows import use_part

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

THIS = "sorcerer"


def main_players(t: Table) -> list[str]:
    """Offense and defense."""
    return [t.enc.main_of(side) for side in SIDES]


def owner_stands_by(t: Table, u: Use) -> bool:
    """Whoever has this sheet now is no main player, and there is a power to exchange."""
    mains = main_players(t)
    return t.seat_of_alien(THIS) not in mains and any(t.player(seat).powers for seat in mains)


def to_owner(t: Table, u: Use) -> str:
    """The flare goes to the player of this alien, if there is one."""
    return t.seat_of_alien(THIS) or "discard"


class Sorcerer(Alien):
    """Magic."""

    sheet = Sheet(
        id=THIS,
        name="Sorcerer",
        power="Magic",
        alert="green",
        short="Swaps the two face-down cards",
        who=MAIN,
        when=("planning",),
        mandatory=False,
        text=(
            "After cards are selected you may exchange your card with your opponent's, unseen. He reveals yours, and "
            "you his."
        ),
        wild=Half(
            ANY,
            ("planning",),
            "Before cards are selected, and if the Sorcerer is no main player: the main players exchange their "
            "powers for good. This flare goes to the Sorcerer; if there is none, discard it.",
        ),
        super_=Half(ALLY, ("planning",), "You may use this power as an ally of either side."),
        excludes=("gambler",),
    )

    @use("after-selection", who=MAIN)
    def exchange(self, t: Table, u: Use) -> Steps:
        """Nobody sees a face; each card is opened by the one who sealed it, and belongs to the other side."""
        seals.exchange(t)
        return
        yield

    @wild("before-selection", when=owner_stands_by, goes=to_owner)
    def exchange_powers(self, t: Table, u: Use) -> Steps:
        """All that lies on the sheets goes along (W09); what was used stays used (U20)."""
        powers.swap(t, *main_players(t))
        return
        yield

    @super_("after-selection", who=ALLY)
    def help_out(self, t: Table, u: Use) -> Steps:
        """A use of the power follows, and can be zapped."""
        yield from use_part(t, u, "exchange")
