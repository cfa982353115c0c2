"""The game's random numbers: the vectors of docs/architecture.md, even odds, and shuffles that lose nothing."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cosmic_net.engine.rng import Rng

PAGE = (Path(__file__).parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
SEEDS = {"00 x 32": bytes(32), "00 01 .. 1f": bytes(range(32)), "ff x 32": b"\xff" * 32}
BOUNDS = (1, 2, 6, 10, 72, 100, 1000, 2**31 + 1, 2**32)


def words(seed: bytes, count: int) -> list[int]:
    """The keystream once more, as the page describes it: 4 bytes big-endian at a time."""
    blocks = (count + 7) // 8
    stream = b"".join(hashlib.sha256(seed + b"cosmic-net/rng/1" + i.to_bytes(8, "big")).digest() for i in range(blocks))
    return [int.from_bytes(stream[4 * i : 4 * i + 4], "big") for i in range(count)]


def vectors() -> list[list[str]]:
    """The rows of the page's table of vectors: seed, what is drawn, result."""
    section = PAGE.split("### Test vectors\n", 1)[1].split("\n#", 1)[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", section, re.M)
    return [[cell.strip("`") for cell in row] for row in rows if row[0] != "seed" and not row[0].startswith("---")]


def drawn(seed: bytes, what: str) -> str:
    rng = Rng(seed)
    if what.startswith("shuffle"):
        items = list(what.removeprefix("shuffle "))
        rng.shuffle(items)
        return "".join(items)
    bounds = [int(n) for n in re.findall(r"\d+", what.replace("2^32", str(2**32)))]
    return " ".join(str(rng.below(n)) for n in bounds)


def test_the_page_has_vectors_of_each_kind_for_each_seed() -> None:
    assert Counter(seed for seed, _, _ in vectors()) == dict.fromkeys(SEEDS, 3)


@pytest.mark.parametrize(("seed", "what", "result"), vectors())
def test_the_vectors_of_the_page(seed: str, what: str, result: str) -> None:
    assert drawn(SEEDS[seed], what) == result


@pytest.mark.parametrize("seed", SEEDS.values())
def test_numbers_are_words_of_the_keystream_by_rejection(seed: bytes) -> None:
    stream = iter(words(seed, 64))
    rng = Rng(seed)
    for n in BOUNDS:
        word = next(word for word in stream if word < 2**32 // n * n)
        assert rng.below(n) == word % n


def test_a_word_that_would_favour_small_numbers_is_rejected() -> None:
    seed = SEEDS["00 x 32"]
    first, second = words(seed, 2)
    n = first  # the first word is above n, and there is room for just one multiple of n below 2**32
    assert 2**32 // n == 1
    assert Rng(seed).below(n) == second % n


def test_a_seed_fixes_every_number_and_another_seed_changes_them() -> None:
    def numbers(seed: bytes) -> list[int]:
        rng = Rng(seed)
        return [rng.below(1000) for _ in range(40)]

    assert numbers(bytes(32)) == numbers(bytes(32))
    for place in range(32):
        assert numbers(bytes(place) + b"\x01" + bytes(31 - place)) != numbers(bytes(32))


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_seed_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Rng(bytes(length))


@pytest.mark.parametrize("n", [-(2**40), -1, 0, 2**32 + 1, 2**40])
def test_nothing_is_drawn_from_an_impossible_range(n: int) -> None:
    with pytest.raises(ValueError, match="drawn from"):
        Rng(bytes(32)).below(n)


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


# The bounds are the 99.9 % points of the chi-square distribution; the seed is fixed, so there is no luck in it.
@pytest.mark.parametrize(("n", "bound"), [(2, 10.8), (3, 13.8), (6, 20.5), (10, 27.9), (72, 112.3), (100, 148.2)])
def test_all_numbers_come_equally_often(n: int, bound: float) -> None:
    rng = Rng(b"uniform!" * 4)
    counts = Counter(rng.below(n) for _ in range(300 * n))
    assert chi_square([counts[i] for i in range(n)]) < bound


def test_all_orders_of_four_cards_come_equally_often() -> None:
    rng = Rng(b"shuffle!" * 4)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(24 * 200):
        items = list(range(4))
        rng.shuffle(items)
        counts[tuple(items)] += 1
    assert chi_square([counts[order] for order in permutations(range(4))]) < 49.7  # 23 degrees of freedom


def test_every_card_comes_to_every_place_equally_often() -> None:
    rng = Rng(b"places!!" * 4)
    size, counts = 12, Counter[tuple[int, int]]()
    for _ in range(size * 100):
        items = list(range(size))
        rng.shuffle(items)
        counts.update(enumerate(items))
    # (size - 1) squared = 121 degrees of freedom, since rows and columns have fixed sums
    assert chi_square([counts[i, j] for i in range(size) for j in range(size)]) < 173.8


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers() | st.text(max_size=3), max_size=90))
def test_a_shuffle_is_a_permutation(seed: bytes, items: list[int | str]) -> None:
    shuffled = list(items)
    Rng(seed).shuffle(shuffled)
    assert Counter(shuffled) == Counter(items)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**32))
def test_a_number_is_within_its_range(seed: bytes, n: int) -> None:
    assert 0 <= Rng(seed).below(n) < n
