"""Commitments bind: to every field of their context, to the card and to the nonce. Checking one never raises."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cosmic_net.engine import sealing

KEY = bytes(range(32))
NONCE = bytes(range(32, 64))
CONTEXT = sealing.context("g-7c1", 3, 0, "red", KEY)
CARD = 17

CHANGED = {
    "v": 2,
    "game": "g-7c2",
    "encounter": 4,
    "attempt": 1,
    "seat": "blue",
    "key": KEY[::-1],
}

#: Whatever a program could be handed, plain or not.
JUNK = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.booleans().map(lambda below: -(1 << 20_000) if below else 1 << 20_000)
    | st.floats()
    | st.text(max_size=5)
    | st.just("\ud800")
    | st.binary(max_size=40)
    | st.lists(st.integers(), max_size=3)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=3)
    | st.just(object())
)


def test_a_commitment_is_the_hash_of_length_prefixed_fields() -> None:
    parts = [b"cosmic-net/seal", (1).to_bytes(8, "big"), b"g-7c1", (3).to_bytes(8, "big"), (0).to_bytes(8, "big")]
    parts += [b"red", KEY, CARD.to_bytes(8, "big"), NONCE]
    data = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    assert sealing.commitment(CONTEXT, CARD, NONCE) == hashlib.sha256(data).digest()


def test_what_was_committed_to_opens_it() -> None:
    assert sealing.check(CONTEXT, sealing.commitment(CONTEXT, CARD, NONCE), CARD, NONCE)


def test_every_field_of_the_context_is_there() -> None:
    assert set(CONTEXT) == set(sealing.FIELDS) == set(CHANGED)


@pytest.mark.parametrize("field", sealing.FIELDS)
def test_another_value_of_any_field_is_another_commitment(field: str) -> None:
    other = CONTEXT | {field: CHANGED[field]}
    made = sealing.commitment(CONTEXT, CARD, NONCE)
    assert sealing.commitment(other, CARD, NONCE) != made
    assert not sealing.check(other, made, CARD, NONCE)


def test_another_card_or_nonce_does_not_open() -> None:
    made = sealing.commitment(CONTEXT, CARD, NONCE)
    assert not sealing.check(CONTEXT, made, CARD + 1, NONCE)
    assert not sealing.check(CONTEXT, made, CARD, NONCE[::-1])
    assert not sealing.check(CONTEXT, made[:-1] + bytes([made[-1] ^ 1]), CARD, NONCE)


@given(st.text(max_size=6), st.text(max_size=6), st.text(max_size=6), st.text(max_size=6))
def test_fields_do_not_run_into_each_other(game: str, seat: str, other_game: str, other_seat: str) -> None:
    assume((game, seat) != (other_game, other_seat))
    one = sealing.context(game, 1, 1, seat, KEY)
    other = sealing.context(other_game, 1, 1, other_seat, KEY)
    assert sealing.encode(one) != sealing.encode(other)


@given(st.binary(max_size=40), st.binary(min_size=32, max_size=32))
def test_key_card_and_nonce_do_not_run_into_each_other(key: bytes, nonce: bytes) -> None:
    assume(key != KEY or nonce != NONCE)
    other = sealing.context("g-7c1", 3, 0, "red", key)
    assert sealing.commitment(other, CARD, nonce) != sealing.commitment(CONTEXT, CARD, NONCE)


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_nonce_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        sealing.commitment(CONTEXT, CARD, bytes(length))
    assert not sealing.check(CONTEXT, sealing.commitment(CONTEXT, CARD, NONCE), CARD, bytes(length))


@pytest.mark.parametrize("field", sealing.FIELDS)
def test_a_context_without_a_field_seals_nothing(field: str) -> None:
    without = {name: value for name, value in CONTEXT.items() if name != field}
    with pytest.raises(KeyError):
        sealing.commitment(without, CARD, NONCE)
    assert not sealing.check(without, sealing.commitment(CONTEXT, CARD, NONCE), CARD, NONCE)


@pytest.mark.parametrize("value", [True, 1.0, None, [], {}])
def test_a_field_of_a_wrong_type_seals_nothing(value: Any) -> None:
    with pytest.raises(TypeError):
        sealing.encode(CONTEXT | {"encounter": value})


@pytest.mark.parametrize("value", [-1, 2**64])
def test_a_number_that_has_no_8_bytes_seals_nothing(value: int) -> None:
    with pytest.raises(OverflowError):
        sealing.commitment(CONTEXT, value, NONCE)


@given(JUNK, JUNK, JUNK, JUNK)
def test_checking_never_raises(fields: Any, claimed: Any, card: Any, nonce: Any) -> None:
    assert sealing.check(fields, claimed, card, nonce) is False


@given(st.sampled_from(sealing.FIELDS), JUNK)
def test_checking_an_opening_with_one_field_spoilt_never_raises(field: str, value: Any) -> None:
    assume(value != CONTEXT[field] or isinstance(value, bool))
    made = sealing.commitment(CONTEXT, CARD, NONCE)
    assert sealing.check(CONTEXT | {field: value}, made, CARD, NONCE) is False


@given(JUNK, JUNK, JUNK)
def test_checking_a_good_context_never_raises(claimed: Any, card: Any, nonce: Any) -> None:
    made = sealing.commitment(CONTEXT, CARD, NONCE)
    assert sealing.check(CONTEXT, claimed, CARD, NONCE) is False
    assert sealing.check(CONTEXT, made, CARD, nonce) is False
    assert sealing.check(CONTEXT, made, card, NONCE) is (type(card) is int and card == CARD)
