"""Trader: trades its hand for the opponent's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import ask, drawing, hands
from cosmic_net.engine.verbs import MAIN, Alien, Half, Sheet, Steps, Use, super_, use, wild
from cosmic_net.engine.windows import use_part, was_used

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def may_trade(t: Table, u: Use) -> bool:
    """An offense without encounter card may not; a defense takes a new hand first."""
    return u.seat != t.enc.offense or hands.has_encounter_card(t, u.seat)


def not_traded_yet(t: Table, u: Use) -> bool:
    """The power was not used in this encounter."""
    return not was_used(t, u, "trade")


def find_partner(t: Table, u: Use) -> Steps:
    """The opponent, or whom a super names; the new hand of the defense comes before the announcement."""
    if not hands.has_encounter_card(t, u.seat):
        yield from drawing.new_hand(t, u.seat, "defense")
    if not hands.has_encounter_card(t, u.seat):
        return None
    return u.notes.get("partner", t.opponent(u.seat))


def choose_partner(t: Table, u: Use) -> Steps:
    """Any one player."""
    return (yield from ask.seat_of(t, u.seat, "trade-with", "With whom do you trade hands?", t.others(u.seat)))


def opponent_has_cards(t: Table, u: Use) -> bool:
    """The opponent has a card to take."""
    return hands.size(t, t.opponent(u.seat)) > 0


class Trader(Alien):
    """Transference."""

    sheet = Sheet(
        id="trader",
        name="Trader",
        power="Transference",
        alert="green",
        short="Trades hands with the opponent",
        who=MAIN,
        when=("planning",),
        mandatory=False,
        text=(
            "Before cards are selected you may trade your whole hand for your opponent's, for good. A hand without "
            "encounter card may not be given away: as the defense take a new hand first; as the offense you cannot "
            "trade then."
        ),
        wild=Half(
            MAIN,
            ("alliance",),
            "Before allies are invited take a card at random from your opponent's hand, then give him one of yours, "
            "perhaps the same.",
        ),
        super_=Half(MAIN, ("planning",), "Trade hands with any one player instead."),
    )

    @use("before-selection", who=MAIN, can=may_trade, aim=find_partner)
    def trade(self, t: Table, u: Use) -> Steps:
        """What lies on the table or on a sheet is in no hand."""
        hands.trade_hands(t, u.seat, u.aim, "trader")
        return
        yield

    @wild("before-invitations", who=MAIN, when=opponent_has_cards)
    def swap_one(self, t: Table, u: Use) -> Steps:
        """This flare lies on the table, and cannot be given."""
        opponent = t.opponent(u.seat)
        hands.give(t, opponent, u.seat, hands.random_cards(t, opponent, 1), "trader")
        held = list(hands.held(t, u.seat))
        chosen = yield from ask.cards(
            t, u.seat, "give", "Which card do you give to {receiver}?", held, receiver=opponent
        )
        hands.give(t, u.seat, opponent, [card for card in held if card.id in chosen], "trader")

    @super_("before-selection", who=MAIN, when=not_traded_yet, can=may_trade, aim=choose_partner)
    def trade_with_any(self, t: Table, u: Use) -> Steps:
        """This flare lies on the table, and comes back to its player."""
        yield from use_part(t, u, "trade", partner=u.aim)
