"""Crockford's base 32: digits and letters that people can read out, read tolerantly."""

from __future__ import annotations

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUES = {character: value for value, character in enumerate(ALPHABET)}
_VALUES |= {"O": 0, "I": 1, "L": 1}
_IGNORED = "-\u2010\u2011\u2012\u2013\u2014\u2212_"


class BadCharacter(ValueError):
    """A character that is in no code; the message names it."""


def digits(text: str) -> list[int]:
    """The values (0 to 31) of a text's characters; case, spaces and dashes do not matter, O is 0, I, L are 1.

    Raises BadCharacter for any other character.
    """
    out = []
    for character in text.upper():
        if character.isspace() or character in _IGNORED:
            continue
        if character not in _VALUES:
            shown = character if character.isprintable() else "?"
            raise BadCharacter(f"there is no {shown!r} in a code")
        out.append(_VALUES[character])
    return out


def write(values: list[int]) -> str:
    """The characters of values from 0 to 31."""
    return "".join(ALPHABET[value] for value in values)


def from_number(number: int, length: int) -> list[int]:
    """A number as `length` digits, highest first."""
    return [number >> 5 * place & 31 for place in range(length - 1, -1, -1)]


def to_number(values: list[int]) -> int:
    """The number that digits write, highest first."""
    number = 0
    for value in values:
        number = number << 5 | value
    return number


def check_digit(values: list[int]) -> int:
    """The digit that, put behind at most 30 others, finds one wrong digit, and two that changed places.

    It is the sum of a^n times the n-th digit from the right (counting from 1) in GF(32) with x^5 + x^2 + 1, a
    = x.
    """
    total = 0
    for value in values:
        total = _times_x(total ^ value)
    return total


def _times_x(value: int) -> int:
    shifted = value << 1
    return shifted ^ 0b100101 if shifted & 32 else shifted
