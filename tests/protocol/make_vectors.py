"""Writes tests/vectors/*.json: examples of all that another implementation has to get right to the byte.

    python -m tests.protocol.make_vectors

Bytes stand in the files as {"hex": "..."}. Review the diff: a change here is a change of the protocol.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from cosmic_net.engine import sealing
from protocol import (
    codec,
    fairness,
    fields,
    identity,
    joincode,
    keyservice,
    limits,
    messages,
    passphrase,
    patch,
    signing,
    transcript,
    updates,
    whisper,
    z85,
)
from protocol.identity import Identity
from tests.protocol import examples

FOLDER = Path(__file__).parent.parent / "vectors"


def frames() -> Any:
    """Whole frames with their meaning, and frames that have to be refused."""
    return {
        "requests": [_frame(message) for message in examples.REQUESTS],
        "pushes": [_frame(message) for message in examples.PUSHES],
        "refused_by_host": [
            {"why": why, "frame": frame, "code": code, "id": number} for why, frame, code, number in examples.REFUSED
        ],
    }


def values() -> Any:
    """The canonical form of plain data, and other forms of it, which have to be refused."""
    good = [
        None, False, True, 0, 127, 128, -1, -32, -33, 2**53 - 1, 2**64 - 1, -(2**63), "", "cosmic", "Ä漢",
        b"", b"\x00\xff", [], ["blue-1"], [[1, "negotiate"], [2, "attack-08"]], {}, {"red-1": 2, "red-2": 2},
        {"b": 1, "a": 2, "Z": 3, "é": 4, "aa": 5}, {"offer": {"cards": [3], "colony": True}}, list(range(20)),
    ]  # fmt: skip
    bad = {
        "an integer longer than needed": b"\xcd\x00\x01",
        "a string header longer than needed": b"\xd9\x01a",
        "a signed form of a positive number": b"\xd0\x01",
        "keys not sorted": b"\x82\xa1b\x01\xa1a\x02",
        "the same key twice": b"\x82\xa1a\x01\xa1a\x01",
        "a float": b"\xca\x3f\x80\x00\x00",
        "a key that is not a string": b"\x81\x01\x01",
        "an extension type": b"\xd4\x01\x00",
        "something behind it": b"\x01\x01",
        "cut off": b"\x92\x01",
        "not UTF-8": b"\xa1\xff",
        "nothing": b"",
    }
    return {
        "values": [{"value": value, "packed": codec.pack_value(value)} for value in good],
        "refused": [{"why": why, "packed": data} for why, data in bad.items()],
    }


def patches() -> Any:
    """Patches between maps, and patches that have to be refused."""
    pairs: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({}, {}),
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"a": True}),
        ({"a": 1}, {"a": None}),
        ({"a": 1, "b": 2, "c": 3}, {"b": 2}),
        ({"a": 1}, {"a": 1, "b": {"c": 1}}),
        ({"a": {"b": {"c": 1, "d": 2}}}, {"a": {"b": {"c": 1, "d": 3}}}),
        ({"a": {"b": 1}}, {"a": {}}),
        ({"a": {"b": 1}}, {"a": [1]}),
        ({"a": [1]}, {"a": {"b": 1}}),
        ({"a": [1, 2, 3]}, {"a": [1, 2]}),
        ({"a": [1, 2, 3]}, {"a": [1, 4, 5, 3]}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
        ({"a": [1, 2]}, {"a": [0, 1, 2]}),
        ({"a": [[1], {"b": 1}]}, {"a": [[1], {"b": 2}]}),
        ({"-": 1, "-a": 1}, {"-": 2, "-b": 1}),
    ]
    bad: list[tuple[str, dict[str, Any], Any]] = [
        ("not a map", {"a": 1}, [1]),
        ("removes what is not there", {"a": 1}, {"-": ["b"]}),
        ("removes twice", {"a": 1}, {"-": ["a", "a"]}),
        ("removed keys are no list", {"a": 1}, {"-": "a"}),
        ("a splice cuts more than there is", {"a": [1, 2]}, {"a": {"at": 1, "cut": 2}}),
        ("a splice begins behind the list", {"a": [1, 2]}, {"a": {"at": 3, "put": [1]}}),
        ("a splice begins before the list", {"a": [1, 2]}, {"a": {"at": -1, "put": [1]}}),
        ("a splice puts what is no list", {"a": [1, 2]}, {"a": {"put": 3}}),
        ("a splice with a key that there is not", {"a": [1, 2]}, {"a": {"b": 3}}),
    ]
    return {
        "patches": [{"old": old, "new": new, "patch": patch.diff(old, new)} for old, new in pairs],
        "refused": [{"why": why, "old": old, "patch": change} for why, old, change in bad],
    }


def identities() -> Any:
    """What comes from a secret: keys, proofs, nonces, shares of the seed."""
    host_key = examples.HOST.curve_key
    out = []
    for secret in (examples.SECRET, bytes(32)):
        who = Identity(secret)
        context = sealing.context("g-7c1", 3, 0, "red", who.sign_key)
        out.append(
            {
                "secret": secret,
                "curve_public": who.curve_key,
                "curve_secret": z85.decode(who.curve_secret),
                "curve_public_z85": who.curve_public.decode(),
                "curve_secret_z85": who.curve_secret.decode(),
                "sign_key": who.sign_key,
                "host_key": host_key,
                "hello_proof": who.prove(host_key),
                "host_proof": who.prove_host(),
                "context": context,
                "nonce": identity.derive_nonce(secret, context),
                "salt": b"salt",
                "nonce_with_salt": identity.derive_nonce(secret, context, b"salt"),
                "game": "g-7c1",
                "host_commitment": bytes(range(32)),
                "seed_value": identity.derive_seed_value(secret, "g-7c1", bytes(range(32))),
            }
        )
    return {"fields": _fields(), "identities": out}


def sealed() -> Any:
    """Commitments to cards, and a seed drawn together."""
    seals = []
    for card, context in (
        (17, sealing.context("g-7c1", 3, 0, "red", examples.ANN.sign_key)),
        (0, sealing.context("g-7c1", 3, 1, "red", examples.ANN.sign_key)),
        (2**53 - 1, sealing.context("g", 120, 0, "purple", examples.ANN.sign_key)),
    ):
        seal = fairness.seal(examples.ANN, context, card)
        seals.append({"context": context, "card": card, **seal._asdict()})
    shares = {"red": b"r" * 32, "blue": b"b" * 32, "green": bytes(32)}
    game, host = "g-7c1", b"h" * 32
    return {
        "seals": seals,
        "seed": {
            "game": game,
            "host_value": host,
            "values": shares,
            "host_commitment": fairness.seed_commitment(game, "host", host),
            "commitments": {seat: fairness.seed_commitment(game, seat, share) for seat, share in shares.items()},
            "red_sign_key": examples.ANN.sign_key,
            "red_signature": fairness.sign_seed(
                examples.ANN, game, "red", fairness.seed_commitment(game, "red", shares["red"])
            ),
            "seed": fairness.combine(game, host, shares),
        },
    }


def chain() -> Any:
    """A transcript, its heads and words, and signatures of heads, answers and standing passes."""
    game, setup = "g-7c1", codec.pack_value({"seats": ["red", "blue"]})
    follow = transcript.Transcript(game, setup)
    heads = [{"head": follow.head, "words": follow.words}]
    steps = []
    for entry in examples.ENTRIES:
        data = transcript.encode_entry(entry)
        follow.append(data)
        heads.append({"head": follow.head, "words": follow.words})
        steps.append({"meaning": _builtins(entry), "entry": data})
    head = bytes(range(32))
    value = codec.pack_value(["blue-1"])
    answer = signing.sign_answer(examples.ANN, game, 5, value, head)
    opening = transcript.Opening(value=value, head=head, signature=answer)
    return {
        "game": game,
        "setup": setup,
        "entries": steps,
        "heads": heads,
        "answer": {
            "sign_key": examples.ANN.sign_key,
            "decision": 5,
            "value": value,
            "head": head,
            "signature": answer,
            "digest": signing.answer_digest(game, 5, value, head, answer),
            "opening": transcript.encode_opening(opening),
        },
        "passes": {
            "sign_key": examples.ANN.sign_key,
            "seat": "red",
            "until": "turn",
            "keep": ["reveal", "ships"],
            "head": head,
            "signature": signing.sign_passes(examples.ANN, game, "red", "turn", ["reveal", "ships"], head),
        },
        "head_signature": {
            "sign_key": examples.HOST.sign_key,
            "count": 4,
            "head": head,
            "signature": signing.sign_head(examples.HOST, game, 4, head),
        },
    }


def _key_answer(key: bytes) -> dict[str, Any]:
    now = 1_700_000_000_123
    return {"time_ms": now, "response": keyservice.response(key, now)}


def joining() -> Any:
    """Join codes, invites, addresses, texts to refuse, fingerprint words, the key service."""
    key = examples.HOST.curve_key
    code = joincode.short_code("192.168.1.20", 21977, key)
    others = [
        code.lower().replace("-", " "),
        code.replace("0", "o").replace("1", "l"),
        joincode.short_code("255.255.255.255", limits.MAX_PORT, bytes(32)),
        joincode.short_code("0.0.0.0", 1, bytes(range(32))),
        joincode.invite("192.168.1.20", 21977, key),
        joincode.invite("tower.local", 5000, key),
        joincode.invite("fe80::1%eth0", 5000, key),
        "tower.local:5000",
        "tower.local",
        "[::1]:5000",
    ]
    texts = [code, *others]
    bad = [
        code[:-1],
        "U" + code[1:],
        code[:-1] + ("0" if code[-1] != "0" else "1"),
        "fe80::1:5",
        "pc:0",
        "pc:x",
        "",
    ]
    return {
        "host_key": key,
        "fingerprint": joincode.fingerprint(key),
        "fingerprint_words": joincode.fingerprint_words(key),
        "texts": [{"text": text, **_invite(joincode.parse(text))} for text in texts],
        "refused": bad,
        "key_service": {"request": keyservice.REQUEST, **_key_answer(key)},
    }


def passphrases() -> Any:
    """The keys that passphrases give, and the proofs that somebody knows them."""
    host_key, curve_key = examples.HOST.curve_key, examples.ANN.curve_key
    written = ["three blue stars", "Ähre", "A\u0308hre"]
    keys = [passphrase.make_key(words, host_key) for words in written]
    return {
        "host_key": host_key,
        "curve_key": curve_key,
        "passphrases": [
            {"passphrase": words, "key": key, "proof": passphrase.prove(key, host_key, curve_key)}
            for words, key in zip(written, keys, strict=True)
        ],
    }


def whispers() -> Any:
    """Whispers from one program to another, and the same bytes where they mean nothing."""
    secret, other = examples.WHISPERS, X25519PrivateKey.from_private_bytes(b"o" * 32)
    host_key, key, other_key = examples.HOST.curve_key, whisper.public(secret), whisper.public(other)
    signers = (examples.ANN.sign_key, Identity(bytes(32)).sign_key)
    made: list[dict[str, Any]] = []
    for number, game, text in (
        (1, "", "Hello!"),
        (2, "g-7c1", "x" * 126),
        (3, "g-7c1", "x" * 127),
        (4, "g-7c1", "Ä漢" * 250),
    ):
        way = whisper.Way(host_key, game, "red", "blue", *signers, number)
        nonce = bytes([number]) * whisper.NONCE_BYTES
        made.append(
            {
                "game": game,
                "number": number,
                "text": text,
                "nonce": nonce,
                "data": whisper.seal(secret, other_key, way, text, nonce),
            }
        )
    first = made[1]
    return {
        "host_key": host_key,
        "from": "red",
        "to": "blue",
        "from_secret": b"w" * 32,
        "from_key": key,
        "to_secret": b"o" * 32,
        "to_key": other_key,
        "from_sign_key": signers[0],
        "to_sign_key": signers[1],
        "from_signature": whisper.vouch(examples.ANN, host_key, key),
        "whispers": made,
        "refused": [
            {"why": "another number", **first, "number": 3},
            {"why": "another game", **first, "game": "g-7c2"},
            {"why": "changed", **first, "data": first["data"][:-1] + bytes([first["data"][-1] ^ 1])},
            {"why": "cut off", **first, "data": first["data"][:20]},
        ],
    }


def told() -> Any:
    """Updates: what is deflated in them, and what becomes of a view and its events."""
    view = {
        "me": "red", "turn": 1, "planets": {"red-1": {"red": 4}}, "winners": [], "hand": [[17, "attack-08"]],
        "waiting": [], "prompts": [],
    }  # fmt: skip
    update = next(push for push in examples.PUSHES if isinstance(push, messages.Update))
    shared = updates.unpack(update.shared)
    assert update.own is not None
    return {
        "dictionary": updates.DICTIONARY,
        "shared": [
            {"meaning": _builtins(one), "deflated": data}
            for one in (examples.SHARED, messages.Shared())
            for data in (_deflated(one), examples.stored(one))
        ],
        "refused": [
            {"why": why, "deflated": data}
            for why, data in {
                "cut off": update.shared[:-1],
                "something behind it": update.shared + b"\x00",
                "a field that there is not": b"\x01\x08\x00\xf7\xff\x81\xa5chair\x01",
                "no map": b"\x01\x02\x00\xfd\xff\x91\x01",
            }.items()
        ],
        "applied": {
            "view": view,
            "shared": _builtins(shared),
            "own": _builtins(update.own),
            "new_view": updates.apply(view, shared.patch, update.own),
            "events": updates.events(shared.events, update.own),
        },
    }


def _deflated(shared: messages.Shared) -> bytes:
    """What is in the file as long as it is right: every deflater may write something else."""
    path = FOLDER / "updates.json"
    written = from_json(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}
    if written.get("dictionary") == updates.DICTIONARY:
        for vector in written["shared"]:
            if vector["meaning"] == _builtins(shared) and updates.unpack(vector["deflated"]) == shared:
                return bytes(vector["deflated"])
    return updates.pack(shared)


VECTORS = {
    "frames": frames,
    "values": values,
    "patches": patches,
    "identities": identities,
    "sealing": sealed,
    "transcript": chain,
    "updates": told,
    "joining": joining,
    "passphrases": passphrases,
    "whispers": whispers,
}


def written(name: str) -> str:
    """The text of one file."""
    return json.dumps(to_json(VECTORS[name]()), indent=1, ensure_ascii=False) + "\n"


def to_json(value: Any) -> Any:
    """Plain data as JSON has it: bytes as {"hex": ...}."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if isinstance(value, dict):
        return {key: to_json(part) for key, part in value.items()}
    return [to_json(part) for part in value] if isinstance(value, list | tuple) else value


def from_json(value: Any) -> Any:
    """The plain data again."""
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"]) if value.keys() == {"hex"} else {k: from_json(v) for k, v in value.items()}
    return [from_json(part) for part in value] if isinstance(value, list) else value


def _frame(message: Any) -> dict[str, Any]:
    frame = codec.encode(message)
    return {"frame": frame, "meaning": msgpack.unpackb(frame)}


def _builtins(value: Any) -> Any:
    return msgspec.to_builtins(value, builtin_types=(bytes,), str_keys=True)


def _invite(invite: joincode.Invite) -> dict[str, Any]:
    return {"host": invite.host, "port": invite.port, "fingerprint": invite.fingerprint, "key": invite.key}


def _fields() -> Any:
    examples_of: list[tuple[str, list[bytes | str | int]]] = [
        ("answer/1", ["g", 5, b"\x00\x01"]),
        ("x", []),
        ("x", ["", b"", 0]),
    ]
    return [
        {
            "domain": domain,
            "parts": parts,
            "bytes": fields.fields(domain, *parts),
            "digest": fields.digest(domain, *parts),
        }
        for domain, parts in examples_of
    ]


def main() -> None:
    """Writes all files."""
    for name in VECTORS:
        (FOLDER / f"{name}.json").write_text(written(name), encoding="utf-8")


if __name__ == "__main__":
    main()
