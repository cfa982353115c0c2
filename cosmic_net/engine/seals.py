"""Sealed cards in play: selecting is a commitment, revealing is its opening.

The host never learns which card of a hand is sealed before it is opened. A card that was not there, an opening that
does not match and one that never comes are all the same: that player forfeits the encounter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cosmic_net.cards import faces
from cosmic_net.engine import ask, drawing, hands, sealing
from cosmic_net.engine import decisions as kinds
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.errors import EncounterEnds
from cosmic_net.engine.state import DEFENSE, OFFENSE, SIDES, Card, EncounterCard, Power, Sealed, other_side
from cosmic_net.engine.verbs import Ask, Steps, Use, before
from cosmic_net.engine.windows import FROM_SHEET, use_power, window

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


class Revealing:
    """A player about to open his card after the opponent; an effect may claim a face instead (`claim`).

    seat and side: whose card it is (the side it now stands on); claim: the face that stands for the card, which then
    is opened to the host alone.
    """

    def __init__(self, seat: str, side: str) -> None:
        self.seat = seat
        self.side = side
        self.claim: str | None = None


# ---- sealing


def seal(t: Table, seats: Sequence[str], forced: Mapping[str, int]) -> Steps:
    """Asks these main players for their sealed cards, all at once; cards on sheets are a use and are asked for next.

    What is sealed from a hand lies on the table before anybody can answer the use of a sheet.
    Who has no encounter card at all, since there is none left to draw, is not asked and seals nothing (U26).
    """
    barred: set[int] = set()
    group = t.count("group")
    asked = {seat: _ask_from_hand(t, seat, forced, barred, group) for seat in seats}
    real = tuple(decision for decision in asked.values() if decision.bounds["cards"] or decision.bounds["options"])
    answers = (yield Ask(real)) if real else {}
    chosen = {seat: answers.get(decision.id) for seat, decision in asked.items()}
    for seat in sorted(asked, key=lambda seat: ("option" in (chosen[seat] or ()), t.order().index(seat))):
        yield from _settle(t, seat, asked[seat], chosen[seat], forced, barred)


def _ask_from_hand(
    t: Table, seat: str, forced: Mapping[str, int], barred: set[int], group: int | None = None
) -> Decision:
    cards = hands.encounter_cards(hands.held(t, seat))
    must = [card for card in cards if card.id == forced.get(seat)]
    cards = must or t.number("sealable", cards, seat=seat)
    sources = [] if must else [power for power in hands.sheet_sources(t, seat) if hands.encounter_cards(power.cards)]
    sources = [power for power in sources if power.uid not in barred]
    options = [ask.option(power.id, "play from {alien}", alien=power.id) for power in sources]
    return _seal_decision(t, seat, cards, options, group)


def _seal_decision(
    t: Table, seat: str, cards: Sequence[Card], options: list[dict[str, Any]], group: int | None = None
) -> Decision:
    t.enc.attempt += 1
    key = t.setup.keys.get(seat, b"")
    context = sealing.context(t.state.game_id, t.enc.number, t.enc.attempt, seat, key)
    bounds = {"cards": [list(card) for card in cards], "options": options, "context": context}
    return ask.make(t, seat, kinds.SEAL, "select", "Which card do you play?", bounds, None, group=group)


def rekey(decision: Decision, key: bytes) -> None:
    """An open question for a sealed card is from now on put to another key."""
    bounds: Any = decision.bounds
    bounds["context"] = {**bounds["context"], "key": key}


def _settle(t: Table, seat: str, decision: Decision, answer: Any, forced: Mapping[str, int], barred: set[int]) -> Steps:
    """Lays the sealed card down; a choice of a sheet is used first, and asked again without it if it is stopped."""
    source: Power | None = None
    while answer is not None and "option" in answer:
        power = t.power_of(seat, answer["option"])
        assert power is not None
        if (yield from use_power(t, Use(seat, FROM_SHEET, power=power))):
            source = power
            decision = _seal_decision(t, seat, hands.encounter_cards(power.cards), [])
        else:
            barred.add(power.uid)
            yield from _hand_after_all(t, seat)
            decision = _ask_from_hand(t, seat, forced, barred)
        answer = yield from ask.one(t, decision)
    side = OFFENSE if seat == t.enc.offense else DEFENSE
    commitment = None if answer is None else answer["commitment"]
    signature = b"" if answer is None else answer["signature"]
    context = dict(decision.bounds["context"])
    allowed = frozenset(card[0] for card in decision.bounds["cards"])
    t.enc.sealed[side] = Sealed(seat, commitment, context, allowed, source, signature)
    on_sheet = source.id if source else None
    t.say("card-sealed", seat=seat, commitment=commitment, source=on_sheet)


def _hand_after_all(t: Table, seat: str) -> Steps:
    """The sheet cannot be played from: P20 and P21 are looked at anew."""
    if hands.has_encounter_card(t, seat):
        return
    if seat == t.enc.offense:
        raise EncounterEnds("cut", turn_over=True)
    yield from drawing.new_hand(t, seat, "defense")


def exchange(t: Table) -> None:
    """The two selected cards change sides, unseen: each is still opened by the player who sealed it.

    From now on everything follows the card on each side. A card that lies open already moves as well.
    """
    enc = t.enc
    enc.sealed = {side: enc.sealed[other_side(side)] for side in SIDES}
    enc.cards = {side: enc.cards[other_side(side)] for side in SIDES if other_side(side) in enc.cards}
    for side, card in enc.cards.items():
        show(t, side, card.face)
    t.say("cards-exchanged", seats=[enc.main_of(side) for side in SIDES])


# ---- opening


def lay_open(t: Table, side: str) -> Steps:
    """The card of one side is opened for all before the other side selects; it is not yet revealed."""
    seal_ = t.enc.sealed[side]
    last = t.number("opens-last", False, seat=seal_.seat)
    if last:
        yield from _claim_or_open(t, side)
    else:
        yield from open_(t, [side])
    if side in t.enc.cards:
        t.say("card-laid-open", seat=seal_.seat, card=t.enc.cards[side].face)


def open_all(t: Table) -> Steps:
    """Opens what is still sealed: both at once, except a card whose player opens last by an effect."""
    waiting = [side for side in SIDES if side not in t.enc.cards and t.enc.sealed[side].seat not in t.enc.forfeits]
    late = [side for side in waiting if t.number("opens-last", False, seat=t.enc.sealed[side].seat)]
    yield from open_(t, [side for side in waiting if side not in late])
    for side in late:
        yield from _claim_or_open(t, side)


def _claim_or_open(t: Table, side: str) -> Steps:
    seal_ = t.enc.sealed[side]
    revealing = Revealing(seal_.seat, side)
    yield from window(t, before("cards-revealed"), subject=revealing)
    if side in t.enc.cards or seal_.forfeited:
        return  # the effect itself had it opened
    yield from open_(t, [side], private=revealing.claim is not None)
    if revealing.claim is not None and side in t.enc.cards:
        card = t.enc.cards[side]
        card.hidden = True
        show(t, side, revealing.claim)


def open_(t: Table, sides: Sequence[str], private: bool = False) -> Steps:
    """Asks for the openings of these sides together and checks them; `private` ones nobody but the host hears."""
    asked: dict[str, Decision] = {}
    group = t.count("group")
    for side in sides:
        seal_ = t.enc.sealed[side]
        if seal_.commitment is None:
            _forfeit(t, seal_, "never selected")
            continue
        bounds = {"context": seal_.context, "commitment": seal_.commitment}
        asked[side] = ask.make(
            t,
            seal_.seat,
            kinds.OPEN,
            "open",
            "Open your card.",
            bounds,
            None,
            group=group,
            clock=kinds.OPENING_CLOCK,
        )
    if not asked:
        return
    answers = yield Ask(tuple(asked.values()))
    for side, decision in asked.items():
        _check(t, side, answers[decision.id], private)


def _check(t: Table, side: str, answer: Mapping[str, Any] | None, private: bool) -> None:
    seal_ = t.enc.sealed[side]
    assert seal_.commitment is not None
    if answer is None:
        _forfeit(t, seal_, "never opened")
        return
    card_id, nonce = answer["card"], answer["nonce"]
    pile = hands.held(t, seal_.seat) if seal_.source is None else seal_.source.cards
    card = next((card for card in pile if card.id == card_id), None)
    if not sealing.check(seal_.context, seal_.commitment, card_id, nonce):
        _forfeit(t, seal_, "opened another card")
        return
    if card is None or card_id not in seal_.allowed:
        _forfeit(t, seal_, "sealed a card that he could not select")
        return
    pile.remove(card)
    seal_.opened = card
    t.enc.cards[side] = EncounterCard(seal_.seat, card, card.face, faces.type_of(card.face))
    show(t, side, card.face)
    opened = {"card": card.id, "face": card.face, "nonce": nonce, "commitment": seal_.commitment}
    if private:
        t.say("card-opened-unseen", seat=seal_.seat)
    else:
        t.say("card-opened", seat=seal_.seat, side=side, **opened)


def _forfeit(t: Table, seal_: Sealed, why: str) -> None:
    seal_.forfeited = True
    t.enc.forfeits.add(seal_.seat)
    t.say("forfeited", seat=seal_.seat, why=why)


def give_up(t: Table) -> Steps:
    """Whoever forfeited discards the best card that he could have selected: not to open must never save a card."""
    batch = hands.Discard()
    for seal_ in (t.enc.sealed[side] for side in SIDES if t.enc.sealed[side].forfeited):
        pile = hands.held(t, seal_.seat) if seal_.source is None else seal_.source.cards
        best = max((card for card in pile if card.id in seal_.allowed), key=_rank, default=None)
        if best is not None:
            pile.remove(best)
            batch.cards.append((seal_.seat, best.face))
    yield from drawing.discard_batch(t, batch)


def _rank(card: Card) -> tuple[int, int]:
    """The highest attack before a morph, and that before a negotiate."""
    kind = faces.type_of(card.face)
    order = (faces.NEGOTIATE, faces.MORPH, faces.ATTACK).index(kind)
    return order, faces.number(card.face) if kind == faces.ATTACK else 0


def show(t: Table, side: str, face: str) -> None:
    """Makes the card of a side show a face: type, and value after a reversal that holds for all cards (V11)."""
    card = t.enc.cards[side]
    card.face, card.kind = face, faces.type_of(face)
    number = faces.number(face) if card.kind == faces.ATTACK else 0
    card.value = t.number("face-value", number, side=side, face=face)
