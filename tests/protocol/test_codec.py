"""Frames: what goes in comes out, and nothing else gets in."""

from __future__ import annotations

from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import codec, limits, messages, updates
from protocol.codec import BadFrame
from tests.protocol import strategies

HELLO = messages.Hello(
    id=7, versions=[limits.VERSION], name="Ann", sign_key=b"k" * 32, proof=b"s" * 64, session=b"i" * 16, seen=3
)


def packed(**fields: Any) -> bytes:
    return bytes(msgpack.packb(fields))


def refusal(frame: bytes, decode: Any = codec.decode_request) -> BadFrame:
    with pytest.raises(BadFrame) as caught:
        decode(frame)
    return caught.value


@pytest.mark.parametrize("kind", messages.REQUESTS, ids=lambda kind: kind.__name__)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_every_request_survives_the_wire(kind: type, data: st.DataObject) -> None:
    message = data.draw(strategies.of(kind))
    if isinstance(message, messages.Hello):
        message = messages.Hello(**{**_fields(message), "versions": [limits.VERSION]})
    assert codec.decode_request(codec.encode(message)) == message


@pytest.mark.parametrize("kind", messages.PUSHES, ids=lambda kind: kind.__name__)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_every_push_survives_the_wire(kind: type, data: st.DataObject) -> None:
    message = data.draw(strategies.of(kind))
    assert codec.decode_push(codec.encode(message)) == message


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([messages.Welcome, messages.Page]).flatmap(strategies.of))
def test_reply_bodies_survive_the_wire(body: Any) -> None:
    reply = codec.decode_push(codec.encode(messages.Reply(id=1, ok=True, body=codec.make_body(body))))
    assert isinstance(reply, messages.Reply)
    assert codec.read_body(reply.body, type(body)) == body


def test_a_reply_body_of_another_shape_is_refused() -> None:
    with pytest.raises(BadFrame):
        codec.read_body({"start": 0}, messages.Page)
    with pytest.raises(BadFrame):
        codec.read_body(None, messages.Page)


def test_requests_and_pushes_are_not_confused() -> None:
    assert refusal(codec.encode(messages.Superseded())).code == "unknown-type"
    assert refusal(codec.encode(HELLO), codec.decode_push).code == "unknown-type"


@pytest.mark.parametrize(
    "change",
    [
        {"id": "7"},
        {"id": True},
        {"id": 7.0},
        {"id": 0},
        {"id": -1},
        {"id": 2**53},
        {"name": ""},
        {"name": " Ann"},
        {"name": "Ann\n"},
        {"name": "A" * 25},
        {"name": "A\x1b[2J"},
        {"name": "A\u202enn"},
        {"name": "A\u200dnn"},
        {"name": b"Ann"},
        {"sign_key": b"k" * 31},
        {"sign_key": "k" * 32},
        {"proof": b"s" * 65},
        {"kind": "admin"},
        {"versions": [limits.VERSION] * 17},
        {"versions": ["2", 2]},
        {"features": ["x"] * 33},
        {"extra": 1},
        {"seen": None},
    ],
    ids=ascii,
)
def test_a_wrong_field_is_refused_and_the_request_named(change: dict[str, Any]) -> None:
    frame = msgpack.unpackb(codec.encode(HELLO)) | change
    wrong = refusal(packed(**frame))
    assert wrong.code == "bad-frame"
    assert wrong.request_id == (None if "id" in change else 7)
    assert wrong.reason.isprintable()


def test_a_missing_field_is_refused() -> None:
    for name in ("id", "name", "sign_key", "proof", "session", "versions"):
        frame = msgpack.unpackb(codec.encode(HELLO))
        del frame[name]
        assert refusal(packed(**frame)).code == "bad-frame"


def test_fields_with_a_default_may_be_left_out() -> None:
    assert codec.decode_request(packed(t="sit", id=3)) == messages.Sit(id=3)


def test_an_unknown_type_is_named_as_such() -> None:
    wrong = refusal(packed(t="teleport", id=3))
    assert (wrong.code, wrong.request_id) == ("unknown-type", 3)
    assert refusal(packed(id=3)).code == "unknown-type"
    assert refusal(packed(t=["sit"], id=3)).code == "unknown-type"


def test_a_hello_of_a_future_version_is_told_so_whatever_else_it_says() -> None:
    wrong = refusal(packed(t="hello", id=3, versions=[1, 3], telepathy=True))
    assert (wrong.code, wrong.request_id) == ("version", 3)


def test_one_common_version_is_enough() -> None:
    hello = messages.Hello(**{**_fields(HELLO), "versions": [9, limits.VERSION]})
    assert codec.decode_request(codec.encode(hello)) == hello


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\xc1",
        msgpack.packb([1]),
        msgpack.packb(5),
        msgpack.packb(None),
        packed(t="sit", id=3) + b"\x00",
        packed(t="sit", id=3)[:-1],
        msgpack.packb({1: 2}),
        msgpack.packb({"t": "ping", "id": 1, "seen": msgpack.Timestamp(1, 0)}),
        msgpack.packb({"t": "ping", "id": 1, "seen": msgpack.ExtType(4, b"x")}),
        msgpack.packb({b"t": "sit", "id": 3}),
        b"\xdf\xff\xff\xff\xff",
        b"\x81\xa1t\xdd\xff\xff\xff\xff",
        b"\x81\xa1t\xa1\xff",
    ],
    ids=lambda frame: frame.hex()[:30] or "empty",
)
def test_what_is_no_map_of_plain_data_is_refused(frame: bytes) -> None:
    assert refusal(frame).code == "bad-frame"
    assert refusal(frame, codec.decode_push).code == "bad-frame"


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


def test_nesting_is_limited_to_the_stated_depth() -> None:
    def options(levels: int) -> bytes:
        return packed(t="options", id=1, options=nested(levels))

    codec.decode_request(options(limits.REQUEST.depth - 1))
    assert refusal(options(limits.REQUEST.depth)).reason == "nested too deeply"
    assert refusal(options(900)).code == "bad-frame"
    assert refusal(b"\x91" * 60_000).code == "bad-frame"


def test_frames_are_limited_to_the_stated_size() -> None:
    answer = messages.Answer(id=1, decision=1, value=b"x" * limits.ANSWER_BYTES, count=1, signature=b"s" * 64)
    assert codec.decode_request(codec.encode(answer)) == answer
    assert "longer than" in refusal(bytes(limits.REQUEST.size + 1)).reason
    assert "longer than" in refusal(bytes(limits.PUSH.size + 1), codec.decode_push).reason


def test_a_message_that_nobody_would_read_is_not_sent() -> None:
    with pytest.raises(ValueError, match="longer than"):
        codec.encode(messages.SetOptions(id=1, options={"x": "y" * limits.REQUEST.size}))


def test_what_is_not_plain_data_is_not_sent() -> None:
    with pytest.raises(ValueError, match="not plain data"):
        codec.encode(messages.Reply(id=1, ok=True, body={"x": object()}))
    with pytest.raises(ValueError, match="not plain data"):
        codec.encode(messages.Reply(id=1, ok=True, body={"x": 2**64}))


def test_clocks_travel_with_their_timer_numbers() -> None:
    shared = messages.Shared(clocks={12: 2500, 11: None})
    update = messages.Update(n=1, shared=updates.pack(shared))
    again = codec.decode_push(codec.encode(update))
    assert isinstance(again, messages.Update)
    assert updates.unpack(again.shared) == shared


@settings(max_examples=120, deadline=None)
@given(st.binary(max_size=200))
def test_random_bytes_are_refused_and_nothing_else_happens(frame: bytes) -> None:
    for decode in (codec.decode_request, codec.decode_push):
        with pytest.raises(BadFrame):
            decode(frame)


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_a_damaged_frame_is_refused_or_still_a_message(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from((*messages.REQUESTS, *messages.PUSHES)))
    frame = bytearray(codec.encode(data.draw(strategies.of(kind))))
    for _ in range(data.draw(st.integers(1, 4))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    for decode in (codec.decode_request, codec.decode_push):
        try:
            message = decode(bytes(frame))
        except BadFrame:
            continue
        assert decode(codec.encode(message)) == message


@settings(max_examples=80, deadline=None)
@given(st.sampled_from((*messages.REQUESTS, *messages.PUSHES)), st.data())
def test_right_names_with_wrong_contents_raise_only_what_is_promised(kind: Any, data: st.DataObject) -> None:
    names = [name for name in strategies.field_names(kind) if data.draw(st.booleans())]
    fields = {name: data.draw(strategies.plain(4, floats=True)) for name in names}
    frame = packed(**{"t": kind.__struct_config__.tag, **fields})
    for decode in (codec.decode_request, codec.decode_push):
        try:
            decode(frame)
        except BadFrame as wrong:
            assert wrong.code in ("bad-frame", "unknown-type", "version")  # noqa: PT017


@settings(max_examples=100, deadline=None)
@given(strategies.plain())
def test_packed_values_come_back_and_have_one_form(value: Any) -> None:
    data = codec.pack_value(value)
    assert codec.unpack_value(data) == value
    assert codec.pack_value(_reordered(value)) == data


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=60))
def test_bytes_are_a_packed_value_only_in_its_one_form(data: bytes) -> None:
    try:
        value = codec.unpack_value(data)
    except ValueError:
        return
    assert codec.pack_value(value) == data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xcd\x00\x01",
        b"\x82\xa1b\x01\xa1a\x02",
        b"\x82\xa1a\x01\xa1a\x01",
        b"\xca\x3f\x80\x00\x00",
        b"\x01\x01",
    ],
    ids=["nothing", "long integer", "unsorted", "twice the same key", "float", "something after it"],
)
def test_another_form_of_a_value_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        codec.unpack_value(data)


@pytest.mark.parametrize(
    "value", [1.0, {1: 2}, {1}, 2**64, nested(13), {"a": {b"b": 1}}, "\ud800"], ids=lambda it: ascii(it)[:20]
)
def test_what_has_no_packed_form_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        codec.pack_value(value)


def _fields(message: Any) -> dict[str, Any]:
    return {name: getattr(message, name) for name in strategies.field_names(type(message))}


def _reordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _reordered(value[key]) for key in reversed(value)}
    return tuple(map(_reordered, value)) if isinstance(value, list) else value
