"""Mirror: swaps the digits of attack cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cosmic_net.cards import faces
from cosmic_net.engine import ask
from cosmic_net.engine.phases import reveal
from cosmic_net.engine.state import SIDES, other_side
from cosmic_net.engine.verbs import MAIN, Alien, Half, Sheet, Steps, Use, super_, use, wild
from cosmic_net.engine.windows import use_part, was_used

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def not_called_yet(t: Table, u: Use) -> bool:
    """No reversal has been called in this encounter."""
    return not was_used(t, u, "reverse")


def cards_differ(t: Table, u: Use) -> bool:
    """A duplicate would change something."""
    one, other = (t.enc.cards[side] for side in SIDES)
    return (one.face, one.kind, one.value) != (other.face, other.kind, other.value)


def choose_card(t: Table, u: Use) -> Steps:
    """Whose card alone is to be changed."""
    options = [ask.option(seat, "{seat}", seat=seat) for seat in (u.seat, t.opponent(u.seat))]
    return (yield from ask.pick(t, u.seat, "reverse", "Whose card alone is reversed?", options))


def swapped(number: int) -> int:
    """The number with its two digits swapped: 15 is 51, 20 is 2, 8 is 80."""
    return int(f"{number:02}"[::-1])


class Mirror(Alien):
    """Reversal."""

    sheet = Sheet(
        id="mirror",
        name="Mirror",
        power="Reversal",
        alert="yellow",
        short="Swaps the digits of attack cards",
        who=MAIN,
        when=("planning",),
        mandatory=False,
        text=(
            "When cards are selected you may call a reversal: the two digits of both main players' attacks are "
            "swapped when they are revealed (15 becomes 51, 08 becomes 80)."
        ),
        wild=Half(
            MAIN, ("reveal",), "After the reveal your encounter card becomes a duplicate of your opponent's card."
        ),
        super_=Half(MAIN, ("planning",), "Call a reversal that changes your card only, or your opponent's only."),
    )
    texts: ClassVar = {"digits-swapped": "The digits of {seats}'s attack are swapped."}

    @use("after-selection", who=MAIN)
    def reverse(self, t: Table, u: Use) -> Steps:
        """Works among the effects planned before the reveal, and holds for cards that come in later (V11)."""
        sides = u.notes.get("sides", SIDES)

        def turn(number: int, side: str, face: str) -> int:
            return swapped(number) if side in sides else number

        def swap(t: Table) -> None:
            if u.power is None or not t.works(u.power):
                return
            turned = [side for side in sides if t.enc.cards[side].kind == faces.ATTACK]
            for side in turned:
                card = t.enc.cards[side]
                card.value += swapped(faces.number(card.face)) - faces.number(card.face)
            t.attach("face-value", turn, power=u.power)
            if turned:
                t.say("digits-swapped", seats=[t.enc.main_of(side) for side in turned])

        reveal.plan(t, u.seat, swap)
        return
        yield

    @wild("after-reveal", who=MAIN, when=cards_differ)
    def duplicate(self, t: Table, u: Use) -> Steps:
        """Type and face of the opponent's card, without changes of its value."""
        side = str(t.enc.side_of(u.seat))
        model = t.enc.cards[other_side(side)]
        reveal.replace_face(t, side, model.face)
        t.enc.cards[side].kind = model.kind
        return
        yield

    @super_("after-selection", who=MAIN, when=not_called_yet, aim=choose_card)
    def reverse_one(self, t: Table, u: Use) -> Steps:
        """The side is named before anybody sees a card."""
        yield from use_part(t, u, "reverse", sides=[t.enc.side_of(u.aim)])
