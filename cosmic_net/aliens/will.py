"""Will: chooses whom it meets, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import ask, hands
from cosmic_net.engine.phases import destiny
from cosmic_net.engine.state import owner_of
from cosmic_net.engine.verbs import OFFENSE, Alien, Half, Sheet, Steps, Use, modifies, super_, use, wild

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def undecided(t: Table, u: Use) -> bool:
    """Nothing has fixed the defense yet."""
    return destiny.undecided(t)


def drawn_player(t: Table) -> str | None:
    """The player whose colour the destiny card counts as."""
    return destiny.colour_of(t, t.enc.destiny[-1])


def systems_away(t: Table) -> list[str]:
    """The other players' systems, and the offense's own, in which the player drawn has a colony."""
    drawn = drawn_player(t)
    return [] if drawn in (None, t.enc.offense) else list(dict.fromkeys(map(owner_of, t.foreign(str(drawn)))))


def drawn_has_settled(t: Table, u: Use) -> bool:
    """Another player's colour was drawn, and he has a colony outside his system."""
    return undecided(t, u) and bool(systems_away(t))


def name_defense(t: Table, u: Use) -> Steps:
    """Any other player."""
    return (yield from ask.seat_of(t, u.seat, "destiny", "Whom do you meet?", t.others(u.seat)))


def name_system(t: Table, u: Use) -> Steps:
    """One of those systems."""
    text = "In whose system do you meet {drawn}?"
    return (yield from ask.seat_of(t, u.seat, "system", text, systems_away(t), drawn=drawn_player(t)))


def name_hand(t: Table, u: Use) -> Steps:
    """Any other player's."""
    return (yield from ask.seat_of(t, u.seat, "look", "Whose hand do you look at?", t.others(u.seat)))


class Will(Alien):
    """Choice."""

    sheet = Sheet(
        id="will",
        name="Will",
        power="Choice",
        alert="green",
        short="Chooses whom and where to meet",
        who=OFFENSE,
        when=("destiny",),
        mandatory=True,
        text=(
            "As the offense, whatever destiny shows, name any other player as the defense. You may aim at any planet "
            "of his system, and anywhere else at a planet where he has a colony."
        ),
        wild=Half(
            OFFENSE,
            ("destiny",),
            "When you draw another player's colour you may meet him in any system where he has a colony.",
        ),
        super_=Half(OFFENSE, ("destiny",), "Before you name the defense, look at one other player's hand."),
    )

    @modifies("meets-anybody", who=OFFENSE)
    def always(self, t: Table, u: Use, value: bool, seat: str) -> bool:
        """What the card allows does not matter (N11)."""
        return True

    @use("destiny-chosen", who=OFFENSE, must=True, when=undecided, aim=name_defense, place=1)
    def choose(self, t: Table, u: Use) -> Steps:
        """The player now, the planet on aiming."""

        def where_he_is(planets: list[str], seat: str, defense: str = u.aim) -> list[str]:
            return planets + [planet for planet in t.foreign(defense) if planet not in planets]

        destiny.meet(t, u.aim, u.aim)
        t.attach("targets", where_he_is, power=u.power)
        return
        yield

    @wild("destiny-chosen", who=OFFENSE, when=drawn_has_settled, aim=name_system)
    def follow(self, t: Table, u: Use) -> Steps:
        """Outside his own system only where he has a colony."""
        defense = str(drawn_player(t))

        def his_colonies(planets: list[str], seat: str) -> list[str]:
            return [planet for planet in planets if t.state.planets[planet].get(defense)]

        destiny.meet(t, defense, u.aim)
        t.attach("targets", his_colonies)
        return
        yield

    @super_("destiny-chosen", who=OFFENSE, when=undecided, aim=name_hand)
    def look(self, t: Table, u: Use) -> Steps:
        """Before the choice, which is made with that knowledge."""
        hands.show_to(t, u.seat, u.aim, "will")
        return
        yield
