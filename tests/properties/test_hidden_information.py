"""The law of hidden information: games that differ only in what a player may not know give him the same bytes.

A game is played to some point and made twice. In the second copy the cards that the player cannot know (other hands,
other sheets, the deck) are dealt anew among those places. Then both copies are given the same answers, and as long as
no rule has made anybody show a face, the player must be told the same: views, prompts, events, ids and all.
"""

from __future__ import annotations

from dataclasses import replace

import msgpack  # type: ignore[import-untyped]
import pytest

from cosmic_net.bots.agent import Agent
from cosmic_net.bots.chance import Chance
from cosmic_net.cards import faces
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.errors import IllegalAnswer
from cosmic_net.engine.game import Game
from cosmic_net.engine.rng import Rng
from cosmic_net.engine.state import Card
from tests.support.random_games import agents, digest, random_setup

#: Events that show faces which were hidden: after one of them the two games may differ.
SHOWING = {
    "card-opened", "card-laid-open", "cards-revealed", "hand-shown", "cards-discarded", "card-played", "card-zapped",
    "reinforced", "cards-drawn", "cards-passed", "hand-got", "hand-seen", "cards-dealt", "forfeited", "deck-reshuffled",
    "game-over", "encounter-cut", "offense-without-card", "deal-undone", "card-back", "card-passed", "power-used",
}  # fmt: skip


def told(game: Game, seat: str, since: int) -> bytes:
    """The bytes that a player has been sent since an event number: view and events."""
    seen = [seen for event in game.events[since:] if (seen := event.seen_by(seat)) is not None]
    packed: bytes = msgpack.packb([game.view(seat), seen])
    return packed


def redeal(game: Game, seat: str, seed: bytes) -> None:
    """Deals the faces that a player cannot know anew among the places where they lie; ids and numbers stay."""
    rng = Rng(seed)
    state = game.state
    sealed = {s.seat for s in state.encounter.sealed.values() if s.opened is None} if state.encounter else set()
    piles = [p.hand for p in state.players.values() if p.seat != seat and p.seat not in sealed]
    piles += [power.cards for p in state.players.values() if p.seat != seat for power in p.powers]
    hidden = [card.face for pile in piles for card in pile] + state.deck
    rng.shuffle(hidden)
    for pile in piles:
        pile[:] = [Card(card.id, hidden.pop()) for card in pile]
    state.deck[:] = hidden


def hand_checks_agree(one: Game, other: Game) -> bool:
    """Whether the hands without encounter card are the same in both, which the rules make players show (P01, P20)."""

    def empty(game: Game) -> list[str]:
        return [
            seat
            for seat, player in game.state.players.items()
            if not any(faces.is_encounter(card.face) for card in player.hand)
        ]

    return empty(one) == empty(other)


def answer_for(seat: str, decision: Decision, bots: dict[str, Agent], game: Game) -> object:
    """What a seat answers: the player himself at random, the others by what does not depend on their cards."""
    if decision.seat == seat or decision.kind not in ("react", "seal", "open", "cards"):
        return bots[decision.seat].answer(game.view(decision.seat), decision.to_data())
    if decision.kind == "react":
        return None
    return bots[decision.seat].answer(game.view(decision.seat), decision.to_data())


def compare(number: int, steps: int, ahead: int) -> int:
    """Plays a game for `steps` inputs, forks it, and compares what one player is told; returns how many agreed."""
    setup = random_setup(number)
    setup = replace(setup, options=replace(setup.options, ask="all"))  # "able" gives away, and says so
    game = Game(setup, digest("seed", number))
    bots = agents(setup, number)
    half_answered = False
    while not game.over and (len(game.inputs) < steps or half_answered or any(d.kind == "open" for d in game.pending)):
        decision = game.pending[0]
        answer = bots[decision.seat].answer(game.look(decision.seat), decision.to_data())
        others = [other.id for other in game.pending[1:]]
        game.answer(decision.seat, decision.id, answer)
        half_answered = bool(others) and [other.id for other in game.pending] == others
    if game.over:
        return 0
    seat = setup.seats[number % len(setup.seats)]
    twin = Game.replay(setup, digest("seed", number), game.inputs)
    redeal(twin, seat, digest("twin", number))
    since = len(game.events)
    assert msgpack.packb(game.view(seat)) == msgpack.packb(twin.view(seat))
    for agreed in range(ahead):
        if not game.pending or not hand_checks_agree(game, twin):
            return agreed
        decision = game.pending[0]
        answer = answer_for(seat, decision, bots, game)
        try:
            twin.answer(decision.seat, decision.id, answer)
        except IllegalAnswer:
            return agreed  # the other's cards do not allow that answer there
        game.answer(decision.seat, decision.id, answer)
        if any(event.kind in SHOWING for event in game.events[since:] + twin.events[since:]):
            return agreed
        assert told(game, seat, since) == told(twin, seat, since), f"after {decision.topic} of {decision.seat}"
    return ahead


@pytest.mark.parametrize("number", range(120))
def test_what_a_player_may_not_know_changes_nothing_he_is_told(number: int) -> None:
    compare(number, steps=5 + 37 * (number % 11), ahead=60)


def test_the_comparison_goes_on_long_enough_to_mean_something() -> None:
    assert sum(compare(number, steps=5 + 37 * (number % 11), ahead=60) for number in range(24)) > 100


def leak_a_face(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets views tell a face that is no player's."""
    from cosmic_net.engine import view

    leaky = dict(view.PUBLIC)
    leaky["deck"] = lambda t, _: t.state.deck[0]
    monkeypatch.setattr(view, "PUBLIC", leaky)


def test_a_leak_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    leak_a_face(monkeypatch)
    with pytest.raises(AssertionError):
        [compare(number, steps=40, ahead=40) for number in range(12)]


def test_chance_is_not_in_the_way() -> None:
    """The random player answers equal questions equally, so that a difference is the game's."""
    decision = {"kind": "declare", "min": 0, "max": 9}
    assert Chance(digest(1)).decide({}, decision) == Chance(digest(1)).decide({}, decision)
