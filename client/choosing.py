"""The tables that could be joined without a code: those hosted on this computer and those announced in the LAN."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from client.errors import Trouble
from client.home import Home
from client.wire import hosting
from client.wire.finding import Found
from client.wire.hosting import Running
from protocol.text import clean

if TYPE_CHECKING:
    from client.wire.discovery import Offer

NO_NAME = "Table without a name"
STATES = {"lobby": "in the lobby", "seeding": "starting", "playing": "playing", "over": "after a game"}


@dataclass(frozen=True)
class Choice:
    """One table: found in the LAN, hosted here, or both."""

    offer: Offer | None = None
    running: Running | None = None

    @property
    def key(self) -> bytes:
        """The host's key."""
        if self.running is not None:
            return self.running.key
        assert self.offer is not None
        return self.offer.advert.key

    @property
    def name(self) -> str:
        """What the table is called; safe to show."""
        said = self.offer.advert.name if self.offer is not None else self.running.name if self.running else ""
        return clean(said, 40).strip() or NO_NAME

    @property
    def title(self) -> str:
        """The name, whether it is for practice, and whether it asks for a passphrase."""
        said = self.running or (self.offer.advert if self.offer is not None else None)
        marks = [mark for mark in ("practice", "passphrase") if getattr(said, mark)]
        return f"{self.name} ({', '.join(marks)})" if marks else self.name

    @property
    def address(self) -> str:
        """HOST:PORT of the likeliest address."""
        if self.running is not None:
            return self.running.local_address
        assert self.offer is not None
        return self.offer.shown_address

    @property
    def details(self) -> str:
        """Who plays there and whether a seat is free."""
        if self.offer is None:
            return "on this computer"
        advert = self.offer.advert
        if not advert.speaks_ours:
            return "another version of cosmic-net"
        people = [clean(name) for name in advert.players]
        if advert.bots:
            people.append(f"{advert.bots} bot{'s' if advert.bots > 1 else ''}")
        seats = f"{advert.free} of {advert.seats} seats free"
        return f"{STATES[advert.state]}, {seats}" + (f": {', '.join(people)}" if people else "")


@dataclass(frozen=True)
class Tables:
    """What there is. `problem`: why the LAN could not be searched."""

    choices: tuple[Choice, ...]
    problem: str | None = None

    @property
    def here(self) -> list[Choice]:
        """Those that are hosted on this computer, oldest first."""
        return [choice for choice in self.choices if choice.running is not None]

    @property
    def elsewhere(self) -> list[Choice]:
        """Those on other computers."""
        return [choice for choice in self.choices if choice.running is None]


async def look(home: Home, name: str = "") -> Tables:
    """Looks for tables here and in the LAN; with a name not longer than until one is called exactly so."""
    from client.wire import discovery

    def enough(offers: list[Offer]) -> bool:
        return any(offer.advert.name.casefold() == name.casefold() for offer in offers)

    running, found = await asyncio.gather(
        hosting.running_here(home.tables), discovery.search(enough=enough if name else None)
    )
    offers = {offer.advert.key: offer for offer in found.offers}
    here = [Choice(offers.pop(table.key, None), table) for table in running]
    others = sorted((Choice(offer) for offer in offers.values()), key=_order)
    return Tables((*here, *others), found.problem)


def _order(choice: Choice) -> tuple[bool, str, bytes]:
    return not (choice.offer and choice.offer.advert.open), choice.name.casefold(), choice.key


def is_code(words: list[str]) -> bool:
    """Whether what was typed is (or was meant as) a code, an address or an invite rather than a table's name."""
    from protocol import joincode

    text = "".join(words)
    try:
        invite = joincode.parse(text)
    except joincode.BadCode:
        return _like_a_code(words) or "/" in text or (len(words) == 1 and ":" in text)
    if invite.fingerprint is not None:
        return True
    return len(words) == 1 and (":" in text or _is_number(invite.host))


def _like_a_code(words: list[str]) -> bool:
    """Whether it looks like a mistyped code: about as long, in one piece or in groups of four."""
    digits = "".join(words).replace("-", "")
    grouped = len(words) == 1 or all(len(word) <= 4 for word in words)
    return grouped and 24 <= len(digits) <= 32 and digits.isalnum() and sum(map(str.isdigit, digits)) >= 2


def _is_number(host: str) -> bool:
    return host.replace(".", "").isdigit()


def by_name(tables: Tables, name: str) -> Choice | None:
    """The table that is called so, or whose name alone begins so; None if there is none. Raises Trouble."""
    wanted = clean(name).casefold()
    found = [choice for choice in tables.choices if choice.name.casefold() == wanted]
    found = found or [choice for choice in tables.choices if choice.name.casefold().startswith(wanted)]
    if len(found) > 1:
        raise Trouble("Several tables are called so. Name one by its address:\n" + "\n".join(_commands(found)), 2)
    return found[0] if found else None


def unknown(tables: Tables, name: str) -> Trouble:
    """What to say if no table has the name."""
    if not tables.choices:
        return nothing_found(tables, f'No table "{clean(name)}" was found in this network.')
    listed = "\n".join(lines(list(tables.choices)))
    return Trouble(f'No table is called "{clean(name)}". There are:\n{listed}', 1)


def nothing_found(tables: Tables, first: str = "No table was found in this network.") -> Trouble:
    """What to say if there is no table, and what to type instead."""
    cause = f" ({tables.problem})" if tables.problem else ""
    return Trouble(
        f"{first[:-1]}{cause}. If there is one, this network does not carry the search, as many do not: ask for the "
        "join code on the host's screen and type `cosmic-net join CODE`. `cosmic-net doctor` looks for causes."
    )


def lines(choices: list[Choice]) -> list[str]:
    """A numbered list."""
    width = max((len(choice.title) for choice in choices), default=0)
    return [
        f"{number:>3}  {choice.title:<{width}}  {choice.details}  [{choice.address}]"
        for number, choice in enumerate(choices, 1)
    ]


def _commands(choices: list[Choice]) -> list[str]:
    return [f"  cosmic-net join {choice.address}   {choice.title}: {choice.details}" for choice in choices]


def choose(tables: Tables, *, plain: bool) -> Choice:
    """The only table, or the one that the player chooses from a list. Raises Trouble."""
    choices = list(tables.choices)
    if not choices:
        raise nothing_found(tables)
    if len(choices) == 1:
        return choices[0]
    print("\n".join(["Tables:", *lines(choices)]), flush=True)
    read = _read_line if plain else _prompt(choices)
    while True:
        line = read("Which one (number or name)? ")
        if line is None:
            raise Trouble("Which table? Type `cosmic-net join NAME`, with the beginning of a name from the list.", 2)
        if line.strip().isdigit() and 1 <= int(line) <= len(choices):
            return choices[int(line) - 1]
        try:
            chosen = by_name(tables, line) if line.strip() else None
        except Trouble as trouble:
            print(trouble.message)
            continue
        if chosen is not None:
            return chosen
        print(f"A number from 1 to {len(choices)}, or the beginning of a name.", flush=True)


def _read_line(question: str) -> str | None:
    """Reads one line and not a byte more: what follows are answers at the table. None at the end of the input."""
    print(question, end="" if sys.stdin.isatty() else "\n", flush=True)
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            break
        line += byte
    return line.decode("utf-8", "replace") if line else None


def _prompt(choices: list[Choice]) -> Callable[[str], str | None]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter

    names = [choice.name for choice in choices]
    session: PromptSession[str] = PromptSession(completer=WordCompleter(names, ignore_case=True, sentence=True))

    def read(question: str) -> str | None:
        try:
            return session.prompt(question)
        except EOFError:
            return None

    return read


async def reach(choice: Choice) -> Found:
    """The table's host, at an address that works. Raises Trouble."""
    from client.wire.reaching import reach as reach_any

    if choice.running is not None:
        return Found(choice.running.local_address, choice.running.key)
    assert choice.offer is not None
    return await reach_any(choice.offer.addresses, choice.offer.port, choice.offer.advert.key)
