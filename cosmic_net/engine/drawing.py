"""Draws, discards and new hands: moves of cards to which others react.

What moves together is a batch, and others react once to a batch (`after:cards-drawn`, `after:card-discarded`, …).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cosmic_net.cards import faces
from cosmic_net.engine import hands
from cosmic_net.engine.state import Card, Power
from cosmic_net.engine.verbs import Steps, after, before
from cosmic_net.engine.windows import window

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

HAND_SIZE = 8


@dataclass
class Draw:
    """Cards drawn together from the deck by one player; `cause` names the effect ("reward", the id of an alien, …)."""

    seat: str
    cards: list[Card]
    cause: str


@dataclass
class NewHand:
    """A hand about to be replaced (H08). Cards that an effect sets aside come back beside the new ones."""

    seat: str


@dataclass
class Reshuffle:
    """The discard pile has become the deck; it concerns nobody in particular."""

    seats: tuple[str, ...] = ()


def discard(t: Table, seat: str, cards: Sequence[Card]) -> Steps:
    """Discards cards from a hand, or from a sheet in its place (`hands.holdings`), for all to see (H09)."""
    for card in cards:
        hands.take_up(t, seat, card)
    yield from discard_batch(t, hands.Discard([(seat, card.face) for card in cards]))


def discard_batch(t: Table, batch: hands.Discard) -> Steps:
    """Lays a batch on the pile and lets others react."""
    if not batch.cards:
        return
    hands.to_pile(t, batch)
    if t.has_entries(after("card-discarded")):
        yield from window(t, after("card-discarded"), subject=batch)


def draw(t: Table, seat: str, count: int, cause: str, onto: Power | None = None) -> Steps:
    """Draws cards from the deck into the hand (or onto a sheet); returns them. Others may react once to the batch.

    An empty deck is made anew from the discards (H03); with both empty there is a cosmic quake (H04), after which
    this draw is over.
    """
    drawn: list[Card] = []
    for _ in range(count):
        if not t.state.deck and not (yield from _renew_deck(t)):
            break
        card = Card(t.card_id(), t.state.deck.pop(0))
        (t.player(seat).hand if onto is None else onto.cards).append(card)
        drawn.append(card)
    if drawn:
        shown = [list(card) for card in drawn]
        t.say("cards-drawn", seat=seat, count=len(drawn), cause=cause, to=[seat], secret={"cards": shown})
        yield from _react(t, "cards-drawn", Draw(seat, drawn, cause))
    return drawn


def _renew_deck(t: Table) -> Steps:
    """Makes a new deck; returns whether the draw can go on."""
    state = t.state
    if state.discards:
        state.deck, state.discards = state.discards, []
        t.rng.shuffle(state.deck)
        t.say("deck-reshuffled", count=len(state.deck))
        yield from _react(t, "deck-reshuffled", Reshuffle())
        return bool(state.deck) or (yield from _renew_deck(t))
    if state.encounter is None or not any(hands.sealed_count(t, seat) for seat in state.seats):
        cosmic_quake(t)
    return False


def cosmic_quake(t: Table) -> None:
    """Both deck and discards are gone (H04): all hands are shuffled and dealt anew, eight each or evenly.

    While a card lies sealed the quake waits (nobody can say which card of that hand stays out of it), and the draw
    that would have caused it gets nothing.
    """
    state = t.state
    state.deck = [card.face for player in state.players.values() for card in player.hand]
    t.rng.shuffle(state.deck)
    seats = list(state.seats)
    share = HAND_SIZE if len(state.deck) >= HAND_SIZE * len(seats) else len(state.deck) // (len(seats) + 1)
    t.say("cosmic-quake", count=len(state.deck), share=share)
    for seat in seats:
        state.players[seat].hand = []
        dealt, state.deck = state.deck[:share], state.deck[share:]
        cards = hands.put_in(t, seat, dealt)
        t.say("cards-dealt", seat=seat, count=share, to=[seat], secret={"cards": [list(card) for card in cards]})


def new_hand(t: Table, seat: str, cause: str) -> Steps:
    """A new hand (H08): all cards shown and discarded, eight drawn, until there is an encounter card.

    If no encounter card is left to be drawn, the player keeps what there is (U26).
    """
    change = NewHand(seat)
    yield from window(t, before("hand-replaced"), subject=change)
    while True:
        old = list(hands.held(t, seat))
        t.say("hand-shown", seat=seat, cards=[card.face for card in old], cause=cause)
        t.player(seat).hand = []
        yield from discard_batch(t, hands.Discard([(seat, card.face) for card in old]))
        drawn = yield from draw(t, seat, HAND_SIZE, cause)
        if len(drawn) < HAND_SIZE or hands.encounter_cards(drawn) or not encounter_card_left(t):
            break
    hands.bring_back(t, seat)
    yield from _react(t, "hand-replaced", change)


def encounter_card_left(t: Table) -> bool:
    """Whether an encounter card can still be drawn, now or after a reshuffle."""
    return any(faces.is_encounter(face) for face in t.state.deck + t.state.discards)


def _react(t: Table, event: str, subject: Any) -> Steps:
    if t.has_entries(after(event)):
        yield from window(t, after(event), subject=subject)
