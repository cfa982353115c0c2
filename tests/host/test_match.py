"""A game in the host without sockets: its journal is enough to make it again, whatever was its last entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from cosmic_net import bots
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Options, Setup
from host.bots.player import Player
from host.journal import Journal, Origin
from host.match import Basis, Match
from host.telling import Telling
from protocol import codec, updates
from protocol.identity import Identity
from protocol.messages import Answer, Clocks, Push, Seed, SeedOpen, Snapshot, Update

SEATS = ("red", "blue", "green")
HOST = Identity(b"h" * 32)
ORIGIN = Origin(b"p" * 32, b"s" * 16, 1)


class Players:
    """Bots at every seat, who hear what the host would send them."""

    def __init__(self) -> None:
        self.identities = {seat: Identity(seat.encode().ljust(32, b".")) for seat in SEATS}
        self.players = {seat: Player(one, bots.make("chance", seat.encode())) for seat, one in self.identities.items()}

    def basis(self) -> Basis:
        keys = {seat: one.sign_key for seat, one in self.identities.items()}
        setup = Setup("match-1", SEATS, keys, Options(goal=2, planets=4))
        packed = codec.pack_value(setup.to_data())
        seats: Any = {seat: one.curve_key for seat, one in self.identities.items()}
        return Basis(setup=setup, packed=packed, seats=seats, practice=True, host_share=b"7" * 32)

    def hear(self, pushes: Mapping[str, Push]) -> list[tuple[str, Answer]]:
        answers = []
        for seat, push in pushes.items():
            for request in self.players[seat].hear(push):
                assert isinstance(request, Answer | Seed | SeedOpen)
                if isinstance(request, Answer):
                    answers.append((seat, request))
        return answers


def play(match: Match, players: Players, steps: int = 100_000) -> Telling:
    """Plays on, at most so many answers, with everybody being told of everything."""
    telling = Telling(match, HOST)
    telling.advance(0.0)
    todo = players.hear({seat: telling.snapshot(seat)(1) for seat in SEATS})  # type: ignore[arg-type]
    while todo and not match.over and steps:
        steps -= 1
        seat, answer = todo.pop(0)
        if not any(decision.id == answer.decision for decision in match.game.pending):
            continue  # an offer of the other came first
        match.answer(seat, answer, ORIGIN)  # type: ignore[arg-type]
        telling.advance(0.0)
        todo += players.hear({seat: telling.update(seat)(1) for seat in SEATS})  # type: ignore[arg-type]
    return telling


def same_game(one: Match, other: Match) -> bool:
    views = [[match.game.view(seat) for seat in (None, *SEATS)] for match in (one, other)]
    events = [[event.seen_by(None) for event in match.game.events] for match in (one, other)]
    return views[0] == views[1] and events[0] == events[1] and one.chain.head == other.chain.head


def test_a_game_is_made_again_from_any_beginning_of_its_journal():
    journal, players = Journal(None), Players()
    match = Match(players.basis(), journal, Clocks())
    play(match, players)
    assert match.game.over
    lines = journal.lines("match-1")
    for length in range(1, len(lines), max(1, len(lines) // 12)):
        again = Match(players.basis(), Journal(None), Clocks(), lines[:length])
        assert again.chain.count == length
        assert again.entries == match.entries[:length]
    assert same_game(match, Match(players.basis(), Journal(None), Clocks(), lines))
    journal.close()


@pytest.mark.parametrize("steps", [40, 133])
def test_a_game_that_was_made_again_goes_on(steps: int):
    journal, players = Journal(None), Players()
    match = Match(players.basis(), journal, Clocks())
    play(match, players, steps)
    again = Match(players.basis(), journal, Clocks(), journal.lines("match-1"))
    assert same_game(match, again)
    play(again, players)
    assert again.game.over
    journal.close()


def test_updates_lead_every_seat_to_the_view_that_a_snapshot_shows():
    journal, players = Journal(None), Players()
    match = Match(players.basis(), journal, Clocks())
    telling = play(match, players)
    for seat, player in players.players.items():
        shown = telling.snapshot(seat)(1)  # type: ignore[arg-type]
        assert isinstance(shown, Snapshot)
        assert codec.pack_value(player._view) == codec.pack_value(shown.view)
    journal.close()


def test_nothing_that_one_seat_alone_may_see_is_in_the_update_for_another():
    journal, players = Journal(None), Players()
    match = Match(players.basis(), journal, Clocks())
    telling = Telling(match, HOST)
    todo = players.hear({seat: telling.snapshot(seat)(1) for seat in SEATS})  # type: ignore[arg-type]
    for seat, answer in todo:
        match.answer(seat, answer, ORIGIN)  # type: ignore[arg-type]
    telling.advance(0.0)
    looking_on = telling.update(None)(1)
    assert isinstance(looking_on, Update)
    assert looking_on.own is None
    shared = updates.unpack(looking_on.shared)
    assert not {"hand", "prompts"} & set(shared.patch)
    for seat in SEATS:
        update = telling.update(seat)(1)  # type: ignore[arg-type]
        assert isinstance(update, Update)
        assert update.shared == looking_on.shared
        assert update.own is not None
        assert update.own.patch["hand"] == match.game.view(seat)["hand"]
        events = updates.events(shared.events, update.own)
        dealt = [event.get("cards") for event in events if event["kind"] == "cards-dealt"]
        assert [cards is not None for cards in dealt] == [other == seat for other in SEATS]
    journal.close()


def test_a_game_whose_rules_fail_is_stopped_with_its_record(monkeypatch: pytest.MonkeyPatch):
    journal, players = Journal(None), Players()
    match = Match(players.basis(), journal, Clocks())
    play(match, players, 5)

    def fail(*_: object) -> None:
        raise RuntimeError("a ship too many")

    monkeypatch.setattr(Game, "close", fail)
    match.settle(0.0)
    match._close(match.game.pending[0].group)
    assert match.over
    assert not match.game.over
    assert len(journal.lines("match-1")) == match.chain.count
    journal.close()
