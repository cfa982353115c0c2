"""Zombie: its ships never go to the warp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import ships
from cosmic_net.engine.ships import Loss
from cosmic_net.engine.verbs import (
    ALL_PHASES,
    ANY,
    MAIN,
    OWN,
    Alien,
    Half,
    Sheet,
    Steps,
    Use,
    before,
    deal_term,
    replaces,
    super_,
    wild,
)

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def ships_at_stake(t: Table, u: Use) -> bool:
    """Own ships are still bound for the warp, and there is a colony to go to."""
    loss: Loss = u.subject
    return loss.left(u.seat) > 0 and bool(t.colonies(u.seat))


def ships_in_warp(t: Table, u: Use) -> dict[str, int]:
    """What a deal may free: any number of anybody's ships."""
    return {seat: t.player(seat).warp for seat in t.state.seats if t.player(seat).warp}


class Zombie(Alien):
    """Immortality."""

    sheet = Sheet(
        id="zombie",
        name="Zombie",
        power="Immortality",
        alert="green",
        short="Ships never go to the warp",
        who=ANY,
        when=ALL_PHASES,
        mandatory=True,
        text=(
            "Your ships that would go to the warp return to any of your colonies instead. A deal of yours may also "
            "free ships of any players from the warp."
        ),
        wild=Half(ANY, ALL_PHASES, "When you lose ships to the warp, one of them returns to a colony instead."),
        super_=Half(
            MAIN,
            ("alliance",),
            "Each player who allies with you may bring one ship from the warp as well, beyond the limit of four.",
        ),
    )

    @replaces("ships-lost", who=OWN, must=True, when=ships_at_stake, place=3)
    def rescue(self, t: Table, u: Use) -> Steps:
        """All ships of this loss go home; that is no loss, and brings no compensation."""
        loss: Loss = u.subject
        loss.save(u.seat, loss.left(u.seat))
        return
        yield

    @deal_term("free", limits=ships_in_warp)
    def free_ships(self, t: Table, u: Use, counts: dict[str, int]) -> Steps:
        """A term of a deal, no use of the power."""
        for seat in [seat for seat in t.order() if seat in counts]:
            yield from ships.free(t, seat, counts[seat], "deal")

    @wild(before("ships-lost"), who=OWN, when=ships_at_stake, place=3)
    def one_survives(self, t: Table, u: Use) -> Steps:
        """One ship of the loss goes home."""
        loss: Loss = u.subject
        loss.save(u.seat, 1)
        return
        yield

    @super_("before-invitations", who=MAIN)
    def call_the_dead(self, t: Table, u: Use) -> Steps:
        """Allies of this player may bring a ship out of the warp."""
        side = t.enc.side_of(u.seat)

        def one_more(count: int, seat: str, side: str, own: str | None = side) -> int:
            return count + (side == own)

        t.attach("warp-ships", one_more)
        return
        yield
