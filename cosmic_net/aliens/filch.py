"""Filch: helps itself to cards that others have just used."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cosmic_net.cards import faces
from cosmic_net.engine import ask, drawing, hands
from cosmic_net.engine.state import SIDES, Card
from cosmic_net.engine.verbs import (
    ALL_PHASES,
    ANY,
    MAIN,
    Alien,
    Half,
    Sheet,
    Steps,
    Use,
    after,
    before,
    super_,
    use,
    wild,
)

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def opponent_left_card(t: Table, u: Use) -> bool:
    """The card with which the opponent ended lies in the pile."""
    return hands.used_card(t, t.opponent(u.seat)) is not None


def victims(t: Table, u: Use) -> list[str]:
    """Other main players whose used card lies in the pile."""
    mains = [t.enc.main_of(side) for side in SIDES]
    return [seat for seat in mains if seat != u.seat and hands.used_card(t, seat) is not None]


def any_victim(t: Table, u: Use) -> bool:
    """There is a used card to take."""
    return bool(victims(t, u))


def choose_victim(t: Table, u: Use) -> Steps:
    """Whose card."""
    return (yield from ask.seat_of(t, u.seat, "theft", "Whose card do you take?", victims(t, u)))


def can_be_stolen(t: Table, u: Use) -> bool:
    """A flare or artifact that is being played, his own artifact too, and that nobody has stopped yet."""
    played: Use = u.subject
    if played.card is None or played.cancelled:
        return False
    return faces.type_of(played.card.face) in (faces.FLARE, faces.ARTIFACT)


def negotiates(t: Table, seat: str) -> list[Card]:
    """The negotiates in a hand."""
    return [card for card in hands.held(t, seat) if card.face == faces.NEGOTIATE]


def has_negotiate(t: Table, u: Use) -> bool:
    """He can pay, and not only with a card that lies sealed (this flare itself may come from the hand)."""
    return bool(negotiates(t, u.seat)) and hands.size(t, u.seat) > (u.source is None)


def choose_payment(t: Table, u: Use) -> Steps:
    """Which negotiate, since one may lie sealed; none at all takes the play back."""
    text = "Which negotiate do you discard?"
    u.notes["payment"] = yield from ask.cards(t, u.seat, "pay-card", text, negotiates(t, u.seat), 0, 1)
    return u.subject.seat if u.notes["payment"] else None


class Filch(Alien):
    """Theft."""

    sheet = Sheet(
        id="filch",
        name="Filch",
        power="Theft",
        alert="green",
        short="Takes the opponent's used card",
        who=MAIN,
        when=("resolution",),
        mandatory=False,
        text=(
            "When the encounter cards have been discarded after your encounter, you may take the card your opponent "
            "ended with from the pile into your hand, won or lost."
        ),
        wild=Half(
            ANY,
            ALL_PHASES,
            "When a flare or artifact is played, discard a negotiate: that card has no effect and comes to your hand.",
        ),
        super_=Half(
            ANY,
            ("resolution",),
            "Take the used encounter card of one other player from the pile, also as a bystander.",
        ),
    )
    texts: ClassVar = {"card-stolen": "{seat} steals {card} from {victim}."}

    @use(after("cards-discarded"), who=MAIN, when=opponent_left_card)
    def steal(self, t: Table, u: Use) -> Steps:
        """The card that resolved the encounter."""
        hands.fetch_used(t, u.seat, t.opponent(u.seat))
        return
        yield

    @wild(before("card-played"), who=ANY, when=can_be_stolen, can=has_negotiate, aim=choose_payment)
    def snatch(self, t: Table, u: Use) -> Steps:
        """A stolen flare has been its player's flare, and cannot be played again in this encounter (F04, U12)."""
        played: Use = u.subject
        assert played.card is not None
        payment = [card for card in negotiates(t, u.seat) if card.id in u.notes["payment"]]
        yield from drawing.discard(t, u.seat, payment)
        played.cancelled, played.taker = True, u.seat
        t.say("card-stolen", seat=u.seat, victim=played.seat, card=played.card.face)

    @super_(after("cards-discarded"), who=ANY, when=any_victim, aim=choose_victim)
    def steal_elsewhere(self, t: Table, u: Use) -> Steps:
        """One card of one player."""
        hands.fetch_used(t, u.seat, u.aim)
        return
        yield
