"""A desk whose player is not connected to anything: what it would send is written down."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from client.desk.desk import Desk
from client.game.player import Player
from client.game.told import Told
from client.home import Profile
from client.notes import Moved, Note
from client.show.style import Style
from client.wire.session import Refused
from protocol import messages as m
from tests.client import decisions as d
from tests.client.games import NAMES

SEATS = ("red", "blue", "green", "yellow")


class Unconnected(Player):
    """A player with a told game and no host."""

    def __init__(self) -> None:
        self.told = Told(lambda note: None, lambda: None)
        self.told.name_of = lambda seat: NAMES.get(seat, seat)  # type: ignore[method-assign]
        self.answered = set()
        self.sent: list[tuple[str, Any]] = []
        self.refuse: Refused | None = None
        self._seals = None

    async def answer(self, decision: dict[str, Any], value: Any) -> None:
        self.sent.append((decision["topic"], value))
        self.answered.add(decision["id"])
        if self.refuse is not None:
            self.answered.discard(decision["id"])
            raise self.refuse

    async def ask(self, kind: Any, **fields: Any) -> dict[str, Any] | None:
        self.sent.append((kind.__name__, fields))
        return None

    async def standing_pass(self, until: m.Until, keep: tuple[str, ...] = ()) -> None:
        self.sent.append(("pass", (until, keep)))

    async def whisper(self, to: m.SeatName, text: str) -> None:
        self.sent.append(("whisper", (to, text)))

    async def close(self, *, goodbye: bool = True) -> None:
        pass


class Table:
    """A desk, what it printed, and what its player sent."""

    def __init__(self, folder: Path, *, confirm: bool = True) -> None:
        self.printed: list[str] = []
        self.player = Unconnected()
        profile = Profile("ana", folder, folder)
        self.desk = Desk(self.player, profile, Style(), self.printed.extend, confirm=confirm)

    @property
    def sent(self) -> list[tuple[str, Any]]:
        return self.player.sent

    def ask(self, *decisions: dict[str, Any], **view: Any) -> None:
        """Opens these questions (none: nothing is asked)."""
        prompts = [{**decision, "id": number} for number, decision in enumerate(decisions, 10)]
        waiting = [{k: p[k] for k in ("id", "group", "seat", "kind", "topic", "timer")} for p in prompts]
        players = {
            seat: {"foreign": 0, "home": 5, "warp": 0, "hand": 8, "powers": [], "lost": False}
            for seat in d.VIEW["seats"]
        }
        self.player.told.view = {
            **d.VIEW, "me": "red", "hand": d.HAND, "players": players, "prompts": prompts, "waiting": waiting,
            "deck": 40, "destiny": {"deck": 9, "discards": []}, "over": False, **view,
        }  # fmt: skip
        self.player.told.revision += 1
        self.take(Moved())

    def take(self, note: Note) -> None:
        self.desk.take(note)

    async def enter(self, line: str) -> None:
        """Types a line, and lets everything happen that follows."""
        self.desk.enter(line)
        await self.desk.settled()
        await asyncio.sleep(0)
