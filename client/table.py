"""From a command line to a desk: connect, sit down, and hand over to the terminal."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

from client import lonely, notes, passphrase, windows
from client.desk.desk import Desk
from client.errors import PassphraseWanted, Trouble
from client.game.player import Player
from client.home import Home, Profile, shown_name
from client.show.style import Style, fitted
from client.wire import hosting, seeking
from client.wire.finding import Found
from client.wire.hosting import Running, Wanted
from client.wire.session import SENTENCES, Gone, Refused
from protocol import messages as m

CONNECT_SECONDS = 10.0
PASSPHRASES = 3
"""So often a person is asked for a passphrase."""


class Terminal(Protocol):
    """What runs a desk."""

    def show(self, lines: list[str]) -> None:
        """Prints lines above whatever is being typed."""

    def changed(self) -> None:
        """The question may be another now."""

    async def run(self, desk: Desk) -> None:
        """Reads and answers until the desk is closed."""


class Visit:
    """One player's visit to one table: the desk, its terminal, and what is done on arrival."""

    def __init__(self, home: Home, args: argparse.Namespace, address: str, key: bytes, *, watch: bool = False) -> None:
        profile = home.profile(args.profile)
        name = player_name(profile, args)
        if args.name:
            profile.remember(name=name)
        plain = is_plain(args)
        style = Style.of(sys.stdout, plain=plain)
        self.terminal: Terminal = _terminal(plain, profile.history)
        self._profile = profile
        self.watch = watch
        self.start_with: int | None = None
        """How many must be seated and ready before the game is started at once; None: it is not."""
        self._connected: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.player = Player(profile, name, address, key, self._note, args.passphrase)
        self.desk = Desk(
            self.player,
            profile,
            style,
            self.terminal.show,
            explain=args.explain or profile.settings().get("explain", True) is True,
            confirm=not plain or sys.stdin.isatty(),
            watching=watch,
        )
        self._starting = False

    async def run(self) -> int:
        """Connects, runs the desk until it is closed, leaves."""
        with windows.at(self._profile, self.player.host_key):
            self.player.start()
            try:
                await self._connect()
                await self.terminal.run(self.desk)
            finally:
                await self.desk.close()
        if self.desk.over:
            print(fitted(self.desk.over))
        return 1 if self.desk.told.fatal else 0

    async def _connect(self) -> None:
        try:
            await asyncio.wait_for(self._connected, CONNECT_SECONDS)
        except TimeoutError:
            if why := self.player.session.put_off:
                raise Trouble(f"The host does not let you in now: {why}.") from None
            raise Trouble(f"No answer from {self.player.address}. Is the host still running there?") from None

    def _note(self, note: notes.Note) -> None:
        if isinstance(note, notes.Connection) and not self._connected.done():
            self._arrived(note)
            if self._connected.done() and self._connected.exception() is not None:
                return  # it ends the visit, and is said then
        if isinstance(note, notes.TableChanged):
            self._look_at_table(note)
        self.desk.take(note)
        self.terminal.changed()

    def _arrived(self, note: notes.Connection) -> None:
        if note.state == "up":
            self._connected.set_result(None)
        elif note.text:
            kind = PassphraseWanted if note.text == SENTENCES["passphrase"] else Trouble
            self._connected.set_exception(kind(note.text))

    def _look_at_table(self, note: notes.TableChanged) -> None:
        table = note.new
        if note.old is None and table.phase == "lobby" and not self.watch and self.player.told.you.seat is None:
            self.desk.do(self._sit())
        here = [seat for seat in table.seats if seat.name and (seat.ready or seat.bot or seat.owner)]
        if self.start_with is not None and not self._starting and len(here) >= self.start_with:
            self._starting = True
            self.desk.do(self._start())

    async def _sit(self) -> None:
        try:
            await self.player.ask(m.Sit)
        except Refused as error:
            self.desk.watching = True
            self.terminal.show([f"{error.text[:1].upper()}{error.text[1:]}.", *self.desk.news.introduction()])

    async def _start(self) -> None:
        try:
            await self.player.ask(m.Ready, ready=True)
            await self.player.ask(m.Start)
        except Refused as error:
            self.terminal.show([f"The game cannot be started: {error.text}"])
        except Gone:
            pass


def player_name(profile: Profile, args: argparse.Namespace) -> str:
    """The name that the player wants, or had last."""
    return shown_name(args.name or "") or profile.player_name()


def is_plain(args: argparse.Namespace) -> bool:
    """Whether lines are only appended: asked for, or because there is no terminal that could do more."""
    return bool(args.plain) or os.environ.get("TERM") == "dumb" or not (sys.stdin.isatty() and sys.stdout.isatty())


def _terminal(plain: bool, history: Path) -> Terminal:
    if plain:
        from client.plain import Plain

        return Plain()
    from client.repl.terminal import Repl

    return Repl(history)


async def play(home: Home, args: argparse.Namespace, wanted: Wanted) -> int:
    """Hosts a table with bots and starts at once."""
    running = await hosting.start(home.tables, wanted)
    visit = Visit(home, args, running.local_address, running.key)
    visit.start_with = wanted.bots + 1
    code = await visit.run()
    await _after_hosting(running, visit)
    return code


async def host(home: Home, args: argparse.Namespace, wanted: Wanted) -> int:
    """Hosts a table, says how to join it, waits in the lobby."""
    running = await hosting.start(home.tables, wanted)
    return await _at_own_table(home, args, running)


async def resume(home: Home, args: argparse.Namespace, running: Running) -> int:
    """Goes on at a table of one's own whose host runs again."""
    return await _at_own_table(home, args, running)


def leave_to_other_window(running: Running) -> int:
    """Says that the table is open again, and leaves it to the window that has waited for that."""
    tell_codes(running)
    again = "The table is open again, with the same game. Your other window and everybody else's go on by themselves."
    print(fitted(f"{again} Should that window be lost, `cosmic-net join` takes its place."))
    return 0


async def _at_own_table(home: Home, args: argparse.Namespace, running: Running) -> int:
    tell_codes(running)

    async def once() -> int:
        visit = Visit(home, args, running.local_address, running.key)
        hint = asyncio.create_task(lonely.hint(running, visit.player.told, visit.terminal.show))
        try:
            code = await visit.run()
        finally:
            hint.cancel()
        await _after_hosting(running, visit)
        return code

    return await _let_in(args, once)


async def join(home: Home, args: argparse.Namespace, text: str, *, watch: bool = False) -> int:
    """Joins the table that a code, an address or an invite names."""
    return await visit(home, args, await seeking.find(text), watch=watch)


async def visit(home: Home, args: argparse.Namespace, found: Found, *, watch: bool = False) -> int:
    """Joins the table of a host that was found."""
    if found.words:
        words = f"The host's key reads: {found.words}. The host's screen (`who`) must show the same words."
        print(fitted(words))
    return await _let_in(args, lambda: Visit(home, args, found.address, found.key, watch=watch).run())


async def _let_in(args: argparse.Namespace, once: Callable[[], Awaitable[int]]) -> int:
    """Visits a table; as long as it wants another passphrase, the person is asked for it."""
    args.passphrase = passphrase.known(args.passphrase)
    for _ in range(PASSPHRASES):
        try:
            return await once()
        except PassphraseWanted:
            args.passphrase = passphrase.asked(wrong=bool(args.passphrase))
    return await once()


def tell_codes(running: Running, tell: Callable[[str], None] = print) -> None:
    """Says how others can join."""
    codes = hosting.codes_to_tell(running)
    for number, code in enumerate(codes):
        tell(f"{'Join with' if number == 0 else '       or'}: cosmic-net join {code}")
    if running.invites:
        tell(f"To paste: {running.invites[0]}")


async def _after_hosting(running: Running, visit: Visit) -> None:
    """A table that nobody plays at any more ends with its host's client; one with guests or a game goes on."""
    table = visit.player.told.table
    guests = table is not None and any(seat.name and not seat.bot and not seat.owner for seat in table.seats)
    if guests or (table is not None and table.phase == "playing"):
        stays = "The table stays open: `cosmic-net join` comes back to it, `cosmic-net tables --stop NAME` closes it."
        print(fitted(stays))
    else:
        await hosting.stop(running)
