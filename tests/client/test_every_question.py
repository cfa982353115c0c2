"""Whatever a game asks can be shown at 80 columns and answered with what the program itself offers."""

from __future__ import annotations

from functools import cache

import pytest

from client.ask import Nothing, Question, question
from client.ask.deal import Deal
from client.ask.ships import Ships
from client.errors import Unclear
from client.show.style import Style, width
from client.show.words import EVENTS, TOPICS, WINDOWS, Cast
from tests.client.games import NAMES, asked

GAMES = range(1, 5)


@cache
def questions(number: int) -> list[Question]:
    found = []
    for _, decision, view in asked(number, aliens="flares" if number % 2 else "choice"):
        if decision["kind"] != "open":
            found.append(question(decision, view, Cast(NAMES, Style(), decision["seat"])))
    return found


@pytest.mark.parametrize("number", GAMES)
def test_every_question_fits_80_columns_and_says_something(number: int) -> None:
    for each in questions(number):
        lines = each.lines()
        assert lines
        assert lines[0].strip()
        assert not [line for line in lines if width(line) > 80], lines
        assert "{" not in lines[0], "a placeholder was not filled in"


@pytest.mark.parametrize("number", GAMES)
def test_everything_that_is_awaited_has_words_for_it(number: int) -> None:
    for each in questions(number):
        if each.decision["kind"] == "react":
            window = each.decision["window"]
            assert window in WINDOWS or window.partition(":")[2] in EVENTS
        else:
            assert each.decision["topic"] in TOPICS


@pytest.mark.parametrize("number", GAMES)
def test_every_number_shown_and_every_word_offered_is_an_answer(number: int) -> None:
    for each in questions(number):
        for option in each.options:
            if isinstance(each, Deal) or (each.decision.get("min", 1) <= 1 <= each.decision.get("max", 1)):
                if isinstance(each, Ships) and each.decision["max"] > 1:
                    continue  # there a place alone does not say how many
                for text in (f"#{option.number}", option.word):
                    assert each.check(each.read(text)) is not NotImplemented


@pytest.mark.parametrize("number", GAMES)
def test_following_the_completions_always_leads_to_a_legal_answer(number: int) -> None:
    for each in questions(number):
        if len(each.options) > 12 and each.decision["kind"] == "choose":
            continue
        follow(each, "", 8)


def follow(each: Question, text: str, depth: int) -> None:
    """Takes the first, the last and a middle completion, again and again: in the end the line must be legal."""
    offered = each.complete(text)
    if not offered or depth == 0:
        try:
            each.parse(text)
        except Unclear as error:
            raise AssertionError(f"{text!r} leads nowhere: {error} ({each.decision})") from error
        return
    for step in {offered[0], offered[-1], offered[len(offered) // 2]}:
        line = text[: len(text) - step.replaces] + step.word
        try:
            each.parse(line)
        except Unclear:
            follow(each, line + " ", depth - 1)


@pytest.mark.parametrize("number", GAMES)
def test_enter_alone_takes_only_harmless_answers(number: int) -> None:
    """Never ships, cards, a sealed card or a move in a deal."""
    for each in questions(number):
        if not isinstance(each.enter, Nothing):
            assert each.decision["kind"] in ("react", "choose", "ships", "cards")
            assert each.enter in (None, [], {}) or each.enter[0] in ("no", "decline")
