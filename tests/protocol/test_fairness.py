"""Identities, commitments and the seed: what is bound cannot be changed, what is signed cannot be forged."""

from __future__ import annotations

from typing import Any

import pytest
import zmq
from hypothesis import given, settings
from hypothesis import strategies as st
from zmq.utils import z85 as zmq_z85

from cosmic_net.engine import sealing
from protocol import fairness, fields, identity, signing, z85
from protocol.identity import Identity

ANN, BOB, HOST = (Identity(letter * 32) for letter in (b"a", b"b", b"h"))
GAME = "game-1"


def context(**changes: Any) -> dict[str, Any]:
    made = sealing.context(game=GAME, encounter=3, attempt=0, seat="red", key=ANN.sign_key)
    return made | changes


OTHERS = (
    {"v": 2},
    {"game": "game-2"},
    {"encounter": 4},
    {"attempt": 1},
    {"seat": "blue"},
    {"key": BOB.sign_key},
)

SHARES = {"red": b"r" * 32, "blue": b"b" * 32, "green": b"g" * 32}


def flipped(data: bytes) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:]


class TestIdentity:
    def test_zeromq_accepts_the_derived_keys(self) -> None:
        assert zmq.curve_public(ANN.curve_secret) == ANN.curve_public

    @settings(max_examples=30, deadline=None)
    @given(st.binary(max_size=40).filter(lambda data: len(data) % 4 == 0))
    def test_z85_is_that_of_zeromq(self, data: bytes) -> None:
        assert z85.encode(data) == zmq_z85.encode(data)
        assert z85.decode(z85.encode(data)) == data
        assert z85.decode(z85.encode(data).decode()) == data

    @pytest.mark.parametrize("text", [b"0000", b"00 00", b"#####", "ééééé"], ids=ascii)
    def test_z85_refuses_what_is_none(self, text: bytes | str) -> None:
        with pytest.raises(ValueError, match=r"Z85"):
            z85.decode(text)

    def test_one_secret_gives_the_same_keys_again_and_another_gives_others(self) -> None:
        again = Identity(b"a" * 32)
        assert (again.curve_key, again.sign_key) == (ANN.curve_key, ANN.sign_key)
        assert len({ANN.curve_key, ANN.sign_key, BOB.curve_key, BOB.sign_key}) == 4

    @pytest.mark.parametrize("length", [0, 31, 33])
    def test_a_secret_has_32_bytes(self, length: int) -> None:
        with pytest.raises(ValueError, match="32"):
            Identity(bytes(length))

    def test_a_proof_holds_for_its_host_and_its_two_keys_only(self) -> None:
        proof = ANN.prove(HOST.curve_key)
        assert identity.verify_proof(HOST.curve_key, ANN.curve_key, ANN.sign_key, proof)
        assert not identity.verify_proof(BOB.curve_key, ANN.curve_key, ANN.sign_key, proof)
        assert not identity.verify_proof(HOST.curve_key, BOB.curve_key, ANN.sign_key, proof)
        assert not identity.verify_proof(HOST.curve_key, ANN.curve_key, BOB.sign_key, proof)
        assert not identity.verify_proof(HOST.curve_key, ANN.curve_key, ANN.sign_key, flipped(proof))

    def test_a_hosts_proof_holds_for_its_two_keys_only(self) -> None:
        proof = HOST.prove_host()
        assert identity.verify_host_proof(HOST.curve_key, HOST.sign_key, proof)
        assert not identity.verify_host_proof(ANN.curve_key, HOST.sign_key, proof)
        assert not identity.verify_host_proof(HOST.curve_key, ANN.sign_key, proof)

    def test_malformed_keys_and_signatures_are_merely_wrong(self) -> None:
        assert not identity.verify(b"short", b"s" * 64, b"data")
        assert not identity.verify(ANN.sign_key, b"short", b"data")
        assert not identity.verify(b"", b"", b"")


class TestFields:
    @given(st.lists(st.binary(max_size=4), max_size=4), st.lists(st.binary(max_size=4), max_size=4))
    def test_different_fields_never_give_the_same_bytes(self, one: list[bytes], other: list[bytes]) -> None:
        assert (fields.fields("x", *one) == fields.fields("x", *other)) == (one == other)

    def test_the_form_is_that_of_the_engines_sealing(self) -> None:
        made = context()
        parts = [made[name] for name in sealing.FIELDS]
        assert sealing.encode(made) == fields.fields("seal", *parts)


class TestSealing:
    def test_a_restarted_client_makes_the_same_seal(self) -> None:
        assert fairness.seal(ANN, context(), 17) == fairness.seal(Identity(b"a" * 32), context(), 17)

    def test_a_client_without_memory_finds_its_card_in_its_hand(self) -> None:
        seal = fairness.seal(ANN, context(), 17)
        assert fairness.reopen(Identity(b"a" * 32), context(), seal.commitment, [3, 17, 20]) == (17, seal.nonce)
        assert fairness.reopen(ANN, context(), seal.commitment, [3, 20]) is None
        assert fairness.reopen(BOB, context(), seal.commitment, [3, 17, 20]) is None

    def test_a_seal_opens_with_its_card(self) -> None:
        seal = fairness.seal(ANN, context(), 17)
        assert fairness.check_commitment(context(), seal.commitment, seal.signature)
        assert fairness.verify_opening(context(), seal.commitment, seal.signature, 17, seal.nonce)

    def test_no_other_card_or_nonce_opens_it(self) -> None:
        seal = fairness.seal(ANN, context(), 17)
        for card, nonce in (
            (18, seal.nonce),
            (17, flipped(seal.nonce)),
            (17, seal.nonce[:31]),
            (-1, seal.nonce),
        ):
            assert not fairness.verify_opening(context(), seal.commitment, seal.signature, card, nonce)

    @pytest.mark.parametrize("change", OTHERS, ids=lambda change: next(iter(change)))
    def test_it_is_worth_nothing_in_another_context(self, change: dict[str, Any]) -> None:
        seal = fairness.seal(ANN, context(), 17)
        elsewhere = context(**change)
        assert not fairness.check_commitment(elsewhere, seal.commitment, seal.signature)
        assert not sealing.check(elsewhere, seal.commitment, 17, seal.nonce)

    @pytest.mark.parametrize("change", OTHERS, ids=lambda change: next(iter(change)))
    def test_every_context_has_its_own_nonce(self, change: dict[str, Any]) -> None:
        assert ANN.nonce(context()) != ANN.nonce(context(**change))

    def test_nonces_differ_by_player_and_salt(self) -> None:
        assert len({ANN.nonce(context()), BOB.nonce(context()), ANN.nonce(context(), b"salt")}) == 3

    def test_nobody_seals_for_another(self) -> None:
        with pytest.raises(ValueError, match="another"):
            fairness.seal(BOB, context(), 17)

    def test_a_commitment_signed_by_another_is_refused(self) -> None:
        seal = fairness.seal(ANN, context(), 17)
        forged = fairness.sign_commitment(BOB, context(), seal.commitment)
        assert not fairness.check_commitment(context(), seal.commitment, forged)
        assert not fairness.verify_opening(context(), seal.commitment, forged, 17, seal.nonce)

    def test_a_context_that_is_none_is_refused(self) -> None:
        assert not fairness.check_commitment({}, b"c" * 32, b"s" * 64)
        assert not fairness.check_commitment(context(encounter=-1), b"c" * 32, b"s" * 64)
        assert not fairness.check_commitment(context(game=None), b"c" * 32, b"s" * 64)


class TestSeed:
    def test_a_share_is_bound_to_its_game_and_its_party(self) -> None:
        commitment = fairness.seed_commitment(GAME, "red", b"r" * 32)
        assert fairness.check_seed(GAME, "red", commitment, b"r" * 32)
        assert not fairness.check_seed(GAME, "blue", commitment, b"r" * 32)
        assert not fairness.check_seed("game-2", "red", commitment, b"r" * 32)
        assert not fairness.check_seed(GAME, "red", commitment, b"x" * 32)
        assert not fairness.check_seed(GAME, "red", commitment, b"r" * 31)

    def test_a_share_has_32_bytes(self) -> None:
        with pytest.raises(ValueError, match="32"):
            fairness.seed_commitment(GAME, "red", b"r" * 31)

    def test_its_commitment_is_signed(self) -> None:
        signature = fairness.sign_seed(ANN, GAME, "red", b"c" * 32)
        assert fairness.verify_seed(ANN.sign_key, GAME, "red", b"c" * 32, signature)
        assert not fairness.verify_seed(ANN.sign_key, GAME, "blue", b"c" * 32, signature)
        assert not fairness.verify_seed(BOB.sign_key, GAME, "red", b"c" * 32, signature)

    def test_the_seed_depends_on_every_share_and_not_on_their_order(self) -> None:
        seed = fairness.combine(GAME, b"h" * 32, SHARES)
        assert len(seed) == 32
        assert fairness.combine(GAME, b"h" * 32, dict(reversed(SHARES.items()))) == seed
        others = [SHARES | {seat: b"x" * 32} for seat in SHARES]
        seeds = {fairness.combine(GAME, b"h" * 32, values) for values in others}
        seeds |= {
            fairness.combine(GAME, b"x" * 32, SHARES),
            fairness.combine("g", b"h" * 32, SHARES),
        }
        assert len(seeds | {seed}) == len(SHARES) + 3

    def test_a_players_share_is_the_same_after_a_restart_and_new_for_every_draw(self) -> None:
        assert ANN.seed_value(GAME, b"c" * 32) == Identity(b"a" * 32).seed_value(GAME, b"c" * 32)
        draws = {ANN.seed_value(GAME, b"c" * 32), ANN.seed_value("game-2", b"c" * 32)}
        draws |= {ANN.seed_value(GAME, b"d" * 32), BOB.seed_value(GAME, b"c" * 32)}
        assert len(draws) == 4


class TestSigning:
    def test_an_answers_signature_holds_for_that_answer_only(self) -> None:
        signature = signing.sign_answer(ANN, GAME, 5, b"value", b"h" * 32)
        assert signing.verify_answer(ANN.sign_key, GAME, 5, b"value", b"h" * 32, signature)
        assert not signing.verify_answer(BOB.sign_key, GAME, 5, b"value", b"h" * 32, signature)
        assert not signing.verify_answer(ANN.sign_key, "game-2", 5, b"value", b"h" * 32, signature)
        assert not signing.verify_answer(ANN.sign_key, GAME, 6, b"value", b"h" * 32, signature)
        assert not signing.verify_answer(ANN.sign_key, GAME, 5, b"other", b"h" * 32, signature)
        assert not signing.verify_answer(ANN.sign_key, GAME, 5, b"value", b"i" * 32, signature)

    def test_a_standing_pass_is_signed_with_all_it_says(self) -> None:
        args = (GAME, "red", "turn", ["reveal"], b"h" * 32)
        signature = signing.sign_passes(ANN, *args)
        assert signing.verify_passes(ANN.sign_key, *args, signature)
        for other in (
            ("game-2", *args[1:]),
            (GAME, "blue", *args[2:]),
            (GAME, "red", "off", *args[3:]),
            (*args[:3], [], b"h" * 32),
            (*args[:4], b"i" * 32),
        ):
            assert not signing.verify_passes(ANN.sign_key, *other, signature)

    def test_a_heads_signature_holds_for_its_place_only(self) -> None:
        signature = signing.sign_head(HOST, GAME, 4, b"h" * 32)
        assert signing.verify_head(HOST.sign_key, GAME, 4, b"h" * 32, signature)
        assert not signing.verify_head(HOST.sign_key, GAME, 5, b"h" * 32, signature)
        assert not signing.verify_head(HOST.sign_key, GAME, 4, b"i" * 32, signature)
        assert not signing.verify_head(HOST.sign_key, "game-2", 4, b"h" * 32, signature)

    def test_signatures_for_one_purpose_do_not_serve_another(self) -> None:
        data = (GAME, 4, b"h" * 32)
        head = signing.sign_head(ANN, *data)
        assert not identity.verify(ANN.sign_key, head, fields.fields("answer/1", *data))
