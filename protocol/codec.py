"""Frames to messages and back, with limits on everything before anything is used.

A frame is one msgpack map. Decoding is in three steps: size and msgpack limits, nesting, then a strict typed
conversion. Packed *values* (answers, setups, transcript entries) have exactly one byte form each, so that
they can be signed and hashed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar, cast

import msgpack  # type: ignore[import-untyped]
import msgspec

from protocol import limits
from protocol.common import UNPRINTABLE_RE, ErrorCode, Shape
from protocol.pushes import PUSHES, Push
from protocol.requests import REQUESTS, Request

_REQUEST_TYPES: dict[str, type] = {str(cls.__struct_config__.tag): cls for cls in REQUESTS}
_PUSH_TYPES: dict[str, type] = {str(cls.__struct_config__.tag): cls for cls in PUSHES}
_REGEX = re.compile(r"matching regex .*?'(?= - at|$)")
_S = TypeVar("_S", bound=Shape)
_encode = msgspec.msgpack.Encoder().encode


class BadFrame(ValueError):
    """A frame that cannot be used.

    `code` is the error to answer with ("bad-frame", "unknown-type" or "version"), `reason` a sentence for
    people, `request_id` the frame's id if it could be read.
    """

    def __init__(self, code: ErrorCode, reason: str, request_id: int | None = None) -> None:
        super().__init__(reason)
        self.code: ErrorCode = code
        self.reason = reason
        self.request_id = request_id


def encode(message: Request | Push) -> bytes:
    """The frame of a message. Raises ValueError if it is too long for the receiver, or not plain data."""
    limit = (limits.PUSH if type(message) in PUSHES else limits.REQUEST).size
    frame = pack_typed(message)
    if len(frame) > limit:
        raise ValueError(f"a frame of {len(frame)} bytes is longer than {limit}")
    return frame


def decode_request(frame: bytes) -> Request:
    """The request in a frame that a client sent. Raises BadFrame, and nothing else."""
    data = _frame(frame, limits.REQUEST)
    # A newer client's hello may have fields that we do not know: say that the version is the trouble.
    if data.get("t") == "hello" and not _speaks_ours(data.get("versions")):
        raise BadFrame("version", f"this host speaks protocol version {limits.VERSION}", _request_id(data))
    return cast(Request, _typed(data, _REQUEST_TYPES))


def decode_push(frame: bytes) -> Push:
    """The reply or push in a frame that the host sent. Raises BadFrame, and nothing else."""
    return cast(Push, _typed(_frame(frame, limits.PUSH), _PUSH_TYPES))


def read_body(body: Mapping[str, Any] | None, kind: type[_S]) -> _S:
    """The typed body of a reply: `read_body(reply.body, Welcome)`. Raises BadFrame."""
    try:
        return msgspec.convert(body, kind, strict=True, builtin_types=(bytes,), str_keys=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadFrame("bad-frame", _readable(error)) from error


def make_body(body: Shape) -> dict[str, Any]:
    """A typed body as the plain data that `Reply.body` takes."""
    return cast(dict[str, Any], msgspec.to_builtins(body, builtin_types=(bytes,), str_keys=True))


def pack_value(value: Any) -> bytes:
    """The one byte form of plain data: msgpack, shortest forms, map keys sorted by code point.

    Allowed are None, bool, int (64 bits), str, bytes, lists (tuples count as lists) and maps with str keys,
    nested `limits.VALUE.depth` deep. Raises ValueError for anything else (floats included).
    """
    try:
        return cast(bytes, msgpack.packb(_canonical(value, limits.VALUE.depth)))
    except (OverflowError, UnicodeEncodeError) as error:
        raise ValueError(f"not plain data: {error}") from error


def unpack_value(data: bytes) -> Any:
    """The plain data of a packed value. Raises ValueError for any other than `pack_value`'s bytes."""
    value = _unpack(data, limits.VALUE)
    if pack_value(value) != data:
        raise ValueError("not the canonical form of this value")
    return value


def pack_typed(message: Request | Push | Shape) -> bytes:
    """The msgpack bytes of a message, or of a part of one. Raises ValueError if it is not plain data."""
    try:
        return _encode(msgspec.to_builtins(message, builtin_types=(bytes,), str_keys=True))
    except (TypeError, OverflowError, RecursionError, UnicodeEncodeError) as error:
        raise ValueError(f"not plain data: {error}") from error


def read_packed(data: bytes, limit: limits.Size, kind: type[_S]) -> _S:
    """The typed map in these msgpack bytes. Raises BadFrame."""
    return read_body(_frame(data, limit), kind)


def _canonical(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool | int | str | bytes):
        return value
    if depth == 0:
        raise ValueError("nested too deeply")
    if isinstance(value, list | tuple):
        return [_canonical(item, depth - 1) for item in value]
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise ValueError("map keys must be strings")
        return {key: _canonical(value[key], depth - 1) for key in sorted(value)}
    raise ValueError(f"not plain data: {type(value).__name__}")


def _unpack(data: bytes, limit: limits.Size) -> Any:
    """The plain data of msgpack bytes. Extension types and timestamps are refused. Raises ValueError."""
    if len(data) > limit.size:
        raise ValueError(f"longer than {limit.size} bytes")
    try:
        return msgpack.unpackb(
            data,
            raw=False,
            strict_map_key=True,
            max_ext_len=0,
            max_str_len=limit.string,
            max_bin_len=limit.binary,
            max_array_len=limit.array,
            max_map_len=limit.pairs,
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(_readable(error) or "not msgpack") from error


def _frame(frame: bytes, limit: limits.Size) -> dict[str, Any]:
    """The map in a frame, within its limits. Raises BadFrame."""
    try:
        data = _unpack(frame, limit)
    except ValueError as error:
        raise BadFrame("bad-frame", str(error)) from error
    if not isinstance(data, dict):
        raise BadFrame("bad-frame", "a frame is one map")
    _check_depth(data, limit.depth, _request_id(data))
    return data


def _check_depth(data: Any, depth: int, request_id: int | None) -> None:
    """Refuses data that is nested too deeply, and map keys that are not strings."""
    level: list[Any] = [data]
    while level:
        if depth == 0:
            raise BadFrame("bad-frame", "nested too deeply", request_id)
        depth -= 1
        below: list[Any] = []
        for container in level:
            if isinstance(container, dict):
                if not all(isinstance(key, str) for key in container):
                    raise BadFrame("bad-frame", "map keys must be strings", request_id)
                container = container.values()
            below.extend(item for item in container if isinstance(item, dict | list))
        level = below


def _typed(data: dict[str, Any], types: Mapping[str, type]) -> Any:
    tag = data.get("t")
    kind = types.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise BadFrame("unknown-type", "there is no message of this type", _request_id(data))
    try:
        return msgspec.convert(data, kind, strict=True, builtin_types=(bytes,), str_keys=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadFrame("bad-frame", _readable(error), _request_id(data)) from error


def _request_id(data: Mapping[str, Any]) -> int | None:
    value = data.get("id")
    return value if type(value) is int and 1 <= value <= limits.MAX_ID else None


def _speaks_ours(versions: Any) -> bool:
    return not isinstance(versions, list) or any(version in limits.VERSIONS for version in versions)


def _readable(error: BaseException) -> str:
    """An error's text, short and safe to print: it may quote what the sender wrote."""
    text = _REGEX.sub("of the allowed characters", str(error))
    return UNPRINTABLE_RE.sub("?", text)[: limits.TEXT_LENGTH // 2]
