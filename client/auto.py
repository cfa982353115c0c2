"""A whole game between bots, over a real host, told in plain text."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from typing import Any

from client import notes
from client.errors import Trouble
from client.game.player import Player
from client.home import Home
from client.show.story import Story
from client.show.style import Style
from client.show.words import alien_name
from client.wire import hosting
from client.wire.hosting import Running, Wanted
from client.wire.session import Gone, Refused
from protocol import messages as m

START_SECONDS = 60.0


class Teller:
    """Looks on at a table of bots, starts its game, and prints what happens until it is over."""

    def __init__(self, home: Home, profile: str, running: Running) -> None:
        self._news: asyncio.Queue[notes.Note] = asyncio.Queue()
        self._player = Player(
            home.profile(profile), "Teller", running.local_address, running.key, self._news.put_nowait
        )
        self._story = Story(self._player.told, Style.of(sys.stdout, plain=True))

    async def run(self, bots: int) -> str:
        """Tells the game; returns the line about the winners. Raises Trouble if it does not come to an end."""
        self._player.start()
        try:
            async with asyncio.timeout(START_SECONDS):
                await self._wait_for_bots(bots)
                await self._start()
            return await self._tell()
        except TimeoutError:
            raise Trouble("The game did not start; the log in the table's folder may say why.") from None
        finally:
            await self._player.close()

    async def _wait_for_bots(self, bots: int) -> None:
        while True:
            self._stop_if_over(await self._news.get())
            table = self._player.told.table
            if table is not None and sum(seat.bot and seat.ready for seat in table.seats) >= bots:
                return

    async def _start(self) -> None:
        try:
            await self._player.ask(m.Start)
        except (Refused, Gone) as error:
            raise Trouble(f"The game cannot be started: {error}.") from error

    async def _tell(self) -> str:
        while True:
            note = await self._news.get()
            self._stop_if_over(note)
            match note:
                case notes.Happened(event):
                    self._print(self._story.event(event))
                case notes.Before(events):
                    for event in events:
                        self._print(self._story.event(event))
                case notes.Alarm(text):
                    self._print([f"!! {text}"])
                case notes.GameEnded(_, winners):
                    return self._winners(winners)

    def _stop_if_over(self, note: notes.Note) -> None:
        if isinstance(note, notes.Connection) and note.state == "over":
            raise Trouble(note.text)

    def _print(self, lines: list[str]) -> None:
        for line in lines:
            print(line)

    def _winners(self, winners: tuple[str, ...]) -> str:
        if not winners:
            return "winner: nobody"
        return ("winner: " if len(winners) == 1 else "winners: ") + ", ".join(map(self._with_aliens, winners))

    def _with_aliens(self, seat: str) -> str:
        view = self._player.told.view or {}
        powers: list[Mapping[str, Any]] = view.get("players", {}).get(seat, {}).get("powers", [])
        aliens = ", ".join(alien_name(power["alien"]) for power in powers)
        return f"{seat} ({aliens})" if aliens else seat


async def play(home: Home, profile: str, wanted: Wanted) -> int:
    """Plays one game between bots; the host ends with it."""
    running = await hosting.start(home.tables, wanted)
    try:
        winners = await Teller(home, profile, running).run(wanted.bots)
        print(winners, flush=True)
    finally:
        await hosting.stop(running)
    return 0
