"""The transcript: every player can follow it, and an audit finds who departed from it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import audit, codec, signing, transcript, wordlist
from protocol.identity import Identity
from tests.protocol import strategies
from tests.protocol.recorded import GAME, SETUP, Played

ENTRIES = (
    transcript.SeedsEntry,
    transcript.AnswerEntry,
    transcript.PassEntry,
    transcript.CloseEntry,
    transcript.PassesEntry,
    transcript.PlayerEntry,
)


def game() -> Played:
    played = Played()
    played.answer("red", 1, ["blue-1"])
    played.answer("blue", 2, {"commitment": b"c", "signature": b"s"}, shown={"commitment": b"c", "signature": b"s"})
    played.put(transcript.CloseEntry(group=2))
    played.standing_pass("blue")
    played.put(transcript.PassEntry(seat="blue", decision=3))
    played.answer("red", 4, None)
    return played


class TestChain:
    def test_whoever_gets_the_same_entries_has_the_same_head(self) -> None:
        played = game()
        heads = audit.heads(GAME, SETUP, played.entries)
        assert heads[-1] == played.chain.head
        assert len(heads) == played.chain.count + 1 == len(set(heads))

    def test_another_game_setup_entry_or_order_gives_another_head(self) -> None:
        entries = game().entries
        swapped = [entries[0], entries[2], entries[1], *entries[3:]]
        changed = [*entries[:-1], transcript.encode_entry(transcript.CloseEntry(group=9))]
        heads = {
            audit.heads(GAME, SETUP, entries)[-1],
            audit.heads("game-2", SETUP, entries)[-1],
            audit.heads(GAME, SETUP + b"x", entries)[-1],
            audit.heads(GAME, SETUP, swapped)[-1],
            audit.heads(GAME, SETUP, changed)[-1],
            audit.heads(GAME, SETUP, entries[:-1])[-1],
        }
        assert len(heads) == 6

    def test_three_words_name_a_head(self) -> None:
        played = game()
        assert played.chain.words == transcript.words(played.chain.head)
        assert len(played.chain.words.split()) == 3
        assert transcript.words(bytes([0, 1, 255]) + bytes(29)) == " ".join(wordlist.WORDS[at] for at in (0, 1, 255))


class TestWords:
    def test_there_are_256_short_plain_words(self) -> None:
        assert len(set(wordlist.WORDS)) == len(wordlist.WORDS) == 256
        assert all(word.isascii() and word.isalpha() and word.islower() for word in wordlist.WORDS)
        assert all(3 <= len(word) <= 8 for word in wordlist.WORDS)

    def test_no_two_words_differ_in_one_letter_only(self) -> None:
        shapes: dict[str, str] = {}
        for word in wordlist.WORDS:
            for at in range(len(word)):
                shape = f"{word[:at]}_{word[at + 1 :]}"
                assert shape not in shapes, (word, shapes[shape])
                shapes[shape] = word


class TestEntries:
    @settings(max_examples=60, deadline=None)
    @given(st.sampled_from(ENTRIES).flatmap(strategies.of))
    def test_every_entry_survives_its_bytes(self, entry: transcript.Entry) -> None:
        assert transcript.decode_entry(transcript.encode_entry(entry)) == entry

    @settings(max_examples=60, deadline=None)
    @given(st.binary(max_size=40) | strategies.plain().map(codec.pack_value))
    def test_what_is_no_entry_is_refused(self, data: bytes) -> None:
        for decode in (transcript.decode_entry, transcript.decode_opening):
            with pytest.raises(ValueError, match=r"."):
                decode(data)

    def test_an_entry_does_not_tell_the_answer(self) -> None:
        one, other = Played(), Played()
        one.answer("red", 1, ["blue-1"])
        other.answer("red", 1, ["blue-2"])
        assert len(one.entries[-1]) == len(other.entries[-1])
        assert b"blue-1" not in one.entries[-1]
        # Who knows question, head and all possible answers still lacks the signature.
        head = audit.heads(GAME, SETUP, one.entries)[1]
        guess = signing.answer_digest(GAME, 1, codec.pack_value(["blue-1"]), head, bytes(64))
        assert guess not in one.entries[-1]


class TestAudit:
    def test_an_honest_game_has_no_findings(self) -> None:
        assert game().findings() == []

    def test_a_record_gives_the_engine_its_inputs(self) -> None:
        played = game()
        assert audit.inputs(played.entries, played.openings) == [
            {"seat": "red", "decision": 1, "answer": ["blue-1"]},
            {"seat": "blue", "decision": 2, "answer": {"commitment": b"c", "signature": b"s"}},
            {"close": 2},
            {"seat": "blue", "decision": 3, "answer": None},
            {"seat": "red", "decision": 4, "answer": None},
        ]

    def test_an_answer_that_was_changed_is_found(self) -> None:
        played = game()
        opening = transcript.decode_opening(played.openings[1])
        changed = transcript.Opening(value=codec.pack_value(["blue-2"]), head=opening.head, signature=opening.signature)
        played.openings[1] = transcript.encode_opening(changed)
        assert played.findings() == [(1, "host"), (1, "host")]

    def test_an_answer_that_the_host_invented_is_found(self) -> None:
        played = game()
        played.players["red"] = Identity(b"x" * 32)
        played.answer("red", 5, ["blue-1"])
        assert played.findings() == [(7, "host")]

    def test_an_answer_given_in_another_game_is_found(self) -> None:
        played = game()
        played.answer("red", 5, ["blue-1"], head=b"f" * 32)
        assert played.findings() == [(7, "host")]

    def test_an_answer_that_is_missing_or_was_shown_as_another_is_found(self) -> None:
        played = game()
        played.openings[1] = b""
        played.answer("red", 5, {"commitment": b"c"}, shown={"commitment": b"d"})
        assert played.findings() == [(1, "host"), (7, "host")]

    def test_an_answer_in_another_form_is_its_players_doing(self) -> None:
        played = Played()
        head, value = played.chain.head, b"\xcd\x00\x01"
        signature = signing.sign_answer(played.players["red"], GAME, 1, value, head)
        digest = signing.answer_digest(GAME, 1, value, head, signature)
        played.put(
            transcript.AnswerEntry(seat="red", decision=1, digest=digest),
            transcript.encode_opening(transcript.Opening(value=value, head=head, signature=signature)),
        )
        assert played.findings() == [(1, "red")]

    def test_passing_for_a_player_who_did_not_ask_for_it_is_found(self) -> None:
        played = game()
        played.put(transcript.PassEntry(seat="red", decision=5))
        played.standing_pass("blue", "off")
        played.put(transcript.PassEntry(seat="blue", decision=6))
        assert played.findings() == [(7, "host"), (9, "host")]

    def test_a_standing_pass_that_nobody_signed_is_found(self) -> None:
        played = game()
        played.put(
            transcript.PassesEntry(seat="red", until="turn", keep=[], head=played.chain.head, signature=bytes(64))
        )
        assert played.findings() == [(7, "host")]

    def test_a_bot_signs_for_a_seat_that_it_was_openly_given(self) -> None:
        played = game()
        bot = Identity(b"z" * 32)
        played.players["red"] = bot
        played.put(transcript.PlayerEntry(seat="red", key=bot.sign_key))
        played.answer("red", 5, ["blue-1"])
        assert played.findings() == []

    def test_shares_of_the_seed_that_were_changed_or_kept_back_are_found(self) -> None:
        played = game()
        played.shares = {"host": b"x" * 32, "red": played.shares["red"]}
        assert played.findings() == [(-1, "host"), (-1, "host")]

    def test_a_commitment_to_the_seed_that_the_host_invented_is_found(self) -> None:
        played = game()
        played.keys["red"] = Identity(b"x" * 32).sign_key
        assert (0, "host") in played.findings()

    def test_commitments_to_the_seed_that_come_late_or_twice_are_found(self) -> None:
        played = game()
        played.put(transcript.decode_entry(played.entries[0]))
        assert played.findings() == [(7, "host")]
        played.entries[0] = transcript.encode_entry(transcript.CloseEntry(group=0))
        assert (0, "host") in played.findings()

    def test_bytes_that_are_no_entry_are_found(self) -> None:
        played = game()
        played.entries.append(b"\x00")
        played.openings.append(b"")
        assert played.findings() == [(7, "host")]
