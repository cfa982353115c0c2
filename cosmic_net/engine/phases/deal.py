"""Deals: the bargaining of two negotiating players, and carrying out what they agreed (O40 to O53)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cosmic_net.cards import faces
from cosmic_net.engine import ask, hands, ships
from cosmic_net.engine import decisions as kinds
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.phases import cleanup
from cosmic_net.engine.state import SIDES, Card
from cosmic_net.engine.terms import cards_in
from cosmic_net.engine.verbs import HOLDS, Ask, Steps, Use, before
from cosmic_net.engine.windows import window

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

PENALTY = 3


@dataclass
class Agreement:
    """A deal that was agreed and not yet carried out; `cancelled` by an effect that stops it."""

    seats: list[str]
    terms: dict[str, Any]
    cancelled: bool = False


def bargain(t: Table) -> Steps:
    """O40 to O42: allies go home, then the main players talk; returns "deal" or "deal-failed"."""
    enc = t.enc
    yield from cleanup.ships_home(t, allies_only=True)
    enc.allies.clear()
    one, other = (enc.main_of(side) for side in SIDES)
    t.say("deal-opened", seats=[one, other])
    timer = t.count("group")
    offers: dict[str, dict[str, Any]] = {}
    while True:
        decisions = _ask_both(t, one, other, offers, timer)
        answers = yield Ask(tuple(decisions), enough=_somebody_spoke)
        for decision in decisions:
            if (answer := answers.get(decision.id)) is None:
                continue
            seat = decision.seat
            if "offer" in answer:
                offers[seat] = {"id": decision.id, "by": seat, "terms": answer["offer"]}
                t.say("deal-offered", seat=seat, partner=other if seat == one else one, terms=answer["offer"])
            elif "accept" in answer:
                partner = other if seat == one else one
                enc.facts["terms"] = offers[partner]["terms"]
                t.say("deal-agreed", seats=[one, other], terms=enc.facts["terms"])
                return "deal"
            else:
                t.say("deal-refused", seat=seat)
                return "deal-failed"
        if not _somebody_spoke(answers):
            t.say("deal-timeout", seats=[one, other])
            return "deal-failed"


def _somebody_spoke(answers: Mapping[int, Any]) -> bool:
    """Whether there is an answer; time that has run out leaves none."""
    return any(answer is not None for answer in answers.values())


def _ask_both(t: Table, one: str, other: str, offers: Mapping[str, dict[str, Any]], timer: int) -> list[Decision]:
    group = t.count("group")
    extras = _extras(t, one) | _extras(t, other)
    decisions = []
    for me, partner in ((one, other), (other, one)):
        bounds = {
            "me": me,
            "partner": partner,
            "my_colonies": _givable(t, me, partner),
            "their_colonies": _givable(t, partner, me),
            "my_cards": [list(card) for card in hands.held(t, me)],
            "their_hand": hands.size(t, partner),
            "extras": extras,
            "offers": list(offers.values()),
        }
        text = "Make a deal with {partner}."
        decisions.append(
            ask.make(
                t, me, kinds.DEAL, "deal", text, bounds, None,
                group=group, timer=timer, clock=kinds.DEAL_CLOCK, args={"partner": partner},
            )
        )  # fmt: skip
    return decisions


def _givable(t: Table, giver: str, taker: str) -> list[str]:
    """Planets where the giver has a colony and the taker has none (O43, O45)."""
    return [planet for planet in t.colonies(giver) if not t.state.planets[planet].get(taker)]


def _extras(t: Table, seat: str) -> dict[str, dict[str, int]]:
    return {
        value.name: value.limits(t, Use(seat, HOLDS, power=power))
        for power, value in _terms_of(t, seat)
        if value.limits is not None
    }


def _terms_of(t: Table, seat: str) -> list[Any]:
    return [mark for name in t.deal_term_names() for mark in t.values("deal_term", name, seat)]


# ---- carrying out


def settle(t: Table) -> Steps:
    """The result of the talks in Resolution: an agreement is carried out unless it is stopped or cannot be met."""
    enc = t.enc
    seats = [enc.main_of(side) for side in SIDES]
    if enc.result == "deal":
        agreement = Agreement(seats, enc.facts["terms"])
        yield from window(t, before("deal-agreed"), subject=agreement)
        if agreement.cancelled or not deliverable(t, seats, agreement.terms):
            t.say("deal-undone", seats=seats, cancelled=agreement.cancelled)
            enc.result, enc.success = "deal-failed", False
        else:
            yield from _carry_out(t, seats, agreement.terms)
    if enc.result == "deal-failed":
        yield from _penalty(t, seats)
    yield from window(t, "extra-losses")
    yield from cleanup.ships_home(t)


def deliverable(t: Table, seats: list[str], terms: Mapping[str, Any]) -> bool:
    """Whether every term can be met (O50): the cards are there, and whoever gets a colony has a ship to place."""
    for giver, taker in (seats, reversed(seats)):
        gift = terms.get(giver, {})
        if not _has(hands.held(t, giver), gift):
            return False
        if gift.get("colony"):
            planet = gift["colony"]
            there = t.state.planets[planet]
            if not there.get(giver) or there.get(taker) or not ships.outside_warp(t, taker):
                return False
    return True


def _has(hand: list[Card], gift: Mapping[str, Any]) -> bool:
    """Whether a hand has what a gift names, each card counted once; named cards first, then types, then any."""
    if cards_in(gift) > len(hand):
        return False
    left = [card.face for card in hand]
    for face in gift.get("faces", ()):
        if face not in left:
            return False
        left.remove(face)
    return all(
        sum(faces.type_of(face) == kind for face in left) >= count for kind, count in gift.get("types", {}).items()
    )


def _carry_out(t: Table, seats: list[str], terms: Mapping[str, Any]) -> Steps:
    """O44 to O49: cards change hands together, then colonies are placed together, then further terms."""
    gifts = {}
    for giver in seats:
        gifts[giver] = yield from _pick_cards(t, giver, terms.get(giver, {}))
    for giver, taker in (seats, reversed(seats)):
        hands.give(t, giver, taker, gifts[giver], "deal")
    landings = {}
    for giver, taker in (seats, reversed(seats)):
        planet = terms.get(giver, {}).get("colony")
        if planet:
            places = ships.outside_warp(t, taker)
            text = "How many ships do you put on {planet}, and from where?"
            chosen = yield from ask.ships(t, taker, "deal-ships", text, places, 1, sum(places.values()), planet=planet)
            landings[taker] = (planet, ships.take(t, taker, chosen))
    yield from ships.land(t, landings)
    for seat in seats:
        for power, value in _terms_of(t, seat):
            if counts := terms.get(value.name):
                yield from value.effect(t, Use(seat, HOLDS, power=power), counts)
                break
    t.say("deal-done", seats=seats)


def _pick_cards(t: Table, giver: str, gift: Mapping[str, Any]) -> Steps:
    """The cards of a gift: those named, then of each type and of any kind by the giver's choice, then at random."""
    left = list(hands.held(t, giver))
    chosen: list[Card] = []

    def move(cards: list[Card]) -> None:
        for card in cards:
            left.remove(card)
            chosen.append(card)

    for face in gift.get("faces", ()):
        move([next(card for card in left if card.face == face)])
    for kind, count in gift.get("types", {}).items():
        of_kind = [card for card in left if faces.type_of(card.face) == kind]
        text = "Which {kind} cards do you give?"
        picked = yield from ask.cards(t, giver, "give", text, of_kind, count, count, kind=kind)
        move([card for card in of_kind if card.id in picked])
    if count := gift.get("choice", 0):
        picked = yield from ask.cards(t, giver, "give", "Which cards do you give?", left, count, count)
        move([card for card in left if card.id in picked])
    for _ in range(gift.get("random", 0)):
        move([left[t.rng.below(len(left))]])
    return chosen


def _penalty(t: Table, seats: list[str]) -> Steps:
    """O50, O51: each main player loses three ships of his choice from outside the warp, both at once."""
    parts = {}
    for seat in seats:
        count = t.number("deal-penalty", PENALTY, seat=seat)
        text = "The deal failed. Which {count} ships do you lose?"
        places = ships.outside_warp(t, seat)
        parts[seat] = yield from ask.ships(t, seat, "lose", text, places, count, count, count=count)
    yield from ships.lose(t, parts, "penalty")
