"""Miser: has a hoard beside its hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cosmic_net.engine import ask, drawing, hands
from cosmic_net.engine.drawing import HAND_SIZE, NewHand
from cosmic_net.engine.verbs import (
    ALL_PHASES,
    ANY,
    OFFENSE,
    Alien,
    Half,
    Sheet,
    Steps,
    Use,
    before,
    setup,
    super_,
    use,
    wild,
)

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

HIDDEN = 2


def can_renew(t: Table, u: Use) -> bool:
    """The hoard has no encounter card, and there is a new one to draw that could have one."""
    hoard = u.power.cards if u.power else []
    if hands.encounter_cards(hoard) or not (t.state.deck or t.state.discards):
        return False
    return not hoard or drawing.encounter_card_left(t)


def hand_is_at_stake(t: Table, u: Use) -> bool:
    """It is his hand that is replaced, or that pays compensation."""
    seat = u.subject.seat if isinstance(u.subject, NewHand) else u.subject.payer
    return bool(seat == u.seat)


class Miser(Alien):
    """Hoard."""

    sheet = Sheet(
        id="miser",
        name="Miser",
        power="Hoard",
        alert="green",
        short="Has a second, safe hand",
        who=ANY,
        when=ALL_PHASES,
        mandatory=False,
        text=(
            "You may play any card from your hoard instead of your hand; what would come back to the hand goes back "
            "to the hoard. Nobody else may look at it or take from it, and nothing is ever added. When no encounter "
            "card is left in it you may show it, discard it and take eight new cards as your hoard."
        ),
        wild=Half(
            ANY,
            ALL_PHASES,
            "When you take a new hand or pay compensation: lay this flare and two other cards face down until that "
            "is over. They are safe, and a new hand comes in full beside them.",
        ),
        super_=Half(OFFENSE, ("regroup",), "At the start of your encounter draw a card into the hoard."),
        setup="You are dealt two hands of eight. Look at both and lay one of them on this sheet as your hoard.",
    )
    texts: ClassVar = {
        "hoard-laid": "{seat} has a hoard of {count} cards.",
        "hoard-shown": "{seat} shows a hoard without encounter cards: {cards}.",
    }
    plays_from_sheet = True

    @setup
    def choose_hoard(self, t: Table, u: Use) -> Steps:
        """The second hand is dealt like the first; which one is kept nobody learns."""
        assert u.power is not None
        player = t.player(u.seat)
        first = [card.face for card in player.hand]
        second = [t.state.deck.pop(0) for _ in range(HAND_SIZE)]
        player.hand = []
        dealt = {"first": hands.put_in(t, u.seat, first), "second": hands.put_in(t, u.seat, second)}
        shown = [list(card) for card in dealt["second"]]
        t.say("cards-dealt", seat=u.seat, count=len(second), to=[u.seat], secret={"cards": shown})
        options = [ask.option(name, "{cards}", cards=[card.face for card in dealt[name]]) for name in dealt]
        hoard = yield from ask.pick(t, u.seat, "hoard", "Which of your two hands is the hoard?", options, "second")
        u.power.cards = dealt.pop(hoard)
        (player.hand,) = dealt.values()
        t.say("hoard-laid", seat=u.seat, count=len(u.power.cards))

    @use("any-window", "hand-check", "before-selection", who=ANY, announced=False, once=False, can=can_renew)
    def renew(self, t: Table, u: Use) -> Steps:
        """At any time; it is no use of the power, and no new hand."""
        assert u.power is not None
        old, u.power.cards = u.power.cards, []
        t.say("hoard-shown", seat=u.seat, cards=[card.face for card in old])
        yield from drawing.discard_batch(t, hands.Discard([(u.seat, card.face) for card in old]))
        yield from drawing.draw(t, u.seat, HAND_SIZE, "miser", onto=u.power)

    @wild(before("hand-replaced"), before("compensation-taken"), when=hand_is_at_stake, goes="aside")
    def hide(self, t: Table, u: Use) -> Steps:
        """As many as there are, if there are fewer than two others."""
        held = list(hands.held(t, u.seat))
        chosen = yield from ask.cards(t, u.seat, "hide", "Which cards do you lay aside?", held, HIDDEN, HIDDEN)
        hands.set_aside(t, u.seat, [card for card in held if card.id in chosen])

    @super_("regroup-start", who=OFFENSE)
    def hoard_more(self, t: Table, u: Use) -> Steps:
        """A draw like any other, but onto the sheet."""
        yield from drawing.draw(t, u.seat, 1, "miser", onto=u.power)
