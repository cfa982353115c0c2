"""Homes of their own, real hosts, and players that answer by themselves."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from client import notes
from client.game.player import Player
from client.home import Home
from client.wire import hosting
from client.wire.hosting import Running, Wanted
from client.wire.session import Gone, Refused
from cosmic_net.bots.chance import Chance
from protocol import messages as m
from protocol.identity import Identity

LIMIT = 60.0
CLOCKS = {"reaction_s": 0.3, "deal_s": 5.0}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home of this test's own, for this process and those it starts."""
    monkeypatch.setenv("COSMIC_NET_HOME", str(tmp_path))
    return Home.find()


@pytest.fixture
def no_hosts_left(home: Home) -> Iterator[None]:
    """Kills the hosts that a test has left behind."""
    yield
    for folder in home.tables.glob("*"):
        if (running := Running.read(folder)) is not None:
            kill(running)


def kill(running: Running) -> None:
    """Kills a host at once, as a power cut would."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(running.pid, signal.SIGKILL)


StartHost = Callable[..., Awaitable[Running]]


@pytest.fixture
async def start_host(home: Home, no_hosts_left: None) -> AsyncIterator[StartHost]:
    """Starts hosts on this computer, owned by the profile `ana`."""
    started: list[Running] = []

    async def start(**wanted: Any) -> Running:
        owner = Identity(home.profile("ana").secret()).curve_key
        defaults: dict[str, Any] = {"name": "Test", "owner": owner, "port": 0, "clocks": CLOCKS, "here_only": True}
        running = await hosting.start(home.tables, Wanted(**(defaults | wanted)))
        started.append(running)
        return running

    yield start
    for running in started:
        current = Running.read(running.folder)
        if current is not None:
            await hosting.stop(current)


class Someone:
    """A player at a table who answers with dice, or not at all (`idle`)."""

    def __init__(self, home: Home, profile: str, running: Running, *, idle: bool = False) -> None:
        self.notes: list[notes.Note] = []
        self.idle = idle
        self.answers: dict[int, Any] = {}
        self._moved = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._dice = Chance(profile.ljust(32).encode())
        self.player = Player(home.profile(profile), profile.title(), running.local_address, running.key, self._note)
        self.told = self.player.told

    async def arrive(self, *, sit: bool = True) -> Someone:
        self.player.start()
        await self.until(lambda: self.told.table is not None)
        if sit:
            await self.player.ask(m.Sit)
            await self.player.ask(m.Ready, ready=True)
        return self

    async def until(self, condition: Callable[[], bool], seconds: float = LIMIT) -> None:
        """Waits for something that news bring about."""
        async with asyncio.timeout(seconds):
            while not condition():
                self._moved.clear()
                await self._moved.wait()

    async def leave(self, *, goodbye: bool = True) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.player.close(goodbye=goodbye)

    def heard(self, kind: type) -> list[Any]:
        return [note for note in self.notes if isinstance(note, kind)]

    def events(self, kind: str) -> list[Any]:
        return [note.event for note in self.heard(notes.Happened) if note.event["kind"] == kind]

    def _note(self, note: notes.Note) -> None:
        self.notes.append(note)
        self._moved.set()
        if isinstance(note, notes.Moved) and not self.idle:
            self.go_on()

    def go_on(self) -> None:
        """Answers whatever is asked."""
        for decision in self.player.prompts:
            if decision["id"] not in self.answers:
                self.answers[decision["id"]] = answer = self._dice.decide(self.told.view or {}, decision)
                task = asyncio.get_running_loop().create_task(self._answer(decision, answer))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _answer(self, decision: dict[str, Any], answer: Any) -> None:
        try:
            await self.player.answer(decision, answer)
        except Refused as error:
            if error.code == "illegal-answer":
                del self.answers[decision["id"]]  # dice may offer what the rules do not allow
        except Gone:
            pass


Meet = Callable[..., Awaitable[Someone]]


@pytest.fixture
async def meet(home: Home, no_hosts_left: None) -> AsyncIterator[Meet]:
    """Lets somebody arrive at a table; all leave in the end."""
    people: list[Someone] = []

    async def arrive(profile: str, running: Running, *, idle: bool = False, sit: bool = True) -> Someone:
        someone = Someone(home, profile, running, idle=idle)
        people.append(someone)
        return await someone.arrive(sit=sit)

    yield arrive
    for someone in people:
        await someone.leave()
