"""Sealed cards: what was sealed can be opened, also by a program that was started anew, and no nonce serves twice."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from client.game.seals import Played, Seals
from cosmic_net.engine import sealing
from protocol import fairness
from protocol.identity import Identity

ANA = Identity(b"a" * 32)
HOST = b"h" * 32
SETUP, COMMITMENT = b"the setup", b"c" * 32


def context(attempt: int = 1, game: str = "g-1") -> dict:
    return sealing.context(game, 3, attempt, "red", ANA.sign_key)


def seals(folder: Path, game: str = "g-1") -> Seals:
    return Seals(folder, ANA, HOST, game)


def begun(folder: Path) -> Seals:
    made = seals(folder)
    made.begin(SETUP, COMMITMENT)
    return made


def test_what_was_sealed_is_signed_and_can_be_opened(tmp_path: Path) -> None:
    made = begun(tmp_path)
    answer = made.seal(context(), 17)
    assert fairness.check_commitment(context(), answer["commitment"], answer["signature"])
    opening = made.open(context(), answer["commitment"], [3, 17])
    assert opening is not None
    assert opening["card"] == 17
    assert sealing.check(context(), answer["commitment"], 17, opening["nonce"])


def test_a_program_that_was_started_anew_can_open(tmp_path: Path) -> None:
    answer = begun(tmp_path).seal(context(), 17)
    again = seals(tmp_path)
    again.resume()
    assert again.card_of(answer["commitment"]) == 17
    opening = again.open(context(), answer["commitment"], [])
    assert opening is not None
    assert opening["card"] == 17


def test_without_the_file_of_cards_the_hand_is_tried(tmp_path: Path) -> None:
    answer = begun(tmp_path).seal(context(), 17)
    (path,) = tmp_path.iterdir()
    data = json.loads(path.read_text())
    path.write_text(json.dumps(data | {"cards": {}}))
    again = seals(tmp_path)
    again.resume()
    assert again.open(context(), answer["commitment"], [3, 17]) is not None
    assert again.open(context(), answer["commitment"], [3, 4]) is None


def test_the_same_card_in_the_same_place_gives_the_same_commitment(tmp_path: Path) -> None:
    made = begun(tmp_path)
    assert made.seal(context(), 17) == made.seal(context(), 17)


def test_another_card_in_the_same_place_gets_another_nonce_and_both_can_be_opened(tmp_path: Path) -> None:
    made = begun(tmp_path)
    first, second = made.seal(context(), 17), made.seal(context(), 18)
    one = made.open(context(), first["commitment"], [])
    other = made.open(context(), second["commitment"], [])
    assert one is not None
    assert other is not None
    assert (one["card"], other["card"]) == (17, 18)
    assert one["nonce"] != other["nonce"]


def test_two_games_with_one_id_share_no_nonce(tmp_path: Path) -> None:
    one, other = begun(tmp_path / "one"), begun(tmp_path / "other")
    assert one.seal(context(), 17) != other.seal(context(), 17)


def test_a_game_that_was_played_is_not_started_again_but_its_start_may_be_told_twice(tmp_path: Path) -> None:
    begun(tmp_path).seal(context(), 17)
    seals(tmp_path).begin(SETUP, COMMITMENT)
    with pytest.raises(Played):
        seals(tmp_path).begin(SETUP, b"d" * 32)


def test_a_game_that_was_dealt_is_not_started_again_with_the_same_start_either(tmp_path: Path) -> None:
    begun(tmp_path).dealt()
    with pytest.raises(Played):
        seals(tmp_path).begin(SETUP, COMMITMENT)


def test_a_program_that_was_started_anew_gives_its_share_for_the_same_commitments_only(tmp_path: Path) -> None:
    assert begun(tmp_path).give_share_for({"red": b"r" * 32, "blue": b"b" * 32})
    again = begun(tmp_path)
    assert again.give_share_for({"blue": b"b" * 32, "red": b"r" * 32})
    assert not again.give_share_for({"red": b"r" * 32, "blue": b"c" * 32})
    with pytest.raises(Played):
        seals(tmp_path).begin(SETUP, b"d" * 32)


def test_the_file_is_there_before_the_commitment_is_known_and_for_its_owner_alone(tmp_path: Path) -> None:
    made = begun(tmp_path)
    made.seal(context(), 17)
    (path,) = tmp_path.iterdir()
    assert 17 in json.loads(path.read_text())["cards"].values()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_disk_that_refuses_stops_the_sealing(tmp_path: Path) -> None:
    made = begun(tmp_path)
    for path in tmp_path.iterdir():
        path.unlink()
    tmp_path.rmdir()
    tmp_path.write_text("no folder any more")
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        made.seal(context(), 17)
    tmp_path.unlink()
    tmp_path.mkdir()


def test_a_damaged_file_is_no_reason_to_stop(tmp_path: Path) -> None:
    answer = begun(tmp_path).seal(context(), 17)
    (path,) = tmp_path.iterdir()
    path.write_text("{")
    again = seals(tmp_path)
    again.resume()
    assert again.open(context(), answer["commitment"], [17]) is None
    assert again.seal(context(2), 4)
