"""docs/protocol.md says what the code does: every message, field, default, error code, limit and word."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from cosmic_net.engine import decisions, terms, view
from protocol import common, limits, messages, transcript, updates, wordlist

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
SHAPES: dict[str, Any] = {
    "welcome": common.Welcome,
    "page": common.Page,
    "table": common.Table,
    "seat info": common.SeatInfo,
    "you": common.You,
    "clocks": common.Clocks,
    "house": common.House,
    "whisper key": common.WhisperKey,
    "box": common.Box,
    "absence": common.Absence,
    "shared": common.Shared,
    "own": common.Own,
    "head": common.Head,
    "context": common.SealContext,
    "sealed card": common.SealedCard,
    "signed seed": common.SignedSeed,
    "standing pass": common.StandingPass,
}
TAGGED: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in (*messages.REQUESTS, *messages.PUSHES)}


def table(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, without its two head rows."""
    section = PAGE.split(f"\n{heading}\n", 1)[1]
    rows = re.search(r"\n(\|.*\n)+", re.split(r"\n##", section)[0] + "\n")
    assert rows is not None, heading
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows[0].strip().split("\n")[2:]]


@pytest.mark.parametrize("name", [*TAGGED, *SHAPES])
def test_every_message_and_shape_has_its_fields_in_the_document(name: str) -> None:
    kind: type[msgspec.Struct] = (TAGGED | SHAPES)[name]
    written = {row[0].strip("`"): "*optional*" in row[1] for row in table(f"### `{name}`")}
    actual = {field.name: not field.required for field in msgspec.structs.fields(kind)}
    assert written == actual


def test_the_document_names_no_message_that_there_is_not() -> None:
    assert set(re.findall(r"\n### `(.*)`\n", PAGE)) == {*TAGGED, *SHAPES}


def test_an_error_has_its_fields_and_codes_in_the_document() -> None:
    assert [row[0].strip("`") for row in table("## Errors")] == list(common.Error.__struct_fields__)
    codes = PAGE.split("\n| code | meaning |\n| --- | --- |\n", 1)[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `([a-z-]+)`", codes, re.M)) == set(get_args(common.ErrorCode))


def test_every_transcript_entry_is_in_the_document() -> None:
    written = {row[0].strip("`"): set(re.findall(r"`(\w+)`", row[1])) for row in table("## The transcript")}
    kinds: Any = transcript.Entry.__args__
    assert written == {kind.__struct_config__.tag: set(kind.__struct_fields__) for kind in kinds}


def test_all_that_a_view_and_a_decision_have_is_in_the_document() -> None:
    section = PAGE.split("\n## The view, decisions, answers\n", 1)[1].split("\n## ", 1)[0]
    named = set(re.findall(r"`(\w+)`", section))
    assert {*view.PUBLIC, *view.PRIVATE} <= named
    decision = decisions.Decision(1, 1, "red", decisions.CHOOSE, "aim", "Where?", {}, None)
    assert set(decision.to_data()) <= named
    assert set(terms.GIFT_KEYS) <= named
    assert {row[0].strip("`") for row in table("## The view, decisions, answers")} == set(decisions.KINDS)


def test_the_sizes_are_those_of_the_document() -> None:
    columns = list(zip(*[row[1:] for row in table("## Limits")], strict=True))
    stated = [limits.Size(*map(int, column)) for column in columns]
    assert stated == [limits.REQUEST, limits.PUSH, limits.VALUE]


def test_the_clocks_are_those_of_the_document() -> None:
    for name, kind, _ in table("### `clocks`"):
        least, most, default = map(float, re.findall(r"[\d.]+", kind))
        assert (default, least, most) == getattr(limits, name.strip("`").replace("_s", "_seconds").upper())


def test_the_words_are_those_of_the_document() -> None:
    listed = PAGE.split("</summary>", 1)[1].split("</details>", 1)[0]
    assert tuple(listed.split()) == wordlist.WORDS


@pytest.mark.parametrize(
    ("stated", "value"),
    [
        ("after every {}nd entry", limits.ENTRIES_PER_SIGNATURE),
        ("window of 2^{} bytes", -updates.WINDOW_BITS),
        ('first {} bytes of H("answer-digest/2"', limits.DIGEST_BYTES),
        ("port {} unless told otherwise", limits.DEFAULT_PORT),
        ("at least {})", limits.REPLIES_KEPT),
        ("least {} pushes", limits.PUSHES_KEPT),
        ("`MAXMSGSIZE` {} at", limits.REQUEST.size + limits.MESSAGE_OVERHEAD),
        ("pings every {} seconds", int(limits.PING_SECONDS)),
        ("After {} seconds without a frame", int(limits.SILENT_SECONDS)),
        ("{} requests a second", int(limits.REQUESTS_PER_SECOND)),
        ("({} at once), 1 `say`", limits.REQUEST_BURST),
        ("within {} seconds (not at practice tables)", int(limits.SEEDING_SECONDS)),
        ("list of at most {} bytes: the name of its kind", limits.ENTRY_BYTES),
        ("| bytes, 1 to {} |", limits.ANSWER_BYTES),
        ("ZAP domain `{}`", limits.ZAP_DOMAIN),
        ("1 to {} code points, no white space", limits.NAME_LENGTH),
    ],
)
def test_numbers_are_those_of_the_document(stated: str, value: Any) -> None:
    assert re.sub(r"\s+", " ", stated.format(value)) in re.sub(r"\s+", " ", PAGE)
