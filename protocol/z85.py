"""Z85 (ZeroMQ RFC 32): the text form in which CURVE keys are given to ZeroMQ; 4 bytes make 5 characters."""

from __future__ import annotations

_ALPHABET = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
_VALUES = {character: value for value, character in enumerate(_ALPHABET)}


def encode(data: bytes) -> bytes:
    """The Z85 form. Raises ValueError unless the length is a multiple of 4."""
    if len(data) % 4:
        raise ValueError("Z85 takes a multiple of 4 bytes")
    out = bytearray()
    for start in range(0, len(data), 4):
        number = int.from_bytes(data[start : start + 4], "big")
        out += bytes(_ALPHABET[number // 85**power % 85] for power in (4, 3, 2, 1, 0))
    return bytes(out)


def decode(text: bytes | str) -> bytes:
    """The bytes of a Z85 form. Raises ValueError for any other text."""
    raw = text.encode() if isinstance(text, str) else text
    if len(raw) % 5:
        raise ValueError("Z85 has a multiple of 5 characters")
    out = bytearray()
    for start in range(0, len(raw), 5):
        number = 0
        for character in raw[start : start + 5]:
            if character not in _VALUES:
                raise ValueError("not a Z85 character")
            number = number * 85 + _VALUES[character]
        if number >= 2**32:
            raise ValueError("not a Z85 form")
        out += number.to_bytes(4, "big")
    return bytes(out)
