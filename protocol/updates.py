"""The two parts of an update: what all are told, packed once for everybody, and what one player alone is told.

The shared part is deflated. No secret is ever in it, nor a word that anybody has typed: so neither its length nor how
well it deflates tells anything that is not told in it anyway. What is a player's own is never compressed, and never in
one stream with anything else.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from protocol import codec, limits, patch
from protocol.messages import Own, SealedCard, Shared
from protocol.transcript import AnswerEntry

DICTIONARY = Path(__file__).with_name("updates.dict").read_bytes()
"""What deflating begins with: part of the protocol, and the same for all who speak this version."""
WINDOW_BITS = -14
"""Raw deflate, with a window of 16 kB."""
OPENED = "card-opened"
"""The kind of the event that shows a sealed card: with `seat`, `commitment`, `card`, `face`, `nonce`."""
_FRESH = zlib.compressobj(6, zlib.DEFLATED, WINDOW_BITS, 6, zlib.Z_DEFAULT_STRATEGY, DICTIONARY)


def pack(shared: Shared) -> bytes:
    """The bytes of the shared part, as `Update.shared` takes them. Raises ValueError if it is not plain data."""
    deflate = _FRESH.copy()
    return deflate.compress(codec.pack_typed(shared)) + deflate.flush()


def unpack(data: bytes) -> Shared:
    """The shared part of an update. Raises codec.BadFrame for anything else."""
    inflate = zlib.decompressobj(WINDOW_BITS, DICTIONARY)
    try:
        packed = inflate.decompress(data, limits.PUSH.size)
    except zlib.error as error:
        raise codec.BadFrame("bad-frame", "what all are told cannot be inflated") from error
    if not inflate.eof or inflate.unused_data:
        raise codec.BadFrame("bad-frame", "what all are told is too long, or has more behind it")
    return codec.read_packed(packed, limits.PUSH, Shared)


def events(shared: Sequence[dict[str, Any]], own: Own | None) -> list[dict[str, Any]]:
    """The new events as this player sees them, in their order. Raises patch.BadPatch for events without numbers."""
    if own is None or not own.events:
        return list(shared)
    try:
        seen = {event["n"]: event for event in (*shared, *own.events)}
        return [seen[number] for number in sorted(seen)]
    except (KeyError, TypeError) as error:
        raise patch.BadPatch("an event has no number") from error


def apply(view: Mapping[str, Any], shared_patch: Any, own: Own | None) -> dict[str, Any]:
    """The view after an update. Changes none of the arguments. Raises patch.BadPatch if it does not fit."""
    new = patch.apply(view, shared_patch)
    if own is not None:
        new = patch.apply(new, own.patch)
    if "me" in new:
        new["prompts"] = _prompts(view, new, own.asked if own is not None else ())
    return new


def sealed_card(entry: AnswerEntry, waiting: Sequence[Mapping[str, Any]]) -> SealedCard | None:
    """The card that this answer has sealed, if it has, and if its decision is among those that waited.

    Whose signature it is: `fairness.check_commitment`.
    """
    asked = next((one for one in waiting if one.get("id") == entry.decision), {})
    if entry.shown is None or "context" not in asked:
        return None
    try:
        return msgspec.convert({"seat": entry.seat, "context": asked["context"], **entry.shown}, SealedCard)
    except (msgspec.ValidationError, TypeError):
        return None


def asked(
    old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]], waiting: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """What a player is told of his prompts (`Own.asked`) when those before were `old`."""
    entries = {entry["id"]: entry for entry in waiting}
    before = {prompt["id"]: prompt for prompt in old}
    told = []
    for prompt in new:
        number = prompt["id"]
        if number in before and patch.same(before[number], prompt):
            continue
        implied = _implied(entries[number])
        short = {key: value for key, value in prompt.items() if key not in implied or implied[key] != value}
        if short or number in before:
            told.append({"id": number, **short})
    return told


def _prompts(old: Mapping[str, Any], new: Mapping[str, Any], told: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A player's open decisions: those that wait for him, each as he is told now, or as it was, or as it is implied."""
    try:
        known = {prompt["id"]: prompt for prompt in old.get("prompts", ())}
        fresh = {prompt["id"]: prompt for prompt in told}
        mine = [entry for entry in new["waiting"] if entry["seat"] == new["me"]]
        return [
            known[entry["id"]]
            if entry["id"] in known and entry["id"] not in fresh
            else {**_implied(entry), **fresh.get(entry["id"], {})}
            for entry in mine
        ]
    except (KeyError, TypeError) as error:
        raise patch.BadPatch("what waits cannot be read") from error


def _implied(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What a prompt is as far as all know of it: no defaults, and in a window nothing that could be done."""
    window = {"windows": [entry["window"]], "actions": []} if "window" in entry else {}
    return {"default": None, "args": {}, **window, **entry}
