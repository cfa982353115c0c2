"""Macron: sends one ship, and that counts four."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.cards import faces
from cosmic_net.engine.phases.launch import MOST_SHIPS, Sending
from cosmic_net.engine.verbs import (
    MAIN,
    MAIN_OR_ALLY,
    OFFENSE_OR_ALLY,
    OWN,
    Alien,
    Half,
    Sheet,
    Steps,
    Use,
    before,
    modifies,
    replaces,
    super_,
    use,
    wild,
)

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

LIMIT, MASS, WORTH = 1, 4, 2


def has_ships(t: Table, u: Use) -> bool:
    """He has ships in the encounter."""
    return t.ships_in_encounter(u.seat) > 0


def side_attacks(t: Table, u: Use) -> bool:
    """His side's card is an attack, and he has ships in the encounter."""
    return has_ships(t, u) and t.enc.cards[str(t.enc.side_of(u.seat))].kind == faces.ATTACK


def limit_is_low(t: Table, u: Use) -> bool:
    """Fewer ships may be sent than usual."""
    sending: Sending = u.subject
    return sending.most(t) < MOST_SHIPS


class Macron(Alien):
    """Mass."""

    sheet = Sheet(
        id="macron",
        name="Macron",
        power="Mass",
        alert="green",
        short="One ship, worth four",
        who=MAIN_OR_ALLY,
        when=("launch", "alliance", "reveal"),
        mandatory=True,
        text=(
            "As the offense or as an ally you send one ship only. After the reveal each of your ships in the "
            "encounter counts 4 in your side's total, also those that you defend with. For compensation and rewards "
            "each of your ships counts two."
        ),
        wild=Half(
            MAIN_OR_ALLY,
            ("reveal",),
            "If your side has revealed an attack: each of your ships in the encounter adds 1 more to its total.",
        ),
        super_=Half(OFFENSE_OR_ALLY, ("launch", "alliance"), "Send up to four ships all the same."),
    )

    @replaces("ships-sent", who=OWN, must=True)
    def send_one(self, t: Table, u: Use) -> Steps:
        """A ship that stands on the gate already is that one."""

        def one(most: int, seat: str, own: str = u.seat) -> int:
            return min(most, LIMIT) if seat == own else most

        t.attach("most-ships", one, power=u.power)
        return
        yield

    @use("after-reveal", who=MAIN_OR_ALLY, must=True, when=has_ships)
    def mass(self, t: Table, u: Use) -> Steps:
        """A use of its own, whatever was revealed."""

        def heavy(worth: int, seat: str) -> int:
            return MASS if seat == u.seat else worth

        t.attach("ship-worth", heavy, power=u.power)
        return
        yield

    @modifies("compensation-count", who=MAIN)
    @modifies("reward-count", who=MAIN_OR_ALLY)
    def double(self, t: Table, u: Use, count: int, seat: str) -> int:
        """No use, but off if a use was zapped in this encounter."""
        return WORTH * count if seat == u.seat else count

    @wild("after-reveal", who=MAIN_OR_ALLY, when=side_attacks)
    def one_more_each(self, t: Table, u: Use) -> Steps:
        """Adds to the total, and stays an addition whatever ships count."""
        side, number = str(t.enc.side_of(u.seat)), t.ships_in_encounter(u.seat)
        t.enc.additions[side] += number
        t.say("reinforced", seat=u.seat, side=side, number=number)
        return
        yield

    @super_(before("ships-sent"), who=OWN, when=limit_is_low)
    def send_all(self, t: Table, u: Use) -> Steps:
        """They count four each all the same."""
        sending: Sending = u.subject
        usual = sending.limit

        def more(most: int, seat: str, own: str = u.seat) -> int:
            return max(most, usual) if seat == own else most

        t.attach("most-ships", more)
        return
        yield
