"""How a table is named to those who want to join: three forms, one reader.

- A *short code* to read out: 28 characters in groups of four, with the host's IPv4 address, its port, a
  fingerprint of its key and a check character. The client fetches the whole key and compares.
- An *invite* to paste: HOST:PORT/KEY, with the whole key in 52 characters.
- HOST:PORT alone. The client fetches the key, and both screens show `fingerprint_words` to compare.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
from dataclasses import dataclass

from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from protocol import base32, limits
from protocol.fields import digest, fields
from protocol.wordlist import say

CODE_VERSION = 1
CODE_LENGTH = 28
KEY_LENGTH = 52
GROUP = 4
FINGERPRINT_WORDS = 5
_PORT_BITS, _FINGERPRINT_BITS = 16, 8 * limits.FINGERPRINT_BYTES
_NAME = re.compile(r"(?!-)[A-Za-z0-9_.-]{1,253}(?<!-)\Z")


class BadCode(ValueError):
    """A join code, invite or address that cannot be read; the message says why, to a person."""


@dataclass(frozen=True, slots=True)
class Invite:
    """Where a host is and what is known of its CURVE key: all of it, a fingerprint, or nothing."""

    host: str
    """A name, an IPv4 address, or an IPv6 address without brackets."""
    port: int
    fingerprint: bytes | None = None
    key: bytes | None = None

    @property
    def address(self) -> str:
        """HOST:PORT, with brackets around an IPv6 address."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def matches(self, key: bytes) -> bool:
        """Whether a fetched key is the promised one. True if none was promised: then people compare words."""
        if self.key is not None:
            return hmac.compare_digest(self.key, key)
        return self.fingerprint is None or hmac.compare_digest(self.fingerprint, fingerprint(key))


def fingerprint(key: bytes) -> bytes:
    """The 80-bit fingerprint of a host's CURVE key."""
    return digest("fingerprint/1", key)[: limits.FINGERPRINT_BYTES]


def fingerprint_words(key: bytes) -> str:
    """Five words of a host's CURVE key, to be compared by people. Takes some 50 ms on purpose.

    40 bits alone could be searched for a key with the same words; scrypt makes each try dear.
    """
    scrypt = Scrypt(salt=fields("fingerprint-words/1"), length=FINGERPRINT_WORDS, n=2**14, r=8, p=1)
    return say(scrypt.derive(key))


def short_code(address: str, port: int, key: bytes) -> str:
    """The short code of a host. Raises ValueError unless the address is IPv4 and the port usable."""
    number = CODE_VERSION << 32 | int(ipaddress.IPv4Address(address))
    number = number << _PORT_BITS | _checked_port(port)
    number = number << _FINGERPRINT_BITS | int.from_bytes(fingerprint(key), "big")
    values = base32.from_number(number, CODE_LENGTH - 1)
    text = base32.write([*values, base32.check_digit(values)])
    return "-".join(text[start : start + GROUP] for start in range(0, CODE_LENGTH, GROUP))


def invite(host: str, port: int, key: bytes) -> str:
    """The long invite of a host. Raises ValueError for an unusable name, address, port or key."""
    return f"{Invite(_checked_host(host), _checked_port(port)).address}/{write_key(key)}"


def write_key(key: bytes) -> str:
    """The 52 digits of a host's CURVE key. Raises ValueError unless it has 32 bytes."""
    if len(key) != limits.KEY_BYTES:
        raise ValueError(f"a key has {limits.KEY_BYTES} bytes")
    # 52 digits hold 260 bits: the 256 of the key come first, then four zeros.
    return base32.write(base32.from_number(int.from_bytes(key, "big") << 4, KEY_LENGTH))


def parse(text: str) -> Invite:
    """Reads a short code, an invite, HOST:PORT, or a HOST with a dot in it (then with the default port).

    Raises BadCode, whose message tells a person what is wrong.
    """
    text = text.strip()
    if not text:
        raise BadCode("there is no join code")
    if re.search(r"[:./\[]", text) or text.lower() == "localhost":
        return _parse_address(text)
    return _parse_code(text)


def _parse_code(text: str) -> Invite:
    values = _digits(text)
    if len(values) != CODE_LENGTH:
        raise BadCode(
            f"a join code has {CODE_LENGTH} letters and digits, this has {len(values)} "
            "(an address is written HOST:PORT)"
        )
    if base32.check_digit(values[:-1]) != values[-1]:
        raise BadCode("mistyped: the check character does not fit; please compare the code once more")
    number = base32.to_number(values[:-1])
    mark = (number & (1 << _FINGERPRINT_BITS) - 1).to_bytes(limits.FINGERPRINT_BYTES, "big")
    number >>= _FINGERPRINT_BITS
    port = number & (1 << _PORT_BITS) - 1
    number >>= _PORT_BITS
    if number >> 32 != CODE_VERSION:
        raise BadCode("this join code is of another version of cosmic-net")
    return Invite(str(ipaddress.IPv4Address(number & 0xFFFFFFFF)), _port(port), fingerprint=mark)


def _parse_address(text: str) -> Invite:
    address, slash, key = text.partition("/")
    host, port = _split(address.strip())
    if not slash:
        return Invite(host, port)
    whole = read_key(key)
    return Invite(host, port, fingerprint=fingerprint(whole), key=whole)


def _split(address: str) -> tuple[str, int]:
    match = re.match(r"\[([^\]]*)\](?::(.*))?\Z", address) or re.match(r"([^:\[\]]*)(?::([^:]*))?\Z", address)
    if match is None:
        raise BadCode("an IPv6 address is written in brackets: [fe80::1]:PORT")
    try:
        host = _checked_host(match[1])
    except ValueError as error:
        raise BadCode(str(error)) from error
    if match[2] is None:
        return host, limits.DEFAULT_PORT
    if not re.match(r"[0-9]{1,5}\Z", match[2]):
        raise BadCode("the port after the colon is a number")
    return host, _port(int(match[2]))


def read_key(text: str) -> bytes:
    """The key that 52 digits stand for. Raises BadCode."""
    values = _digits(text)
    if len(values) != KEY_LENGTH:
        raise BadCode(f"the key after the / has {KEY_LENGTH} letters and digits, this has {len(values)}")
    number = base32.to_number(values)
    if number & 15:
        raise BadCode("mistyped: the key after the / cannot end like this")
    return (number >> 4).to_bytes(limits.KEY_BYTES, "big")


def _digits(text: str) -> list[int]:
    try:
        return base32.digits(text)
    except base32.BadCharacter as error:
        raise BadCode(f"mistyped: {error}") from error


def _port(port: int) -> int:
    try:
        return _checked_port(port)
    except ValueError as error:
        raise BadCode(str(error)) from error


def _checked_port(port: int) -> int:
    if not limits.MIN_PORT <= port <= limits.MAX_PORT:
        raise ValueError(f"a port is a number from {limits.MIN_PORT} to {limits.MAX_PORT}")
    return port


def _checked_host(host: str) -> str:
    if not (_is_ipv6(host) if ":" in host else _NAME.match(host)):
        raise ValueError(f"{host[:60]!r} is no name or address of a computer")
    return host


def _is_ipv6(host: str) -> bool:
    address, percent, zone = host.partition("%")
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        return False
    return not percent or _NAME.match(zone) is not None
