"""Reincarnator: becomes another alien whenever it loses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import ask, powers
from cosmic_net.engine.phases import resolution
from cosmic_net.engine.state import SIDES
from cosmic_net.engine.verbs import ANY, MAIN_OR_ALLY, Alien, Half, Sheet, Steps, Use, super_, use, wild

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

THIS = "reincarnator"


def losers(t: Table) -> list[str]:
    """The players on a losing side, allies included, and both main players of a failed deal."""
    enc = t.enc
    if enc.result == "both-lose":
        return [seat for seat in t.order() if enc.side_of(seat)]
    if enc.result == "deal-failed":
        return [enc.main_of(side) for side in SIDES]
    winner = enc.winner_side()
    return [] if winner is None else [seat for seat in t.order() if enc.side_of(seat) not in (None, winner)]


def has_lost(t: Table, u: Use) -> bool:
    """The player is among them."""
    return u.seat in losers(t)


def must_go_on(t: Table, u: Use) -> bool:
    """He has lost, and has not been spared."""
    return has_lost(t, u) and u.power is not None and u.power.uid not in t.enc.facts.get("spared", ())


def victims(t: Table, u: Use) -> list[str]:
    """Other players who have lost, but not whoever is this alien now."""
    return [
        seat
        for seat in losers(t)
        if seat != u.seat and t.power_of(seat, THIS) is None and powers.own_sheet(t, seat) is not None
    ]


def anybody_to_change(t: Table, u: Use) -> bool:
    """There is such a player."""
    return bool(victims(t, u))


def choose_victim(t: Table, u: Use) -> Steps:
    """He gets the flare."""
    return (yield from ask.seat_of(t, u.seat, "change", "Who must become another alien?", victims(t, u)))


def to_victim(t: Table, u: Use) -> str:
    """The flare goes to the player whom it was used on."""
    return str(u.aim)


class Reincarnator(Alien):
    """Reincarnation."""

    sheet = Sheet(
        id=THIS,
        name="Reincarnator",
        power="Reincarnation",
        alert="yellow",
        short="Becomes unused aliens",
        who=MAIN_OR_ALLY,
        when=("resolution",),
        mandatory=True,
        text=(
            "When your side loses, or a deal of yours fails, discard your incarnation, if you have one, and draw an "
            "unused alien at random: you are that alien as well as this one."
        ),
        wild=Half(
            ANY,
            ("resolution",),
            "When another player, not the Reincarnator, is on a losing side or fails to make a deal, give him this "
            "flare: after the encounter he discards his power and draws an unused one at random.",
        ),
        super_=Half(MAIN_OR_ALLY, ("resolution",), "You need not reincarnate this time."),
    )

    @use("after-encounter", who=MAIN_OR_ALLY, must=True, when=must_go_on, place=1)
    def reincarnate(self, t: Table, u: Use) -> Steps:
        """This sheet stays; a player who only has it on loan loses his own alien instead of the incarnation."""
        assert u.power is not None
        if u.power.lent_by is not None:
            yield from powers.change_own(t, u.seat)
            return
        for power in [power for power in t.player(u.seat).powers if power.brought_by == u.power.uid]:
            yield from powers.lose_sheet(t, u.seat, power)
        incarnation = powers.draw_unused(t, u.seat)
        if incarnation is not None:
            incarnation.brought_by = u.power.uid

    @wild("after-outcome", "after-encounter", when=anybody_to_change, aim=choose_victim, goes=to_victim)
    def condemn(self, t: Table, u: Use) -> Steps:
        """Right after the encounter, when ships and cards are settled."""

        def change(t: Table, victim: str = u.aim) -> Steps:
            yield from powers.change_own(t, victim)

        resolution.afterwards(t, change)
        return
        yield

    @super_("after-encounter", who=MAIN_OR_ALLY, when=has_lost)
    def stay(self, t: Table, u: Use) -> Steps:
        """The power is then not used at all."""
        assert u.power is not None
        t.enc.facts.setdefault("spared", set()).add(u.power.uid)
        return
        yield
