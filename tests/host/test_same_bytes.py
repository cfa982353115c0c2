"""The law of hidden information, for the bytes on the wire: what a player may not know changes no frame to him.

As in `tests/properties/test_hidden_information.py` a game is forked with the unknown cards dealt anew; here both copies
are told by a host, and every frame that goes to the player is compared. What all are told has to be the same bytes for
every seat and for those who look on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cosmic_net.bots.agent import Agent
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.errors import IllegalAnswer
from host.journal import Journal
from host.match import Basis, Match
from host.telling import Telling
from protocol import codec
from protocol.identity import Identity
from protocol.messages import Clocks, Update
from protocol.transcript import AnswerEntry
from tests.properties.test_hidden_information import SHOWING, answer_for, hand_checks_agree, leak_a_face, redeal
from tests.support.random_games import agents, digest, random_setup

HOST = Identity(b"h" * 32)


class Told:
    """A game, and what its host tells of it."""

    def __init__(self, number: int) -> None:
        plain = random_setup(number)
        keys = {seat: digest("key", seat) for seat in plain.seats}
        self.setup = replace(plain, keys=keys, options=replace(plain.options, ask="all"))
        basis = Basis(
            setup=self.setup,
            packed=codec.pack_value(self.setup.to_data()),
            seats={seat: keys[seat] for seat in plain.seats},  # type: ignore[misc]
            practice=True,
            host_share=digest("seed", number),
        )
        self.match = Match(basis, Journal(None), Clocks())
        self.telling = Telling(self.match, HOST)
        self.inputs: list[tuple[str, int, Any]] = []

    def answer(self, decision: Decision, answer: Any) -> None:
        """An answer that has been accepted. Raises IllegalAnswer."""
        self.match.game.answer(decision.seat, decision.id, answer)
        self.match._record(AnswerEntry(seat=decision.seat, decision=decision.id, digest=bytes(16)))  # type: ignore[arg-type]
        self.match.running.watch(self.match.game.pending, 0.0)
        self.inputs.append((decision.seat, decision.id, answer))
        assert self.telling.advance(0.0)

    def frames(self, seat: str) -> list[bytes]:
        """What is sent to a seat now, and what would be if it asked for everything."""
        return [codec.encode(make(1)) for make in (self.telling.update(seat), self.telling.snapshot(seat))]  # type: ignore[arg-type]

    def shared(self) -> set[bytes]:
        """What all are told now, as it goes to each."""
        updates = [self.telling.update(seat)(1) for seat in (None, *self.setup.seats)]  # type: ignore[arg-type]
        return {update.shared for update in updates if isinstance(update, Update)}


def compare(number: int, steps: int, ahead: int) -> int:
    """Plays for `steps` inputs, forks, and compares the frames to one player; returns how many agreed."""
    told, twin = Told(number), Told(number)
    game, bots = told.match.game, agents(told.setup, number)
    half_answered = False
    while not game.over and (len(told.inputs) < steps or half_answered or any(d.kind == "open" for d in game.pending)):
        others = [other.id for other in game.pending[1:]]
        _play_on(told, twin, bots)
        assert len(told.shared()) == 1
        half_answered = bool(others) and [other.id for other in game.pending] == others
    if game.over:
        return 0
    seat = told.setup.seats[number % len(told.setup.seats)]
    redeal(twin.match.game, seat, digest("twin", number))
    twin.telling = Telling(twin.match, HOST)
    twin.telling.advance(0.0)
    told.telling = Telling(told.match, HOST)
    told.telling.advance(0.0)
    since = len(game.events)
    for agreed in range(ahead):
        if not game.pending or not hand_checks_agree(game, twin.match.game):
            return agreed
        decision = game.pending[0]
        answer = answer_for(seat, decision, bots, game)
        try:
            twin.answer(decision, answer)
        except IllegalAnswer:
            return agreed  # the other's cards do not allow that answer there
        told.answer(decision, answer)
        if any(event.kind in SHOWING for event in game.events[since:] + twin.match.game.events[since:]):
            return agreed
        assert told.frames(seat) == twin.frames(seat), f"after {decision.topic} of {decision.seat}"
    return ahead


def _play_on(told: Told, twin: Told, bots: dict[str, Agent]) -> None:
    game = told.match.game
    decision = game.pending[0]
    answer = bots[decision.seat].answer(game.look(decision.seat), decision.to_data())
    told.answer(decision, answer)
    twin.answer(decision, answer)


@pytest.mark.parametrize("number", range(16))
def test_what_a_player_may_not_know_changes_no_byte_that_he_is_sent(number: int) -> None:
    compare(number, steps=5 + 37 * (number % 5), ahead=60)


def test_the_comparison_goes_on_long_enough_to_mean_something() -> None:
    assert sum(compare(number, steps=5 + 17 * number, ahead=60) for number in range(8)) > 40


def test_a_leak_into_what_is_sent_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    leak_a_face(monkeypatch)
    with pytest.raises(AssertionError):
        [compare(number, steps=40, ahead=40) for number in range(12)]
