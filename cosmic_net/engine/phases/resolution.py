"""Resolution: ships, compensation, rewards, cards, victory, in the order of O70 to O76."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cosmic_net.cards import faces
from cosmic_net.engine import ask, drawing, hands, ships
from cosmic_net.engine.phases import cleanup, deal
from cosmic_net.engine.state import DEFENSE, OFFENSE, SIDES, Card, other_side
from cosmic_net.engine.verbs import Steps, after, before
from cosmic_net.engine.windows import window

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


@dataclass
class Collecting:
    """Compensation or rewards about to be taken by `seat` (from the hand of `payer`, or from the deck).

    count: how many; ships: how many of the rewards are ships; cards: the cards got, once they are.
    """

    seat: str
    count: int
    payer: str | None = None
    cards: list[Card] = field(default_factory=list)


def run(t: Table) -> Steps:
    """The phase up to the discarding of the encounter cards; what comes after the encounter is in `phases.turn`."""
    enc = t.enc
    enc.resolving = True
    if enc.result in ("deal", "deal-failed"):
        yield from window(t, "after-outcome")
        yield from deal.settle(t)
    else:
        loss = ships.Loss.of(_losers_ships(t), "outcome")
        yield from window(t, "after-outcome", "looting", (before("ships-lost"), loss))
        yield from _ships(t, loss)
        earned = {seat: enc.side.get(seat, 0) for seat, side in enc.allies.items() if side == DEFENSE}
        yield from _allies_home(t)
        if not enc.facts.get("nothing-collected"):
            yield from _compensation(t)
            yield from _rewards(t, earned)
    yield from window(t, before("cards-discarded"))
    yield from cleanup.discard_encounter_cards(t)
    yield from window(t, after("cards-discarded"))


def afterwards(t: Table, change: Callable[[Table], Steps]) -> None:
    """Puts a change off until right after the encounter: after its last effects, before the victory check (O75)."""
    t.enc.facts.setdefault("afterwards", []).append(change)


def _losers_ships(t: Table) -> dict[str, dict[str, int]]:
    """The ships that the outcome costs: those of the losing side in the encounter (O03, O11, O20)."""
    enc = t.enc
    losers = list(SIDES) if enc.result == "both-lose" else [other_side(str(enc.winner_side()))]
    return {seat: _in_encounter(t, seat) for seat in t.order() if enc.side_of(seat) in losers}


def _ships(t: Table, loss: ships.Loss) -> Steps:
    """O72: losses together, extra losses, then the winners land (O10 to O20)."""
    enc = t.enc
    assert enc.target is not None
    yield from ships.suffer(t, loss)
    for seat, count in loss.arrived.items():
        enc.lost_to_outcome[seat] = enc.lost_to_outcome.get(seat, 0) + count
    yield from window(t, "extra-losses")
    if enc.result == OFFENSE:
        landings = {}
        for seat in t.order():
            if count := enc.gate.get(seat, 0):
                landings[seat] = (enc.target, ships.take(t, seat, {ships.GATE: count}))
        yield from ships.land(t, landings)


def _in_encounter(t: Table, seat: str) -> dict[str, int]:
    enc = t.enc
    assert enc.target is not None
    places = {ships.GATE: enc.gate.get(seat, 0), ships.SIDE: enc.side.get(seat, 0)}
    if seat == enc.defense:
        places[enc.target] = t.state.planets[enc.target].get(seat, 0)
    return {place: count for place, count in places.items() if count}


def _compensation(t: Table) -> Steps:
    """O30 to O36: who lost with a negotiate against an attack takes a random card for each ship now in the warp."""
    enc = t.enc
    winner = enc.winner_side()
    if winner is None or enc.forfeits:
        return
    loser = other_side(winner)
    if enc.cards[loser].kind != faces.NEGOTIATE or enc.cards[winner].kind != faces.ATTACK:
        return
    victim, payer = enc.main_of(loser), enc.main_of(winner)
    owed = t.number("compensation-count", enc.lost_to_outcome.get(victim, 0), seat=victim)
    if not owed:
        return
    claim = Collecting(victim, owed, payer)
    yield from window(t, before("compensation-taken"), subject=claim)
    taken = hands.random_cards(t, payer, claim.count)
    claim.cards = hands.give(t, payer, victim, taken, "compensation")
    hands.bring_back(t, payer)
    t.say("compensation", seat=victim, payer=payer, count=len(claim.cards))
    yield from window(t, after("compensation-taken"), subject=claim)


def _rewards(t: Table, earned: Mapping[str, int]) -> Steps:
    """O21 to O25: each defensive ally gets a card or a ship from the warp for each ship it had there."""
    enc = t.enc
    if enc.result != DEFENSE:
        return
    for seat in t.others(enc.offense):
        count = t.number("reward-count", earned.get(seat, 0), seat=seat)
        if count:
            yield from _reward(t, Collecting(seat, count))


def _reward(t: Table, claim: Collecting) -> Steps:
    seat = claim.seat
    yield from window(t, before("rewards-taken"), subject=claim)
    most = min(claim.count, t.player(seat).warp) if t.colonies(seat) else 0
    text = "You have {count} rewards. How many of them are ships from the warp? The rest are cards."
    retrieved = yield from ask.declare(t, seat, "rewards", text, 0, most, 0, count=claim.count)
    t.say("rewards", seat=seat, ships=retrieved, cards=claim.count - retrieved)
    if claim.count > retrieved:
        claim.cards = yield from drawing.draw(t, seat, claim.count - retrieved, "reward")
    yield from ships.free(t, seat, retrieved, "reward")
    yield from window(t, after("rewards-taken"), subject=claim)


def _allies_home(t: Table) -> Steps:
    """Ships of the defense's allies that were not lost return to colonies."""
    for seat in t.order():
        if t.enc.side.get(seat):
            yield from ships.send_home(t, seat, ships.SIDE)
    yield from ships.settle(t)
