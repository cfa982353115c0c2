"""The code against the vectors, and the vectors against formulas that are written out here a second time."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import unicodedata
import zlib
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from zmq.utils import z85

from protocol import codec, joincode, keyservice, messages, passphrase, patch, transcript, updates, whisper, wordlist
from tests.protocol import examples, make_vectors
from tests.protocol.strategies import field_names, optional


def load(name: str) -> Any:
    text = (make_vectors.FOLDER / f"{name}.json").read_text(encoding="utf-8")
    return make_vectors.from_json(json.loads(text))


def lv(*parts: bytes | str | int) -> bytes:
    """Length-prefixed fields, once more."""
    out = b""
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode() if isinstance(part, str) else part.to_bytes(8)
        out += len(data).to_bytes(4) + data
    return out


def sha(*parts: bytes | str | int) -> bytes:
    return hashlib.sha256(lv(*parts)).digest()


def derived(secret: bytes, label: str) -> bytes:
    info = f"cosmic-net/identity/1/{label}".encode()
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=info).derive(secret)


def signed(key: bytes, signature: bytes, *parts: bytes | str | int) -> bool:
    Ed25519PublicKey.from_public_bytes(key).verify(signature, lv(*parts))
    return True


def context_parts(context: dict[str, Any]) -> list[Any]:
    return [context[name] for name in ("v", "game", "encounter", "attempt", "seat", "key")]


@pytest.mark.parametrize("name", make_vectors.VECTORS)
def test_the_code_makes_the_vectors(name: str) -> None:
    assert make_vectors.written(name) == (make_vectors.FOLDER / f"{name}.json").read_text(encoding="utf-8")


class TestFrames:
    def test_there_is_one_of_every_message_and_entry(self) -> None:
        assert {type(message) for message in examples.REQUESTS} == set(messages.REQUESTS)
        assert {type(message) for message in examples.PUSHES} == set(messages.PUSHES)
        assert {type(entry) for entry in examples.ENTRIES} == set(transcript.Entry.__args__)

    def test_frames_mean_what_they_say(self) -> None:
        vectors = load("frames")
        for kind, decode in (("requests", codec.decode_request), ("pushes", codec.decode_push)):
            for vector in vectors[kind]:
                message: Any = decode(vector["frame"])
                assert message.__struct_config__.tag == vector["meaning"]["t"]
                written, all_ = set(vector["meaning"]), {"t", *field_names(type(message))}
                assert all_ - optional(type(message)) <= written <= all_

    @pytest.mark.parametrize("vector", load("frames")["refused_by_host"], ids=lambda vector: vector["why"])
    def test_bad_frames_are_refused_with_their_code(self, vector: dict[str, Any]) -> None:
        with pytest.raises(codec.BadFrame) as caught:
            codec.decode_request(vector["frame"])
        assert (caught.value.code, caught.value.request_id) == (vector["code"], vector["id"])


class TestValues:
    def test_values_are_packed_to_the_byte(self) -> None:
        for vector in load("values")["values"]:
            assert codec.unpack_value(vector["packed"]) == vector["value"]

    @pytest.mark.parametrize("vector", load("values")["refused"], ids=lambda vector: vector["why"])
    def test_other_forms_are_refused(self, vector: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match=r"."):
            codec.unpack_value(vector["packed"])


class TestPatches:
    def test_patches_give_the_new_map(self) -> None:
        for vector in load("patches")["patches"]:
            assert patch.same(patch.apply(vector["old"], vector["patch"]), vector["new"])

    @pytest.mark.parametrize("vector", load("patches")["refused"], ids=lambda vector: vector["why"])
    def test_bad_patches_are_refused(self, vector: dict[str, Any]) -> None:
        with pytest.raises(patch.BadPatch):
            patch.apply(vector["old"], vector["patch"])


class TestIdentities:
    def test_fields_are_as_specified(self) -> None:
        for vector in load("identities")["fields"]:
            assert vector["bytes"] == lv("cosmic-net/" + vector["domain"], *vector["parts"])
            assert vector["digest"] == hashlib.sha256(vector["bytes"]).digest()

    @pytest.mark.parametrize("vector", load("identities")["identities"], ids=["first", "second"])
    def test_keys_and_proofs_are_as_specified(self, vector: dict[str, Any]) -> None:
        secret, key, sign_key = vector["secret"], vector["curve_public"], vector["sign_key"]
        assert vector["curve_secret"] == derived(secret, "curve")
        private = X25519PrivateKey.from_private_bytes(vector["curve_secret"])
        assert key == private.public_key().public_bytes_raw()
        assert vector["curve_public_z85"].encode() == z85.encode(key)
        assert vector["curve_secret_z85"].encode() == z85.encode(vector["curve_secret"])
        assert signed(sign_key, vector["hello_proof"], "cosmic-net/hello/1", vector["host_key"], key, sign_key)
        assert signed(sign_key, vector["host_proof"], "cosmic-net/host/1", key, sign_key)

    @pytest.mark.parametrize("vector", load("identities")["identities"], ids=["first", "second"])
    def test_nonces_and_shares_are_as_specified(self, vector: dict[str, Any]) -> None:
        context = lv("cosmic-net/seal", *context_parts(vector["context"]))
        mac_key = derived(vector["secret"], "nonce")
        for salt, nonce in ((b"", vector["nonce"]), (vector["salt"], vector["nonce_with_salt"])):
            assert nonce == hmac.digest(mac_key, lv("cosmic-net/nonce/1", salt, context), "sha256")
        share = lv("cosmic-net/seed-value/1", vector["game"], vector["host_commitment"])
        assert vector["seed_value"] == hmac.digest(derived(vector["secret"], "seed"), share, "sha256")


class TestSealing:
    def test_commitments_are_as_specified(self) -> None:
        for vector in load("sealing")["seals"]:
            parts = context_parts(vector["context"])
            assert vector["commitment"] == sha("cosmic-net/seal", *parts, vector["card"], vector["nonce"])
            bound = lv("cosmic-net/seal", *parts)
            key = vector["context"]["key"]
            assert signed(key, vector["signature"], "cosmic-net/commitment/1", bound, vector["commitment"])

    def test_the_seed_is_as_specified(self) -> None:
        seed = load("sealing")["seed"]
        shares: list[bytes | str] = []
        for seat in sorted(seed["values"]):
            shares += [seat, seed["values"][seat]]
            commitment = sha("cosmic-net/seed/1", seed["game"], seat, seed["values"][seat])
            assert seed["commitments"][seat] == commitment
        host = sha("cosmic-net/seed/1", seed["game"], "host", seed["host_value"])
        assert seed["host_commitment"] == host
        count = len(seed["values"])
        assert seed["seed"] == sha("cosmic-net/joint-seed/1", seed["game"], seed["host_value"], count, *shares)
        assert signed(
            seed["red_sign_key"],
            seed["red_signature"],
            "cosmic-net/seed-commitment/1",
            seed["game"],
            "red",
            seed["commitments"]["red"],
        )


class TestTranscript:
    def test_heads_and_words_are_as_specified(self) -> None:
        vectors = load("transcript")
        head = sha("cosmic-net/transcript/1", vectors["game"], vectors["setup"])
        heads = [head]
        for step in vectors["entries"]:
            assert codec.pack_value(step["meaning"]) == step["entry"]
            head = sha("cosmic-net/entry/1", head, step["entry"])
            heads.append(head)
        assert [vector["head"] for vector in vectors["heads"]] == heads
        for vector in vectors["heads"]:
            assert vector["words"].split() == [wordlist.WORDS[byte] for byte in vector["head"][:3]]

    def test_signatures_are_as_specified(self) -> None:
        vectors = load("transcript")
        game, answer, passes = vectors["game"], vectors["answer"], vectors["passes"]
        parts = ("cosmic-net/answer/1", game, answer["decision"], answer["value"], answer["head"])
        assert signed(answer["sign_key"], answer["signature"], *parts)
        assert answer["digest"] == sha("cosmic-net/answer-digest/2", lv(*parts), answer["signature"])[:16]
        opening = {name: answer[name] for name in ("value", "head", "signature")}
        assert answer["opening"] == codec.pack_value(opening)
        assert signed(
            passes["sign_key"],
            passes["signature"],
            "cosmic-net/passes/1",
            game,
            passes["seat"],
            passes["until"],
            len(passes["keep"]),
            *passes["keep"],
            passes["head"],
        )
        head = vectors["head_signature"]
        assert signed(head["sign_key"], head["signature"], "cosmic-net/head/1", game, head["count"], head["head"])


class TestPassphrases:
    def test_keys_and_proofs_are_as_specified(self) -> None:
        vectors = load("passphrases")
        host_key, curve_key = vectors["host_key"], vectors["curve_key"]
        for vector in vectors["passphrases"]:
            words = unicodedata.normalize("NFC", vector["passphrase"]).encode()
            salt = lv("cosmic-net/passphrase/1", host_key)
            assert vector["key"] == hashlib.scrypt(words, salt=salt, n=2**14, r=8, p=1, dklen=32)
            proven = lv("cosmic-net/passphrase-proof/1", host_key, curve_key)
            assert vector["proof"] == hmac.digest(vector["key"], proven, "sha256")
            assert passphrase.check(vector["key"], host_key, curve_key, vector["proof"])

    def test_it_does_not_matter_how_a_letter_is_composed(self) -> None:
        _, composed, apart = load("passphrases")["passphrases"]
        assert composed["passphrase"] != apart["passphrase"]
        assert composed["key"] == apart["key"]


class TestWhispers:
    def test_keys_are_signed_as_specified(self) -> None:
        v = load("whispers")
        for end in ("from", "to"):
            private = X25519PrivateKey.from_private_bytes(v[f"{end}_secret"])
            assert v[f"{end}_key"] == private.public_key().public_bytes_raw()
        parts = ("cosmic-net/whisper-key/1", v["host_key"], v["from_key"])
        assert signed(v["from_sign_key"], v["from_signature"], *parts)

    def test_whispers_are_made_as_specified(self) -> None:
        v = load("whispers")
        shared = X25519PrivateKey.from_private_bytes(v["to_secret"]).exchange(
            X25519PublicKey.from_public_bytes(v["from_key"])
        )
        info = lv("cosmic-net/whisper-secret/1", v["from_key"], v["to_key"])
        cipher = ChaCha20Poly1305(HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=info).derive(shared))
        for one in v["whispers"]:
            way = (v["host_key"], one["game"], v["from"], v["to"], v["from_sign_key"], v["to_sign_key"], one["number"])
            text = one["text"].encode()
            size = next(size for size in (128, 512, 2048) if size >= 2 + len(text))
            padded = (len(text).to_bytes(2) + text).ljust(size, b"\0")
            assert one["data"] == one["nonce"] + cipher.encrypt(one["nonce"], padded, lv("cosmic-net/whisper/1", *way))

    def test_whispers_are_read_and_those_on_another_way_are_not(self) -> None:
        v = load("whispers")
        secret = X25519PrivateKey.from_private_bytes(v["to_secret"])

        def read(one: dict[str, Any]) -> str:
            signers = (v["from_sign_key"], v["to_sign_key"])
            way = whisper.Way(v["host_key"], one["game"], v["from"], v["to"], *signers, one["number"])
            return whisper.unseal(secret, v["from_key"], way, one["data"])

        assert [read(one) for one in v["whispers"]] == [one["text"] for one in v["whispers"]]
        for one in v["refused"]:
            with pytest.raises(whisper.BadWhisper):
                read(one)


class TestUpdates:
    def test_the_shared_part_inflates_to_what_is_meant(self) -> None:
        vectors = load("updates")
        for vector in vectors["shared"]:
            inflate = zlib.decompressobj(-14, zdict=vectors["dictionary"])
            assert msgpack.unpackb(inflate.decompress(vector["deflated"]), strict_map_key=False) == vector["meaning"]
            assert inflate.eof
            plain = msgspec.to_builtins(updates.unpack(vector["deflated"]), builtin_types=(bytes,), str_keys=True)
            assert plain == vector["meaning"]

    @pytest.mark.parametrize("vector", load("updates")["refused"], ids=lambda vector: vector["why"])
    def test_what_cannot_be_inflated_is_refused(self, vector: dict[str, Any]) -> None:
        with pytest.raises(codec.BadFrame):
            updates.unpack(vector["deflated"])

    def test_an_update_makes_the_new_view_and_the_events_of_one_player(self) -> None:
        applied = load("updates")["applied"]
        own = messages.Own(**applied["own"])
        assert patch.same(updates.apply(applied["view"], applied["shared"]["patch"], own), applied["new_view"])
        assert updates.events(applied["shared"]["events"], own) == applied["events"]


class TestJoining:
    def test_texts_say_where_the_host_is(self) -> None:
        for vector in load("joining")["texts"]:
            read = joincode.parse(vector["text"])
            assert (read.host, read.port) == (vector["host"], vector["port"])
            assert (read.fingerprint, read.key) == (vector["fingerprint"], vector["key"])

    @pytest.mark.parametrize("written", load("joining")["refused"], ids=ascii)
    def test_bad_texts_are_refused(self, written: str) -> None:
        with pytest.raises(joincode.BadCode):
            joincode.parse(written)

    def test_fingerprint_and_words_are_as_specified(self) -> None:
        vectors = load("joining")
        key = vectors["host_key"]
        assert vectors["fingerprint"] == sha("cosmic-net/fingerprint/1", key)[:10]
        stretched = hashlib.scrypt(key, salt=lv("cosmic-net/fingerprint-words/1"), n=2**14, r=8, p=1, dklen=5)
        assert vectors["fingerprint_words"].split() == [wordlist.WORDS[byte] for byte in stretched]

    def test_an_invite_writes_the_key_in_crockfords_letters(self) -> None:
        vectors = load("joining")
        invite = next(vector["text"] for vector in vectors["texts"] if vector["key"] == vectors["host_key"])
        crockford = str.maketrans("0123456789ABCDEFGHJKMNPQRSTVWXYZ", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        written = invite.rpartition("/")[2].translate(crockford)
        assert base64.b32decode(written + "====") == vectors["host_key"]

    def test_the_key_service_says_what_is_specified(self) -> None:
        vectors = load("joining")
        service = vectors["key_service"]
        assert service["request"] == b"cosmic-net key?\n" == keyservice.REQUEST
        time = service["time_ms"].to_bytes(8, "big")
        assert service["response"] == b"cosmic-net key:\n" + bytes([2, 2]) + vectors["host_key"] + time
