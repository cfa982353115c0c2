"""Patches: exact for every pair of maps, and harmless whatever they say."""

from __future__ import annotations

import contextlib
import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import limits, patch
from protocol.patch import BadPatch
from tests.protocol import strategies

# Few keys and few values, so that two random maps share much; keys that look like the format's own mark.
SMALL = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["", "-"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b", "-", "--", "-a"]), inner, max_size=4)
    ),
    max_leaves=12,
)
SMALL_MAPS = st.dictionaries(st.sampled_from(["a", "b", "-", "--", "-a"]), SMALL, max_size=5)


def exactly(value: Any) -> str:
    """Tells 1 from True, and does not care for the order of keys."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key!r}:{exactly(value[key])}" for key in sorted(value)) + "}"
    return "[" + ",".join(map(exactly, value)) + "]" if isinstance(value, list) else repr(value)


@settings(max_examples=200, deadline=None)
@given(SMALL_MAPS, SMALL_MAPS)
def test_a_patch_turns_old_into_new(old: dict[str, Any], new: dict[str, Any]) -> None:
    before, after = copy.deepcopy(old), copy.deepcopy(new)
    assert exactly(patch.apply(old, patch.diff(old, new))) == exactly(new)
    assert exactly(old) == exactly(before)
    assert exactly(new) == exactly(after)


@settings(max_examples=60, deadline=None)
@given(strategies.maps(), strategies.maps())
def test_a_patch_turns_any_map_into_any_other(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert patch.apply(old, patch.diff(old, new)) == new


@settings(max_examples=60, deadline=None)
@given(SMALL_MAPS)
def test_nothing_changed_is_none(value: dict[str, Any]) -> None:
    assert patch.diff(value, copy.deepcopy(value)) is None
    assert patch.apply(value, None) == value


def test_a_patch_says_only_what_has_changed() -> None:
    old = {"a": {"x": 1, "y": [1, 2]}, "b": {"z": 1}, "c": 1, "big": ["…"] * 100}
    new = {"a": {"x": 1, "y": [1, 3]}, "b": {}, "d": {"e": 2}, "big": ["…"] * 100}
    assert patch.diff(old, new) == {
        "-": ["c"],
        "a": {"y": {"at": 1, "cut": 1, "put": [3]}},
        "b": {"-": ["z"]},
        "d": {"e": 2},
    }


def test_a_list_that_grows_in_its_middle_is_not_sent_again() -> None:
    waiting = [{"id": number} for number in range(40)]
    assert patch.diff({"a": waiting}, {"a": [*waiting[:20], "x", *waiting[20:]]}) == {"a": {"at": 20, "put": ["x"]}}
    assert patch.diff({"a": waiting}, {"a": [*waiting[:20], *waiting[22:]]}) == {"a": {"at": 20, "cut": 2}}


def test_one_is_not_true() -> None:
    assert patch.diff({"a": 1}, {"a": True}) == {"a": True}
    assert patch.diff({"a": [0]}, {"a": [False]}) == {"a": [False]}


def test_a_tuple_travels_as_a_list_and_is_no_change() -> None:
    assert patch.diff({"a": (1, 2)}, {"a": [1, 2]}) is None


@settings(max_examples=200, deadline=None)
@given(SMALL_MAPS, SMALL | strategies.plain(floats=True))
def test_a_hostile_patch_is_refused_or_gives_a_map(old: dict[str, Any], change: Any) -> None:
    before = copy.deepcopy(old)
    with contextlib.suppress(BadPatch):
        assert isinstance(patch.apply(old, change), dict)
    assert exactly(old) == exactly(before)


@pytest.mark.parametrize("change", [1, [], "a", {"-": "a"}, {"-": [1]}, {"-": ["x"]}, {"-": ["a", "a"]}, {1: 2}])
def test_a_malformed_patch_is_refused(change: Any) -> None:
    with pytest.raises(BadPatch):
        patch.apply({"a": 1}, change)


def chain(levels: int, end: Any) -> dict[str, Any]:
    value: dict[str, Any] = {"end": end}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def test_a_patch_reaches_as_deep_as_stated_and_no_deeper() -> None:
    deepest = limits.PATCH_DEPTH
    assert patch.apply(chain(deepest, 1), chain(deepest, 2)) == chain(deepest, 2)
    with pytest.raises(BadPatch):
        patch.apply(chain(deepest + 1, 1), chain(deepest + 1, 2))
    with pytest.raises(ValueError, match="deep"):
        patch.diff(chain(deepest + 1, 1), chain(deepest + 1, 2))
