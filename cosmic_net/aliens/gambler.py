"""Gambler: says what its card is, and may lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cosmic_net.cards import decks, faces
from cosmic_net.engine import ask, seals, ships
from cosmic_net.engine.phases import reveal
from cosmic_net.engine.seals import Revealing
from cosmic_net.engine.state import other_side
from cosmic_net.engine.verbs import (
    MAIN,
    OWN,
    Alien,
    Half,
    Sheet,
    Steps,
    Use,
    after,
    modifies,
    replaces,
    super_,
    wild,
)
from cosmic_net.engine.windows import window

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

CLAIMS = (*(f"attack-{value:02}" for value in decks.ATTACKS), faces.NEGOTIATE, faces.MORPH)
HIGHEST_SPREAD = 99
HIGHEST_STAKE = 20


def cards_are_there(t: Table, u: Use) -> bool:
    """He has laid a card, and the opponent's is up, or still to be selected (Oracle)."""
    revealing: Revealing = u.subject
    return t.enc.sealed[revealing.side].commitment is not None and t.opponent(u.seat) not in t.enc.forfeits


def choose_claim(t: Table, u: Use) -> Steps:
    """Any card that the deck has, true or not."""
    options = [ask.option(face, "{card}", card=face) for face in CLAIMS]
    return (yield from ask.pick(t, u.seat, "claim", "What do you say your card is?", options))


def choose_spread(t: Table, u: Use) -> Steps:
    """Any number, for all to hear."""
    u.notes["spread"] = yield from ask.declare(t, u.seat, "spread", "Which spread do you call?", 1, HIGHEST_SPREAD, 1)
    return str(u.notes["spread"])


def choose_stake(t: Table, u: Use) -> Steps:
    """More than he owns may be staked."""
    text = "How many further ships are at risk?"
    u.notes["stake"] = yield from ask.declare(t, u.seat, "stake", text, 1, HIGHEST_STAKE, 1)
    return str(u.notes["stake"])


def settle_challenge(t: Table, u: Use) -> Steps:
    """The card is turned up; whoever is wrong loses ships from outside the encounter, then the real cards count."""
    revealing: Revealing = u.subject
    yield from seals.open_(t, [revealing.side])
    card = t.enc.cards.get(revealing.side)  # none if it could not be opened: that is no proof
    wrong = t.opponent(u.seat) if card is not None and card.face == u.aim else u.seat
    t.say("claim-false" if wrong == u.seat else "claim-true", seat=wrong)
    count = t.ships_in_encounter(wrong) + u.notes.get("stake", 0)
    text = "You were wrong. Which {count} ships do you lose?"
    lost = yield from ask.ships(t, wrong, "lose", text, ships.elsewhere(t, wrong), count, count, count=count)
    yield from ships.lose(t, {wrong: lost}, "gambler")


class Gambler(Alien):
    """Bluff."""

    sheet = Sheet(
        id="gambler",
        name="Gambler",
        power="Bluff",
        alert="red",
        short="Bluffs about its card",
        who=MAIN,
        when=("reveal",),
        mandatory=False,
        text=(
            "When your opponent's card is up you may leave yours face down and say what it is, true or not. If he "
            "accepts, it is taken for true, and your card goes unseen under the deck at the end. If he challenges, "
            "it is turned up: for a lie you lose as many ships as you have in the encounter, for the truth he loses "
            "as many as he has, each from elsewhere. A card that you must show early may be claimed then."
        ),
        wild=Half(
            MAIN,
            ("reveal",),
            "Before cards are revealed call a number. If both are attacks and differ by at least that, add it to your "
            "card.",
        ),
        super_=Half(
            MAIN,
            ("reveal",),
            "When you have said what your card is, put one to twenty further ships at risk: whoever is wrong loses "
            "that many more.",
        ),
        excludes=("sorcerer",),
    )
    texts: ClassVar = {
        "claim-made": "{seat} says that the card is {card}.",
        "stake-raised": "{seat} puts {count} further ships at risk.",
        "claim-accepted": "{seat} accepts that.",
        "claim-challenged": "{seat} challenges that.",
        "claim-true": "It was true: {seat} is wrong.",
        "claim-false": "It was a lie of {seat}.",
        "spread-called": "{seat} calls a spread of {count}.",
        "spread-won": "The cards are {count} apart or more: {count} more for {seat}'s card.",
    }

    @modifies("opens-last", who=MAIN)
    def wait(self, t: Table, u: Use, value: bool, seat: str) -> bool:
        """His card stays down until he has decided."""
        return value or seat == u.seat

    @replaces("cards-revealed", who=OWN, when=cards_are_there, aim=choose_claim)
    def bluff(self, t: Table, u: Use) -> Steps:
        """The opponent alone accepts or challenges."""
        revealing: Revealing = u.subject
        opponent = t.opponent(u.seat)
        t.say("claim-made", seat=u.seat, card=u.aim)
        yield from window(t, after("claim-made"), subject=u)
        if u.power is None or not t.works(u.power):
            return  # zapped with the super: the card is turned up normally
        options = [ask.option("accept", "accept it"), ask.option("challenge", "challenge it")]
        text = "{opponent} says that the card is {card}. Is it?"
        answer = yield from ask.pick(
            t, opponent, "believe", text, options, default="accept", opponent=u.seat, card=u.aim
        )
        if answer == "accept":
            t.say("claim-accepted", seat=opponent)
            revealing.claim = u.aim
        else:
            t.say("claim-challenged", seat=opponent)
            yield from settle_challenge(t, u)

    @super_(after("claim-made"), who=OWN, aim=choose_stake)
    def raise_stake(self, t: Table, u: Use) -> Steps:
        """On top of the penalty, for either."""
        u.subject.notes["stake"] = u.notes["stake"]
        t.say("stake-raised", seat=u.seat, count=u.notes["stake"])
        return
        yield

    @wild("after-selection", who=MAIN, aim=choose_spread)
    def call_spread(self, t: Table, u: Use) -> Steps:
        """Looked at among the effects planned before the reveal, and raises the card, not the total."""
        spread = u.notes["spread"]
        t.say("spread-called", seat=u.seat, count=spread)

        def add(t: Table) -> None:
            cards = t.enc.cards
            own = cards[str(t.enc.side_of(u.seat))]
            other = cards[other_side(str(t.enc.side_of(u.seat)))]
            if reveal.both_are(t, faces.ATTACK) and abs(own.value - other.value) >= spread:
                own.value += spread
                t.say("spread-won", seat=u.seat, count=spread)

        reveal.plan(t, u.seat, add)
        return
        yield
