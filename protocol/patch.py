"""Changes between two maps of plain data, so that a client gets what has changed, not its whole view.

A patch is None (nothing changed) or a map {"-": [removed keys], key: change, ...}. Where the old value of a
key is a map and the change is a map, the change is again a patch for it; where the old value is a list and the
change is a map, it is a splice; otherwise the change is the new value. "-" is left out when nothing is removed.
A key of the data that itself begins with "-" is written with one "-" more in front.

A splice is {"at": place, "cut": number, "put": items}: from that place on, so many items give way to these. Each
of the three may be left out: 0, 0, none. A map that takes the place of a list is {"is": map}.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from protocol import limits

REMOVED = "-"
AT, CUT, PUT, WHOLE = "at", "cut", "put", "is"
_pack = msgspec.msgpack.Encoder().encode


class BadPatch(ValueError):
    """A patch that does not fit the data that it should change."""


class Followed:
    """A map that changes now and then: makes the patch from one state to the next, and packs each value once."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._packed = {key: _packed(value) for key, value in data.items()}
        self.data = data
        """The newest state. Nothing of it may be changed in place."""

    def follow(self, new: Mapping[str, Any]) -> dict[str, Any] | None:
        """The patch to the next state, as `diff` makes it; from then on that is the newest one."""
        old, before = self.data, self._packed
        after = {key: _packed(value) for key, value in new.items()}
        changed = {key for key, packed in after.items() if packed is None or before.get(key) != packed}
        self.data, self._packed = new, after
        if not changed and len(old) == len(new):
            return None
        return diff(
            {key: value for key, value in old.items() if key in changed or key not in new},
            {key: new[key] for key in new if key in changed},
        )


def diff(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any] | None:
    """The patch that turns old into new, so that applying it to old gives new, types included.

    The patch shares parts with `new`. Raises ValueError if maps that changed are nested deeper than
    `limits.PATCH_DEPTH`.
    """
    return _change(old, new, limits.PATCH_DEPTH) or None


def apply(old: Mapping[str, Any], patch: Any) -> dict[str, Any]:
    """The data after a patch. Changes neither argument; parts that did not change are shared with `old`.

    Raises BadPatch if the patch is not a map or None, removes a key that is not there, has a splice that does not
    fit, or is nested deeper than `limits.PATCH_DEPTH`.
    """
    return dict(old) if patch is None else _apply(old, patch, limits.PATCH_DEPTH)


def same(one: Any, other: Any) -> bool:
    """Whether two pieces of plain data are equal, types included: 1 is not True, a tuple counts as a list."""
    if one is other:
        return True
    if isinstance(one, dict):
        return (
            isinstance(other, dict)
            and one.keys() == other.keys()
            and all(same(value, other[key]) for key, value in one.items())
        )
    if isinstance(one, list | tuple):
        return isinstance(other, list | tuple) and len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def _packs_alike(one: Any, other: Any) -> bool:
    """Whether two pieces of data have the same bytes and so are the same: a look that costs little.

    Maps that are the same can have other bytes, in another order.
    """
    if one is other:
        return True
    packed = _packed(one)
    return packed is not None and packed == _packed(other)


def _packed(value: Any) -> bytes | None:
    """The bytes of a piece of data; None for what cannot be packed and has to be compared piece by piece."""
    try:
        return _pack(value)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return None


def _change(old: Mapping[str, Any], new: Mapping[str, Any], depth: int) -> dict[str, Any]:
    """The patch between two maps; empty if they are the same."""
    patch: dict[str, Any] = {}
    if removed := sorted(old.keys() - new.keys()):
        patch[REMOVED] = removed
    for key, value in new.items():
        if key not in old:
            patch[_written(key)] = value
            continue
        before = old[key]
        if _packs_alike(before, value):
            continue
        if isinstance(before, dict) and isinstance(value, dict):
            if nested := _change(before, value, depth - 1):
                patch[_written(key)] = nested
        elif not same(before, value):
            patch[_written(key)] = _instead(before, value)
    if patch and depth <= 0:
        raise ValueError("nested too deeply for a patch")
    return patch


def _instead(before: Any, value: Any) -> Any:
    """What is written where a value takes the place of another one; not two maps."""
    if not isinstance(before, list | tuple):
        return value
    if isinstance(value, dict):
        return {WHOLE: value}
    if not isinstance(value, list | tuple):
        return value
    most = min(len(before), len(value))
    head = _alike(before, value, most)
    tail = _alike(before[::-1], value[::-1], most - head)
    if not head + tail:
        return value
    splice = {AT: head, CUT: len(before) - head - tail, PUT: list(value[head : len(value) - tail])}
    return {name: part for name, part in splice.items() if part}


def _alike(one: Sequence[Any], other: Sequence[Any], most: int) -> int:
    """How many items two lists begin with that are the same, at most so many."""
    for count in range(most):
        if not same(one[count], other[count]):
            return count
    return most


def _spliced(old: Sequence[Any], splice: dict[str, Any]) -> Any:
    if splice.keys() == {WHOLE} and isinstance(splice[WHOLE], dict):
        return splice[WHOLE]
    at, cut, put = splice.get(AT, 0), splice.get(CUT, 0), splice.get(PUT, [])
    whole = type(at) is int and type(cut) is int and isinstance(put, list)
    if not whole or not splice.keys() <= {AT, CUT, PUT} or not 0 <= at <= at + cut <= len(old):
        raise BadPatch("a splice does not fit its list")
    return [*old[:at], *put, *old[at + cut :]]


def _apply(old: Mapping[str, Any], patch: Any, depth: int) -> dict[str, Any]:
    if depth == 0:
        raise BadPatch("a patch is nested too deeply")
    if not isinstance(patch, dict):
        raise BadPatch("a patch is a map")
    new = dict(old)
    _remove(new, patch.get(REMOVED, []))
    for written, change in patch.items():
        if written != REMOVED:
            key = _read(written)
            before = new.get(key)
            if isinstance(before, dict) and isinstance(change, dict):
                change = _apply(before, change, depth - 1)
            elif isinstance(before, list | tuple) and isinstance(change, dict):
                change = _spliced(before, change)
            new[key] = change
    return new


def _remove(new: dict[str, Any], keys: Any) -> None:
    if not isinstance(keys, list):
        raise BadPatch("removed keys are a list")
    for key in keys:
        if not isinstance(key, str) or key not in new:
            raise BadPatch("a patch removes what is not there")
        del new[key]


def _written(key: str) -> str:
    return "-" + key if key.startswith(REMOVED) else key


def _read(written: Any) -> str:
    if not isinstance(written, str):
        raise BadPatch("map keys are strings")
    return written[1:] if written.startswith(REMOVED) else written
