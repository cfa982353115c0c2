"""What a typed line means, for every kind of question."""

from __future__ import annotations

import pytest

from client.errors import Unclear
from tests.client import decisions as d
from tests.client.decisions import ask, option


def refused(question: dict, text: str) -> str:
    """The reason why a line is no answer."""
    with pytest.raises(Unclear) as error:
        ask(question).parse(text)
    return str(error.value)


# ---- one of several


@pytest.mark.parametrize("text", ["3", "blue-3", "b3", "Ben 3", "ben-3", "blue 3", "#3"])
def test_a_planet_is_named_by_its_number_id_or_owner(text: str) -> None:
    assert ask(d.aim()).parse(text) == ["blue-3"]


def test_planets_keep_their_own_numbers_where_some_are_missing() -> None:
    assert ask(d.aim()).parse("5") == ["blue-5"]
    assert "number 1" in refused(d.aim(), "1")


@pytest.mark.parametrize("text", ["1", "offense", "ben", "join ben", "off", "Join B"])
def test_an_invitation_is_taken_by_number_side_or_name(text: str) -> None:
    assert ask(d.ally()).parse(text) == ["offense"]


@pytest.mark.parametrize("text", ["", "3", "stay", "decline", "out", "stay out"])
def test_staying_out_is_the_harmless_default(text: str) -> None:
    assert ask(d.ally()).parse(text) == ["decline"]


def test_a_beginning_that_two_answers_have_is_no_answer() -> None:
    assert refused(d.ally(), "join") == "'join' could be offense or defense."


def test_enter_takes_nothing_where_that_is_not_harmless() -> None:
    assert "no harmless default" in refused(d.aim(), "")


# ---- several


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", []), ("none", []), ("nobody", []), ("1", ["green"]), ("1 2", ["green", "yellow"]),
        ("2, 1", ["yellow", "green"]), ("cy and dee", ["green", "yellow"]), ("all", ["green", "yellow"]),
        ("d", ["yellow"]),
    ],
)  # fmt: skip
def test_several_are_named_one_after_the_other(text: str, answer: list[str]) -> None:
    assert ask(d.invite()).parse(text) == answer


def test_nobody_is_named_twice() -> None:
    assert refused(d.invite(), "cy 1") == "green is named twice."


# ---- ships


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("4 from red-1 red-2", {"red-1": 2, "red-2": 2}),
        ("4 from 1 2", {"red-1": 2, "red-2": 2}),
        ("3 from red-1 blue-5", {"red-1": 2, "blue-5": 1}),
        ("2 red-1 2 red-2", {"red-1": 2, "red-2": 2}),
        ("2 from red-1, 1 from ana-2", {"red-1": 2, "red-2": 1}),
        ("1 r1 and 1 b5", {"red-1": 1, "blue-5": 1}),
        ("4 red-1", {"red-1": 4}),
        ("4 ships from red-1", {"red-1": 4}),
        ("1 5", {"red-5": 1}),
        ("all", {"red-1": 2, "red-2": 2}),
    ],
)
def test_ships_are_named_with_their_places(text: str, answer: dict) -> None:
    assert ask(d.ships()).parse(text) == answer


def test_a_number_alone_takes_from_the_fullest_places_and_empties_none() -> None:
    assert ask(d.ships()).parse("4") == {"red-1": 2, "red-2": 2}
    assert ask(d.ships(max=8)).parse("8") == {"red-1": 4, "red-2": 3, "blue-5": 1}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("5 from red-1 red-2", "1 to 4 ships in all"),
        ("3 from red-5", "3 ships are too many: red-5 has 1"),
        ("2 red-9", "no place 'red-9'"),
        ("red-1", "how many"),
        ("4 from", "From where"),
        ("99", "only 11 ships"),
        ("0", "1 to 4 ships in all"),
    ],
)
def test_wrong_ships_are_refused_with_the_reason(text: str, why: str) -> None:
    assert why in refused(d.ships(), text)


@pytest.mark.parametrize("text", ["2", "red-2", "1 red-2", "1 from red-2", "r2"])
def test_where_one_ship_goes_a_number_is_the_place(text: str) -> None:
    question = d.ships(places={"red-1": 1, "red-2": 1, "blue-5": 1}, min=1, max=1)
    assert ask(question).parse(text) == {"red-2": 1}


def test_giving_up_a_colony_is_confirmed() -> None:
    question = ask(d.ships())
    assert "gives up your colony on red-5" in question.confirm({"red-5": 1})
    assert question.confirm({"red-1": 3}) == ""


def test_returning_ships_are_put_where_fewest_are() -> None:
    question = d.ships(topic="return", places={"red-1": 4, "red-5": 4, "blue-5": 4}, min=4, max=4)
    assert ask(question).parse("4") == {"red-5": 3, "blue-5": 1}
    assert ask(question).parse("4 red-5") == {"red-5": 4}
    assert ask(question).parse("1 to red-1 and 3 to blue-5") == {"red-1": 1, "blue-5": 3}
    assert ask(question).confirm({"red-5": 4}) == ""
    assert "from" not in "\n".join(ask(question).lines())


# ---- cards


def test_cards_are_named_by_number_or_face() -> None:
    question = d.cards()
    assert ask(question).parse("1 3") == [1, 3]
    assert ask(question).parse("attack 15 card zap") == [4, 6]
    assert ask(question).parse("negotiate negotiate") == [2, 5]
    assert "2 of them" in refused(question, "attack 15")


def test_a_sealed_card_is_offered_for_nothing_else() -> None:
    question = ask(d.cards(1, 1), sealed={4})
    assert [o.value for o in question.options] == [1, 3, 2, 5, 6]
    with pytest.raises(Unclear):
        question.parse("attack 15")


def test_giving_cards_is_confirmed_by_name() -> None:
    assert ask(d.cards()).confirm([1, 6]) == "Attack 08 and Card Zap: is that right?"


# ---- the sealed card


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("15", 4), ("attack 15", 4), ("attack-15", 4), ("08", 1), ("8", 1), ("attack 8", 1), ("2", 4), ("#1", 1),
        ("negotiate", 2), ("n", 2), ("miser", {"option": "miser"}), ("6", {"option": "miser"}),
    ],
)  # fmt: skip
def test_a_card_is_named_by_number_name_or_value(text: str, answer: object) -> None:
    assert ask(d.seal()).parse(text) == answer


def test_a_number_that_is_both_is_asked_back() -> None:
    question = d.seal()
    question["cards"] = [[1, "attack-04"], [2, "attack-08"], [3, "attack-10"], [4, "negotiate"]]
    assert refused(question, "4") == "Negotiate is number 4, Attack 04 has the value: `#4` or `attack 4`?"
    assert ask(question).parse("#4") == 4
    assert ask(question).parse("attack 4") == 1


def test_what_sealing_means_is_said_before_it_is_sent() -> None:
    assert "not even the host" in ask(d.seal()).confirm(4)


# ---- numbers and windows


def test_a_number_is_a_number_within_its_bounds() -> None:
    question = d.decision("declare", "rewards", "How many?", 0, min=0, max=3)
    assert ask(question).parse(" 2 ") == 2
    assert "0 to 3" in refused(question, "4")
    assert "number is asked for" in refused(question, "two")


def test_enter_lets_a_window_pass_and_a_number_acts() -> None:
    zap = option("cosmic-zap", "play {card}", card="cosmic-zap")
    question = ask(d.react(zap, option("oracle", "use the power of {alien}", alien="oracle")))
    assert question.parse("") is None
    assert question.parse("pass") is None
    assert question.parse("1") == "cosmic-zap"
    assert question.parse("zap") == "cosmic-zap"
    assert question.parse("orac") == "oracle"


def test_a_window_without_actions_says_so() -> None:
    assert "nothing that you could do" in refused(d.react(), "1")


def test_a_window_says_what_it_is_about() -> None:
    assert ask(d.react(window="after-reveal")).lines() == ["after reveal: act? [Enter] pass"]
    played = d.react(window="before:card-played", seat="blue", what="oracle", card="flare-oracle", half="wild")
    assert ask(played).text == "Ben plays Oracle flare: answer it?"
