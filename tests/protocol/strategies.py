"""Random messages, made from the message types themselves so that no field and no bound is forgotten."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

INT64 = st.integers(-(2**63), 2**64 - 1)
KEYS = st.text(max_size=8)


def plain(max_leaves: int = 12, floats: bool = False) -> st.SearchStrategy[Any]:
    """Plain data as the engine makes it."""
    leaves: st.SearchStrategy[Any] = st.none() | st.booleans() | INT64 | st.text(max_size=8) | st.binary(max_size=8)
    if floats:
        leaves |= st.floats(allow_nan=False)
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
        max_leaves=max_leaves,
    ).filter(lambda value: depth(value) <= 8)


def maps(max_leaves: int = 12) -> st.SearchStrategy[dict[str, Any]]:
    """Maps of plain data, as views and events are."""
    return st.dictionaries(KEYS, plain(max_leaves), max_size=5).filter(lambda value: depth(value) <= 8)


def depth(value: Any) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def of(kind: type) -> st.SearchStrategy[Any]:
    """Any valid instance of a message type or another struct."""
    return _struct(inspect.type_info(kind))


def _struct(info: Any) -> st.SearchStrategy[Any]:
    return st.builds(info.cls, **{field.name: _type(field.type) for field in info.fields})


def _type(info: Any) -> st.SearchStrategy[Any]:
    match info:
        case inspect.Metadata():
            return _type(info.type)
        case inspect.StructType():
            return _struct(info)
        case inspect.UnionType():
            return st.one_of([_type(member) for member in info.types])
        case inspect.NoneType():
            return st.none()
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType():
            return st.integers(info.ge, info.le)
        case inspect.FloatType():
            return st.floats(info.ge, info.le)
        case inspect.LiteralType():
            return st.sampled_from(info.values)
        case inspect.BytesType():
            least = info.min_length or 0
            return st.binary(min_size=least, max_size=least if info.max_length == least else least + 20)
        case inspect.StrType():
            return _text(info)
        case inspect.ListType():
            return st.lists(_type(info.item_type), max_size=min(3, info.max_length or 3))
        case inspect.DictType():
            values = plain(4) if isinstance(info.value_type, inspect.AnyType) else _type(info.value_type)
            return st.dictionaries(_type(info.key_type), values, max_size=min(3, info.max_length or 3))
        case inspect.AnyType():
            return plain()
    raise AssertionError(f"no strategy for {info}")


def _text(info: Any) -> st.SearchStrategy[str]:
    alphabet = "abcz09-"
    if info.pattern is None or "[a-z0-9-]" not in info.pattern:
        alphabet += "ÄöЖ漢 😀\"'\\{}"
    texts = st.text(alphabet, min_size=info.min_length or 0, max_size=min(info.max_length or 12, 12))
    return texts.map(lambda text: text.strip() or "x") if info.min_length else texts


def optional(kind: type[msgspec.Struct]) -> set[str]:
    """The fields that may be left out."""
    return {field.name for field in msgspec.structs.fields(kind) if not field.required}


def field_names(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    return kind.__struct_encode_fields__
