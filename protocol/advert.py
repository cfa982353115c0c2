"""What a host says of its table in the LAN, by DNS-SD: the keys of the TXT record, written and read.

The record is public and nothing vouches for it: whoever is in the LAN could say the same. It carries the host's whole
CURVE key, so that what a client finds is at least one and the same host from the list to the handshake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from protocol import base32, joincode, limits
from protocol.common import Table
from protocol.text import clean

SERVICE = "_cosmic-net._tcp.local."
"""The type of the service; the port of its SRV record is the host's."""
TXT_VERSION = "1"
STATES = ("lobby", "seeding", "playing", "over")
_VALUE_BYTES = 200
"""A string of a TXT record, key included, has at most 255 bytes."""


class BadAdvert(ValueError):
    """A record that is none of ours, or of another time; the message says why."""


@dataclass(frozen=True)
class Advert:
    """One table as it is announced."""

    key: bytes
    """The host's CURVE key."""
    name: str = ""
    state: str = "lobby"
    seats: int = limits.SEATS
    free: int = limits.SEATS
    players: tuple[str, ...] = ()
    """The people with a seat, in the order of the seats."""
    bots: int = 0
    practice: bool = False
    passphrase: bool = False
    """Whether strangers are asked for one."""
    versions: tuple[int, ...] = limits.VERSIONS
    """The versions of the protocol that the host speaks."""

    @property
    def speaks_ours(self) -> bool:
        """Whether the host speaks a version that this package speaks."""
        return bool(set(self.versions) & set(limits.VERSIONS))

    @property
    def open(self) -> bool:
        """Whether somebody who comes now gets a seat."""
        return self.state == "lobby" and self.free > 0 and self.speaks_ours


def of_table(table: Table, key: bytes, passphrase: bool = False) -> Advert:
    """The advert of a table; `passphrase`: whether it asks strangers for one.

    Where those who look on see the game later, all may know only later that it is over.
    """
    later = table.phase == "over" and table.house.watch_delay_s > 0
    taken = [seat for seat in table.seats if seat.name]
    return Advert(
        key=key,
        name=table.name,
        state="playing" if later else table.phase,
        seats=len(table.seats),
        free=len(table.seats) - len(taken),
        players=tuple(seat.name for seat in taken if not seat.bot),
        bots=sum(seat.bot for seat in taken),
        practice=table.practice,
        passphrase=passphrase,
    )


def instance(key: bytes) -> str:
    """The name of the service's instance: one a host, whatever its table is called."""
    return f"cosmic-net {mark(key)}"


def mark(key: bytes) -> str:
    """The fingerprint of a host's key in 16 digits."""
    return base32.write(base32.from_number(int.from_bytes(joincode.fingerprint(key), "big"), 16))


def to_txt(advert: Advert) -> dict[str, str]:
    """The keys and values of the TXT record, `txtvers` first."""
    txt = {
        "txtvers": TXT_VERSION,
        "v": ",".join(map(str, advert.versions)),
        "fp": mark(advert.key),
        "key": joincode.write_key(advert.key),
        "name": _short(advert.name),
        "state": advert.state,
        "seats": str(advert.seats),
        "free": str(advert.free),
        "bots": str(advert.bots),
    }
    txt |= {f"p{number}": _short(name) for number, name in enumerate(advert.players[: limits.SEATS], 1)}
    marks = {"practice": advert.practice, "pass": advert.passphrase}
    return txt | {name: "1" for name, there in marks.items() if there}


def from_txt(record: Mapping[bytes, bytes | None]) -> Advert:
    """The advert in a TXT record; what it does not know it passes over. Raises BadAdvert."""
    txt = {key.decode("ascii", "replace").lower(): value for key, value in record.items() if value is not None}
    if txt.get("txtvers") != TXT_VERSION.encode():
        raise BadAdvert("the record is of another version")
    try:
        key = joincode.read_key(_text(txt, "key"))
    except joincode.BadCode as error:
        raise BadAdvert(str(error)) from error
    if "fp" in txt and _text(txt, "fp").upper() != mark(key):
        raise BadAdvert("the fingerprint is that of another key")
    state = _text(txt, "state")
    seats = _number(txt, "seats")
    players = (clean(_text(txt, f"p{number}"), limits.NAME_LENGTH) for number in range(1, limits.SEATS + 1))
    return Advert(
        key=key,
        name=clean(_text(txt, "name"), limits.TABLE_NAME_LENGTH),
        state=state if state in STATES else "playing",
        seats=seats,
        free=min(_number(txt, "free"), seats),
        players=tuple(name for name in players if name),
        bots=_number(txt, "bots"),
        practice=_text(txt, "practice") == "1",
        passphrase=_text(txt, "pass") == "1",
        versions=tuple(int(part) for part in _text(txt, "v").split(",") if part.isascii() and part.isdigit())[:16],
    )


def _short(text: str) -> str:
    """The text, cut so that it fits into one string of the record."""
    return text.encode()[:_VALUE_BYTES].decode(errors="ignore")


def _text(txt: Mapping[str, bytes | None], key: str) -> str:
    return (txt.get(key) or b"").decode("utf-8", "replace")


def _number(txt: Mapping[str, bytes | None], key: str) -> int:
    text = _text(txt, key)
    return min(int(text), 99) if text.isascii() and text.isdigit() and len(text) < 6 else 0
