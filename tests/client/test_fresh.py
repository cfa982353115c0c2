"""Enter that was meant for a question which has just been closed does not answer the next one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from client.repl.fresh import FRESH_SECONDS, Fresh


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def watched() -> tuple[Any, Clock, Fresh]:
    asked = {"id": 1}
    desk: Any = SimpleNamespace(draft=None, player=SimpleNamespace(answered=set()))
    desk.question = lambda: SimpleNamespace(**asked)
    desk.ask = lambda number: asked.update(id=number)
    clock = Clock()
    fresh = Fresh(desk, clock)
    fresh.notice()
    return desk, clock, fresh


def test_enter_is_held_back_for_a_moment_after_a_question_was_closed_under_the_player() -> None:
    desk, clock, fresh = watched()
    desk.ask(2)
    assert fresh.holds_back("")
    assert not fresh.holds_back("1")
    clock.now += FRESH_SECONDS
    assert not fresh.holds_back("")


def test_enter_answers_at_once_what_follows_an_answer_and_the_first_question() -> None:
    desk, _, fresh = watched()
    assert not fresh.holds_back("")
    desk.player.answered.add(1)
    desk.ask(2)
    assert not fresh.holds_back("")


def test_enter_sends_at_once_what_was_chosen_for_the_question_that_is_open_now() -> None:
    desk, _, fresh = watched()
    desk.ask(2)
    fresh.notice()
    desk.draft = object()
    assert not fresh.holds_back("")
