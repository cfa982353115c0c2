"""What each kind of decision takes, what it refuses and why, and that no answer can do worse than be refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cosmic_net.engine import decisions as kinds
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.errors import IllegalAnswer, shown
from cosmic_net.engine.events import Event
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Options, Setup
from cosmic_net.engine.texts import sentence

HASH, NONCE, SIGNATURE = bytes(32), bytes(range(32)), bytes(64)
LONGEST_REASON = 300

OFFERS = [{"id": 7, "by": "blue", "terms": {}}, {"id": 8, "by": "red", "terms": {}}]
BOUNDS: dict[str, dict[str, Any]] = {
    "choose": {"options": [{"id": "red"}, {"id": "blue"}, {"id": "green"}], "min": 1, "max": 2},
    "ships": {"places": {"red-1": 4, "red-2": 1}, "min": 1, "max": 4},
    "cards": {"cards": [[11, "attack-08"], [12, "negotiate"], [13, "morph"]], "min": 1, "max": 2},
    "declare": {"min": 0, "max": 4},
    "seal": {"cards": [[11, "attack-08"]], "options": [{"id": "miser"}], "context": {}},
    "open": {"context": {}, "commitment": HASH},
    "deal": {
        "me": "red",
        "partner": "blue",
        "my_colonies": ["red-1", "green-2"],
        "their_colonies": ["blue-1"],
        "my_cards": [[11, "attack-08"], [12, "negotiate"], [13, "attack-08"]],
        "their_hand": 2,
        "extras": {"free": {"green": 2}},
        "offers": OFFERS,
    },
    "react": {"window": "after-reveal", "actions": [{"id": "plague"}, {"id": "zombie"}]},
}


def decision(kind: str, **bounds: Any) -> Decision:
    return Decision(1, 1, "red", kind, "topic", "text", BOUNDS[kind] | bounds, None)


def offer(red: Any = None, blue: Any = None, **extras: Any) -> dict[str, Any]:
    return {"offer": {"red": red or {}, "blue": blue or {}, **extras}}


@pytest.mark.parametrize(
    ("kind", "answer", "normal"),
    [
        ("choose", ["red"], ["red"]),
        ("choose", ["green", "red"], ["green", "red"]),
        ("ships", {"red-1": 4}, {"red-1": 4}),
        ("ships", {"red-2": 1, "red-1": 3}, {"red-1": 3, "red-2": 1}),
        ("ships", {"red-1": 2, "red-2": 0}, {"red-1": 2}),
        ("cards", [12], [12]),
        ("cards", [13, 11], [13, 11]),
        ("declare", 0, 0),
        ("declare", 4, 4),
        (
            "seal",
            {"commitment": HASH, "signature": SIGNATURE},
            {"commitment": HASH, "signature": SIGNATURE},
        ),
        ("seal", {"commitment": HASH}, {"commitment": HASH, "signature": b""}),
        ("seal", {"option": "miser"}, {"option": "miser"}),
        ("open", None, None),
        ("open", {"card": 0, "nonce": NONCE}, {"card": 0, "nonce": NONCE}),
        ("open", {"card": 99, "nonce": NONCE}, {"card": 99, "nonce": NONCE}),
        ("deal", {"accept": 7}, {"accept": 7}),
        ("deal", {"refuse": True}, {"refuse": True}),
        ("deal", {"offer": {"blue": {"random": 1}}}, offer(blue={"random": 1})),
        ("deal", offer({"colony": "green-2"}), offer({"colony": "green-2"})),
        (
            "deal",
            offer({"faces": ["negotiate", "attack-08"]}),
            offer({"faces": ["attack-08", "negotiate"]}),
        ),
        ("deal", offer({"types": {"attack": 2, "morph": 0}}), offer({"types": {"attack": 2}})),
        ("deal", offer({"choice": 1, "random": 0, "faces": [], "colony": None}), offer({"choice": 1})),
        ("deal", offer({"random": 1}, free={"green": 2}), offer({"random": 1}, free={"green": 2})),
        ("deal", offer({"random": 1}, free={"green": 0}), offer({"random": 1})),
        (
            "deal",
            offer({"faces": ["attack-40", "flare-tick-tock"]}),
            offer({"faces": ["attack-40", "flare-tick-tock"]}),
        ),
        ("react", None, None),
        ("react", "plague", "plague"),
    ],
)
def test_a_legal_answer_comes_back_in_its_normal_form(kind: str, answer: Any, normal: Any) -> None:
    assert decision(kind).check(answer) == normal


@pytest.mark.parametrize(
    ("kind", "answer", "reason"),
    [
        ("choose", "red", "a list of choices"),
        ("choose", ["purple"], "purple is not among the choices"),
        ("choose", ["red", "red"], "the same choice twice"),
        ("choose", [], "1 to 2 of them .* not 0"),
        ("choose", ["red", "blue", "green"], "1 to 2 of them .* not 3"),
        ("choose", [["red"]], "not among the choices"),
        ("ships", [["red-1", 1]], "numbers of ships by place"),
        ("ships", {"red-3": 1}, "red-3 is not among the places"),
        ("ships", {"red-1": 5}, "red-1 takes part with 4 at most"),
        ("ships", {"red-1": -1}, "-1 is no number of ships"),
        ("ships", {"red-1": 1.0}, "no number of ships"),
        ("ships", {"red-1": True}, "True is no number of ships"),
        ("ships", {}, "1 to 4 ships in all .* not 0"),
        ("ships", {"red-1": 4, "red-2": 1}, "1 to 4 ships in all .* not 5"),
        ("cards", 12, "a list of cards"),
        ("cards", [14], "14 is not among the cards"),
        ("cards", [12.0], "not among the cards"),
        ("cards", [True], "True is not among the cards"),
        ("cards", ["attack-08"], "attack-08 is not among the cards"),
        ("cards", [12, 12], "the same card twice"),
        ("cards", [], "1 to 2 of them"),
        ("declare", 5, "a number of 0 to 4"),
        ("declare", -1, "a number of 0 to 4"),
        ("declare", 2.0, "a number of 0 to 4"),
        ("declare", True, "a number of 0 to 4"),
        ("declare", "3", "a number of 0 to 4"),
        ("seal", 11, "a commitment of 32 bytes"),
        ("seal", {"commitment": HASH[:31]}, "a commitment of 32 bytes"),
        ("seal", {"commitment": "0" * 32}, "a commitment of 32 bytes"),
        ("seal", {"commitment": HASH, "signature": bytes(65)}, "a commitment of 32 bytes"),
        ("seal", {"commitment": HASH, "card": 11}, "a commitment of 32 bytes"),
        ("seal", {"option": "hoard"}, "hoard is not offered"),
        ("seal", None, "a commitment of 32 bytes"),
        ("open", {"card": 11}, "a card and a nonce"),
        ("open", {"card": -1, "nonce": NONCE}, "a card and a nonce"),
        ("open", {"card": True, "nonce": NONCE}, "a card and a nonce"),
        ("open", {"card": 11, "nonce": NONCE[:31]}, "a card and a nonce"),
        ("open", {"card": 11, "nonce": NONCE, "face": "attack-40"}, "a card and a nonce"),
        ("deal", None, "an offer, an acceptance or a refusal"),
        ("deal", {}, "an offer, an acceptance or a refusal"),
        ("deal", {"accept": 7, "refuse": True}, "an offer, an acceptance or a refusal"),
        ("deal", {"refuse": 1}, "an offer, an acceptance or a refusal"),
        ("deal", {"accept": 8}, "no such offer"),
        ("deal", {"accept": 7.0}, "no such offer"),
        ("deal", {"accept": True}, "no such offer"),
        ("deal", {"offer": []}, "what red and what blue gives"),
        ("deal", offer({"random": 1}, green={"random": 1}), "what red and what blue gives"),
        ("deal", offer(), "at least one card or one colony"),
        ("deal", offer(free={"green": 1}), "at least one card or one colony"),
        ("deal", offer({"ships": 2}), "a gift has"),
        ("deal", offer("everything"), "a gift has"),
        ("deal", offer({"colony": "blue-1"}), "no colony can be given on blue-1"),
        ("deal", offer({"colony": ["red-1"]}), "no colony can be given"),
        ("deal", offer({"faces": "attack-08"}), "faces is a list"),
        ("deal", offer({"faces": ["destiny-red"]}), "destiny-red is no card"),
        ("deal", offer({"faces": ["attack-banana"]}), "attack-banana is no card"),
        ("deal", offer({"faces": ["reinforcement-x"]}), "reinforcement-x is no card"),
        ("deal", offer({"faces": ["reinforcement-4"]}), "reinforcement-4 is no card"),
        ("deal", offer({"faces": ["flare-Zombie {seat}"]}), "is no card"),
        ("deal", offer({"faces": [8]}), "8 is no card"),
        ("deal", offer({"types": ["attack"]}), "numbers by name"),
        ("deal", offer({"types": {"encounter": 1}}), "encounter is not among the types"),
        ("deal", offer({"types": {"attack": 1.0}}), "attack: 0 to"),
        ("deal", offer({"choice": True}), "choice: 0 to"),
        ("deal", offer({"random": -1}), "random: 0 to"),
        ("deal", offer({"random": 3, "choice": 1}), "more cards than the hand has"),
        ("deal", offer(blue={"random": 3}), "more cards than the hand has"),
        ("deal", offer({"random": 1}, free={"red": 1}), "red is not among the ships to free"),
        ("deal", offer({"random": 1}, free={"green": 3}), "green: 0 to 2, not 3"),
        ("react", "quash", "quash cannot be done now"),
        ("react", ["plague"], "cannot be done now"),
        ("react", False, "False cannot be done now"),
    ],
)
def test_an_illegal_answer_is_refused_with_the_reason(kind: str, answer: Any, reason: str) -> None:
    with pytest.raises(IllegalAnswer, match=reason):
        decision(kind).check(answer)


def test_the_cases_leave_no_kind_out() -> None:
    assert set(BOUNDS) == set(kinds.KINDS)


# ---- hostile answers


class Unhashable:
    __hash__ = None  # type: ignore[assignment]


#: So many digits that Python refuses to write them out.
HUGE = 1 << 20_000

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([2**53, 2**63, -(2**63)])
    | st.booleans().map(lambda below: -HUGE if below else HUGE)
    | st.floats()
    | st.text(max_size=12)
    | st.just("x" * 5000)
    | st.just("{seat}\x1b[2J\ud800")
    | st.binary(max_size=33)
)
#: Words that are almost right, so that answers get past the first check.
KEYS = st.sampled_from(
    [
        "red", "blue", "green", "red-1", "red-2", "offer", "accept", "refuse", "option", "commitment", "signature",
        "card", "nonce", "colony", "faces", "types", "choice", "random", "free", "attack", "min",
    ]
)  # fmt: skip
WORDS = KEYS | st.sampled_from(["attack-08", "negotiate", "flare-x", "miser", "plague"])
NUMBERS = st.sampled_from([0, 1, 2, 7, 11, 12, 1.0, 7.0, 11.0, True, False, -1])
ODD = st.sampled_from([Unhashable(), {1, 2}, frozenset({"red"}), ("red",), bytearray(32), object, 1j])
HOSTILE = st.recursive(
    SCALARS | WORDS | NUMBERS | st.sampled_from([HASH, NONCE, SIGNATURE]) | ODD,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | SCALARS, inner, max_size=4),
    max_leaves=12,
)


def tried(asked: Decision, answer: Any) -> tuple[bool, Any]:
    """Whether an answer is legal, and its normal form or the reason why not. Anything else raised is the test's."""
    try:
        return True, asked.check(answer)
    except IllegalAnswer as refused:
        return False, str(refused)


def nest(depth: int, wrap: bool) -> Any:
    inner: Any = []
    for _ in range(depth):
        inner = {"offer": inner} if wrap else [inner]
    return inner


@settings(max_examples=40)
@given(answer=HOSTILE)
@pytest.mark.parametrize("kind", kinds.KINDS)
def test_a_hostile_answer_is_refused_or_legal_and_nothing_else(kind: str, answer: Any) -> None:
    asked = decision(kind)
    legal, result = tried(asked, answer)
    if legal:
        assert asked.check(result) == result
        assert plain(result)
    else:
        assert len(result) <= LONGEST_REASON


@settings(max_examples=80)
@given(red=HOSTILE, blue=HOSTILE, free=HOSTILE)
def test_hostile_terms_are_refused_or_can_be_told(red: Any, blue: Any, free: Any) -> None:
    legal, result = tried(decision("deal"), {"offer": {"red": red, "blue": blue, "free": free}})
    if legal:
        assert plain(result)
        told = Event(0, "deal-offered", {"seat": "red", "partner": "blue", "terms": result["offer"]}).seen_by("green")
        assert told is not None
        assert sentence(told)
    else:
        assert len(result) <= LONGEST_REASON


@pytest.mark.parametrize("kind", kinds.KINDS)
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("depth", [10, 20_000])
def test_a_deeply_nested_answer_is_refused(kind: str, wrap: bool, depth: int) -> None:
    with pytest.raises(IllegalAnswer):
        decision(kind).check(nest(depth, wrap))


@pytest.mark.parametrize("kind", kinds.KINDS)
@pytest.mark.parametrize("size", [5000, 200_000])
def test_a_long_list_is_refused_with_a_short_reason(kind: str, size: int) -> None:
    for answer in (
        ["x" * 20] * size,
        dict.fromkeys(range(size), 1),
        {"offer": {"red": {"faces": ["negotiate"] * size}}},
    ):
        with pytest.raises(IllegalAnswer) as refused:
            decision(kind).check(answer)
        assert len(str(refused.value)) <= LONGEST_REASON


@given(HOSTILE)
def test_whatever_a_reason_quotes_is_short(value: Any) -> None:
    assert len(shown(value)) <= 60


def plain(value: Any) -> bool:
    """Whether this may go into the record: no floats, no odd types, numbers that every language can hold."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and plain(inner) for key, inner in value.items())
    if isinstance(value, list):
        return all(map(plain, value))
    if isinstance(value, int):
        return abs(value) < 2**53
    return value is None or isinstance(value, str | bytes)


# ---- the door of the game


def new_game() -> Game:
    setup = Setup("g", ("red", "blue", "green"), {}, Options(aliens="fixed", flares=False))
    return Game(setup, bytes(32))


@settings(max_examples=40)
@given(answer=HOSTILE)
def test_a_refused_answer_changes_nothing(answer: Any) -> None:
    game = new_game()
    asked = game.pending[0]
    before = (game.view(asked.seat), list(game.inputs), len(game.events), game.pending)
    try:
        game.answer(asked.seat, asked.id, answer)
    except IllegalAnswer:
        assert (game.view(asked.seat), list(game.inputs), len(game.events), game.pending) == before


def test_a_question_is_answered_once_and_by_its_own_seat() -> None:
    game = new_game()
    asked = game.pending[0]
    other = next(seat for seat in game.setup.seats if seat != asked.seat)
    with pytest.raises(IllegalAnswer, match="not yours"):
        game.answer(other, asked.id, asked.default)
    game.answer(asked.seat, asked.id, asked.default)
    with pytest.raises(IllegalAnswer, match="not open"):
        game.answer(asked.seat, asked.id, asked.default)
    with pytest.raises(IllegalAnswer, match="not open"):
        game.close(asked.group - 1)
