"""Deals: offers in words, what they mean, and what is said of the other's."""

from __future__ import annotations

import pytest

from client.ask.gifts import gift_line, gift_text
from client.errors import Unclear
from tests.client import decisions as d
from tests.client.decisions import ask


def terms(text: str, **changes: object) -> dict:
    return ask(d.deal(**changes)).parse(text)["offer"]


def test_a_colony_for_a_colony_and_a_card() -> None:
    assert terms("offer colony red-2 for colony blue-1 and 1 card at random") == {
        "red": {"colony": "red-2"},
        "blue": {"colony": "blue-1", "random": 1},
    }


@pytest.mark.parametrize(
    ("gift", "meaning"),
    [
        ("colony red-1", {"colony": "red-1"}),
        ("colony r1", {"colony": "red-1"}),
        ("a colony on ana 1", {"colony": "red-1"}),
        ("1 card at random", {"random": 1}),
        ("a card", {"random": 1}),
        ("2 cards", {"random": 2}),
        ("2 cards of my choice", {"choice": 2}),
        ("1 card chosen", {"choice": 1}),
        ("1 negotiate", {"types": {"negotiate": 1}}),
        ("2 attacks", {"types": {"attack": 2}}),
        ("attack 15", {"faces": ["attack-15"]}),
        ("attack 8", {"faces": ["attack-08"]}),
        ("negotiate", {"faces": ["negotiate"]}),
        ("card zap", {"faces": ["card-zap"]}),
        ("zombie flare", {"faces": ["flare-zombie"]}),
        ("reinforcement +3", {"faces": ["reinforcement-3"]}),
        ("card zap, 1 card at random and colony red-2", {"colony": "red-2", "faces": ["card-zap"], "random": 1}),
    ],
)
def test_every_part_of_a_gift(gift: str, meaning: dict) -> None:
    assert terms(f"offer {gift} for colony blue-2") == {"red": meaning, "blue": {"colony": "blue-2"}}


def test_asking_for_a_present_and_giving_one() -> None:
    assert terms("offer nothing for colony blue-1") == {"red": {}, "blue": {"colony": "blue-1"}}
    assert terms("offer colony red-1") == {"red": {"colony": "red-1"}, "blue": {}}


def test_further_terms_of_a_power() -> None:
    extras = {"free": {"green": 2, "red": 3}}
    assert terms("offer colony red-1 and free 2 cy for 1 card", extras=extras)["free"] == {"green": 2}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("offer", "at least one card or one colony"),
        ("offer colony green-1", "no planet 'green-1'"),
        ("offer colony red-1 and colony red-2", "Only one colony"),
        ("offer colony", "on which planet? red-1, red-2"),
        ("offer 9 cards for colony blue-1", "more cards than the hand"),
        ("offer a horse", "no part of a deal"),
        ("accept", "Ben has made no offer yet"),
        ("counter", "no offer to answer"),
    ],
)
def test_wrong_offers_are_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(Unclear) as error:
        ask(d.deal()).parse(text)
    assert why.lower() in str(error.value).lower()


def test_accepting_names_the_offer_and_says_what_it_binds_to() -> None:
    question = ask(d.deal(offers=[d.their_offer(41)]))
    for text in ("accept", "1", "acc"):
        assert question.parse(text) == {"accept": 41}
    assert question.confirm({"accept": 41}) == (
        "The deal: you give 1 card at random, you get a colony on blue-1. It is binding."
    )


def test_refusing_says_what_it_costs() -> None:
    question = ask(d.deal())
    assert question.parse("refuse") == {"refuse": True}
    assert "lose 3 ships" in question.confirm({"refuse": True})


def test_countering_starts_from_the_others_offer() -> None:
    question = ask(d.deal(offers=[d.their_offer()]))
    line = question.counter_line()  # type: ignore[attr-defined]
    assert line == "offer 1 card at random for colony blue-1"
    assert question.parse(line) == {"offer": {"red": {"random": 1}, "blue": {"colony": "blue-1"}}}


def test_gifts_are_written_as_they_are_read() -> None:
    gift = {"colony": "red-1", "faces": ["attack-15"], "types": {"negotiate": 1}, "choice": 1, "random": 2}
    assert gift_text(gift) == ("a colony on red-1, Attack 15, 1 negotiate, 1 card of choice and 2 cards at random")
    assert terms(f"offer {gift_line(gift)} for nothing")["red"] == gift
