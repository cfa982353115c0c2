"""Philanthropist: gives cards away, whether they are wanted or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cosmic_net.cards import faces
from cosmic_net.engine import ask, drawing, hands, powers, ships
from cosmic_net.engine.phases.planning import Selection
from cosmic_net.engine.state import SIDES, Card
from cosmic_net.engine.verbs import (
    ANY,
    MAIN,
    MAIN_OR_ALLY,
    Alien,
    Half,
    Sheet,
    Steps,
    Use,
    before,
    super_,
    use,
    wild,
)

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def has_cards(t: Table, u: Use) -> bool:
    """There is a card to give."""
    return hands.size(t, u.seat) > 0


def choose_receiver(t: Table, u: Use) -> Steps:
    """The opponent; an ally chooses one of the main players."""
    seats = [seat for seat in map(t.enc.main_of, SIDES) if seat != u.seat]
    return (yield from ask.seat_of(t, u.seat, "give-to", "To whom do you give a card?", seats))


class Gift(NamedTuple):
    """A card given in this encounter; nobody but the two knows it."""

    giver: str
    receiver: str
    card: Card


def has_given(t: Table, u: Use) -> bool:
    """He has given a card in this encounter."""
    gift: Gift | None = t.enc.facts.get("gift")
    return gift is not None and gift.giver == u.seat


def gave_encounter_card(t: Table, u: Use) -> bool:
    """The card was an encounter card, as the giver knows."""
    return faces.is_encounter(t.enc.facts["gift"].card.face)


def can_lend(t: Table, u: Use) -> bool:
    """He has a power that works, and a ship to pay with."""
    return any(map(t.works, t.player(u.seat).powers)) and bool(ships.outside_warp(t, u.seat))


def choose_borrower(t: Table, u: Use) -> Steps:
    """Any other player; he cannot refuse."""
    text = "To whom do you lend your power?"
    return (yield from ask.seat_of(t, u.seat, "lend-to", text, t.others(u.seat)))


class Philanthropist(Alien):
    """Giving."""

    sheet = Sheet(
        id="philanthropist",
        name="Philanthropist",
        power="Giving",
        alert="yellow",
        short="Gives cards to main players",
        who=MAIN_OR_ALLY,
        when=("alliance",),
        mandatory=False,
        text=(
            "When alliances are formed you may give one card from your hand to your opponent or, as an ally, to "
            "either main player. If you are a main player and have no encounter card then, you take a new hand."
        ),
        wild=Half(
            ANY,
            ("regroup",),
            "At the start of any encounter: pay a ship and lend your power to another player, who has it instead of "
            "his own until the encounter ends.",
        ),
        super_=Half(
            MAIN_OR_ALLY,
            ("planning",),
            "If the card you gave was an encounter card: its receiver must select it, if he can.",
        ),
    )

    @use("alliances-formed", who=MAIN_OR_ALLY, when=has_cards, aim=choose_receiver)
    def give(self, t: Table, u: Use) -> Steps:
        """Nobody but the two sees the card."""
        held = list(hands.held(t, u.seat))
        chosen = yield from ask.cards(t, u.seat, "give", "Which card do you give to {receiver}?", held, receiver=u.aim)
        gift = [card for card in held if card.id in chosen]
        for card in hands.give(t, u.seat, u.aim, gift, "philanthropist"):
            t.enc.facts["gift"] = Gift(u.seat, u.aim, card)
        if t.is_role(u.seat, MAIN) and not hands.has_encounter_card(t, u.seat):
            yield from drawing.new_hand(t, u.seat, "philanthropist")

    @wild("regroup-start", when=can_lend, aim=choose_borrower)
    def lend(self, t: Table, u: Use) -> Steps:
        """The ship is paid first; all that lies on the sheet goes along, and comes back with it."""
        yield from ships.pay(t, u.seat, "philanthropist")
        powers.lend(t, u.seat, u.aim)

    @super_(before("cards-selected"), who=MAIN_OR_ALLY, when=has_given, can=gave_encounter_card)
    def force(self, t: Table, u: Use) -> Steps:
        """Binds him if he still holds that very card."""
        gift: Gift = t.enc.facts["gift"]
        selection: Selection = u.subject
        selection.forced[gift.receiver] = gift.card.id
        return
        yield
