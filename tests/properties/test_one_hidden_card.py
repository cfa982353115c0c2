"""The law of hidden information, card by card: while a hidden card stays where it lies, nobody can tell which it is.

A game is made twice. In the second copy one card of one player (in hand or on a sheet) and a card deep in the deck, or
another of his own, have changed places. Then both copies are given the same answers, none of which touches those two
cards, and all others and the whole table must be told the same, until a rule makes somebody show or move such a card.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest

from cosmic_net.bots.agent import Agent
from cosmic_net.bots.table import step
from cosmic_net.cards import faces
from cosmic_net.engine import decisions as kinds
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.errors import IllegalAnswer
from cosmic_net.engine.game import Game
from cosmic_net.engine.state import Card
from tests.support.paired_tables import PAIRS, SOME, table
from tests.support.random_games import agents, digest

#: By these a player shows his hand or hoard, or that he has no encounter card (P01, P20, P21).
SHOWING = {"hand-shown", "hoard-shown", "hand-seen", "offense-without-card"}
#: What is asked just before he must.
ABOUT_TO_SHOW = {"before:hand-replaced", "hand-check"}

Place = tuple[str, str, int]


def piles(game: Game) -> dict[tuple[str, str], list[Card]]:
    """Hands and sheets, by whose they are."""
    found = {("hand", seat): player.hand for seat, player in game.state.players.items()}
    for seat, player in game.state.players.items():
        found |= {(f"sheet {power.uid}", seat): power.cards for power in player.powers}
    return found


def faces_by_place(game: Game) -> dict[Place, str]:
    """Where every hidden card lies; places in the deck count from below."""
    found = {(*pile, card.id): card.face for pile, cards in piles(game).items() for card in cards}
    deck = game.state.deck
    return found | {("deck", "", i - len(deck)): face for i, face in enumerate(deck)}


def exchange(game: Game, rng: random.Random) -> str | None:
    """Exchanges a card of some player's with one that he does not show either; returns whose it is."""
    theirs = [(pile, i) for pile, cards in piles(game).items() for i in range(len(cards))]
    if not theirs:
        return None
    pile, i = rng.choice(theirs)
    mine, deck = piles(game)[pile], game.state.deck
    others: list[tuple[list[Any], int, str]] = [(deck, j, deck[j]) for j in range(len(deck) // 2, len(deck))]
    for other, cards in piles(game).items():
        others += [(cards, j, card.face) for j, card in enumerate(cards) if other != pile and other[1] == pile[1]]
    others = [item for item in others if item[2] != mine[i].face]
    encounter = faces.is_encounter(mine[i].face)
    telling = [item for item in others if faces.is_encounter(item[2]) != encounter]
    if not others:
        return None
    where, j, face = rng.choice(telling if telling and rng.random() < 0.7 else others)
    where[j] = mine[i].face if where is deck else Card(where[j].id, mine[i].face)
    mine[i] = Card(mine[i].id, face)
    return pile[1]


def answer(rng: random.Random, one: Decision, other: Decision, bot: Agent, game: Game, changed: set[int]) -> Any:
    """An answer that is legal in both games and touches no changed card. Raises LookupError if there is none."""
    if one.kind in (kinds.CARDS, kinds.SEAL):
        both = {card[0] for card in one.bounds["cards"]} & {card[0] for card in other.bounds["cards"]} - changed
        cards = sorted(both)
        if one.kind == kinds.SEAL:
            sources = [option["id"] for option in one.bounds["options"] if option in other.bounds["options"]]
            if sources and (not cards or rng.random() < 0.4):
                return {"option": rng.choice(sources)}
            return bot.seal(one.to_data(), rng.choice(cards))  # IndexError without any
        low, high = max(d.bounds["min"] for d in (one, other)), min(d.bounds["max"] for d in (one, other))
        if len(cards) < low:
            raise LookupError
        return rng.sample(cards, rng.randint(low, min(high, len(cards))))
    if one.kind == kinds.REACT:
        there = {action["id"] for action in other.bounds["actions"]}
        mine = [a["id"] for a in one.bounds["actions"] if a["id"] in there and a.get("card", [0])[0] not in changed]
        return rng.choice(mine) if mine and rng.random() < 0.35 else None
    if one.kind == kinds.DEAL:
        theirs = [offer["id"] for offer in one.bounds["offers"] if offer["by"] == one.bounds["partner"]]
        if theirs:
            return {"accept": theirs[0]}
        return {"offer": {one.bounds["me"]: {"choice": 1}}} if one.bounds["my_cards"] else {"refuse": True}
    return bot.answer(game.view(one.seat), one.to_data())


def told(game: Game, seats: Iterable[str | None], since: int) -> list[bytes]:
    """The bytes that each of these has been sent since an event: view and events."""
    new = game.events[since:]
    return [msgpack.packb([game.view(seat), [event.seen_by(seat) for event in new]]) for seat in seats]


def begin(game: Game, bots: dict[str, Agent], steps: int) -> None:
    """Plays on until a window is open, nobody is half asked, no card is about to be played, and nothing lies sealed."""
    half = False
    while not game.over:
        enc = game.state.encounter
        sealed = enc is not None and any(seal.opened is None for seal in enc.sealed.values())
        window = any(decision.kind == kinds.REACT for decision in game.pending)
        if len(game.inputs) >= steps and window and not (half or sealed or game.table.committed):
            return
        before = [decision.id for decision in game.pending[1:]]
        step(game, bots)
        half = bool(before) and set(before) & {decision.id for decision in game.pending} == set(before)


def shows(game: Game, since: int) -> bool:
    """Whether somebody has shown his cards, or is about to."""
    if any(event.kind in SHOWING for event in game.events[since:]):
        return True
    enc = game.state.encounter
    hoard = enc is not None and enc.phase == "planning" and enc.defense is not None and _hoard(game, enc.defense)
    asked = {decision.bounds.get("window") for decision in game.pending}
    return bool(asked & ABOUT_TO_SHOW - ({"hand-check"} if hoard else set()))


def _hoard(game: Game, seat: str) -> bool:
    """Whether a player may select from a sheet, so that his hand need not be replaced (P27)."""
    powers = game.state.players[seat].powers
    return any(power.alien.plays_from_sheet and power.cards and game.table.works(power) for power in powers)


def can_select(game: Game, seat: str) -> bool:
    """Whether a hand has an encounter card."""
    return any(faces.is_encounter(card.face) for card in game.state.players[seat].hand)


def compare(pair: tuple[str, str], number: int, steps: int, ahead: int) -> int:
    """Plays a table for `steps` inputs, forks it, and compares what others are told; returns how often it agreed."""
    setup = table(pair, number)
    rng = random.Random(f"card {pair} {number}")
    game = Game(setup, digest(pair, number))
    bots = agents(setup, number, eager=rng.choice((96, 200)))
    begin(game, bots, steps)
    twin = Game.replay(setup, game.seed, game.inputs)
    owner = None if game.over else exchange(twin, rng)
    if owner is None or (game.table.enc.phase == "planning" and can_select(game, owner) != can_select(twin, owner)):
        return 0  # his hand may have been checked already
    here, there = faces_by_place(game), faces_by_place(twin)
    different = {place for place, face in here.items() if there[place] != face}
    changed = {place[2] for place in different if place[0] != "deck"}
    seats = [None, *(seat for seat in setup.seats if seat != owner)]
    since = len(game.events)
    for agreed in range(ahead):
        if not game.pending:
            return agreed
        one = rng.choice(game.pending)
        other = next((decision for decision in twin.pending if decision.id == one.id), None)
        assert other is not None, f"{one.seat} is asked {one.topic} in one of them only"
        try:
            given = answer(rng, one, other, bots[one.seat], game, changed)
            twin.answer(one.seat, one.id, given)
        except (LookupError, IllegalAnswer):
            return agreed  # only with those cards, or not there
        game.answer(one.seat, one.id, given)
        here, there = faces_by_place(game), faces_by_place(twin)
        if {place for place in here | there if here.get(place) != there.get(place)} != different:
            return agreed  # such a card has been moved
        if shows(game, since) or shows(twin, since):
            return agreed
        for seat, mine, theirs in zip(seats, told(game, seats, since), told(twin, seats, since), strict=True):
            assert mine == theirs, f"{seat} can tell a card of {owner} after {one.topic} of {one.seat}"
        since = len(game.events)
    return ahead


@pytest.mark.parametrize("pair", SOME, ids=" and ".join)
def test_nobody_can_tell_a_card_that_stays_hidden(pair: tuple[str, str]) -> None:
    number = SOME.index(pair)
    compare(pair, number, steps=5 + 13 * (number % 7), ahead=60)


def test_the_comparison_goes_on_long_enough_to_mean_something() -> None:
    assert sum(compare(pair, 2, steps=20, ahead=100) for pair in SOME[:20]) > 500


def test_a_question_that_depends_on_a_card_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison fails if only those are asked who can act."""
    from cosmic_net.engine import chances

    everybody = chances.who_may

    def able(t: Any, staged: Any, used: Any) -> Any:
        return {seat: mine for seat, mine in everybody(t, staged, used).items() if chances.actions_of(t, seat, mine)}

    monkeypatch.setattr("cosmic_net.engine.windows.who_may", able)
    with pytest.raises(AssertionError):
        [compare(pair, number, steps=30, ahead=60) for pair in SOME for number in range(2)]


@pytest.mark.soak
@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_nobody_can_tell_a_hidden_card_whoever_plays(pair: tuple[str, str]) -> None:
    for number in range(12):
        compare(pair, number, steps=5 + 37 * number, ahead=200)
