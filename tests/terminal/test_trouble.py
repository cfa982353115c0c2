"""What terminals do to programs: nobody reads them for a while, or much comes at once. The table does not notice."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.wire.hosting import Running
from protocol.messages import Ready, Say
from tests.support.wire_client import WireClient
from tests.terminal.conftest import Open
from tests.terminal.screen import Terminal, wait_all

pytestmark = pytest.mark.timeout(180)

PAUSED_SECONDS = 5.0
PROMPT_MS = 500.0
"""How long the host may take to answer somebody at most, on a busy machine too."""
WIDE = ("王小明", "Zoë", "ＦＵＬＬ", "한국어")


class Guests:
    """Players at the table that was opened in a home; they hear things while `run` runs."""

    def __init__(self, home: Path, runner: asyncio.Runner) -> None:
        self._home = home
        self.run = runner.run
        self.all: list[WireClient] = []

    def sit_down(self, *names: str) -> list[WireClient]:
        """Lets players with these names sit down, ready."""
        self.run(self._sit_down(names))
        return self.all

    async def _sit_down(self, names: tuple[str, ...]) -> None:
        folders = (self._home / "tables").glob("*")
        running = next(found for folder in folders if (found := Running.read(folder)) is not None)
        for number, name in enumerate(names, 1):
            client = WireClient(bytes([number]) * 32, name)
            self.all.append(client)
            client.pings = True
            await client.connect(f"127.0.0.1:{running.port}", running.key)
            await client.sit()

    async def close(self) -> None:
        for client in self.all:
            await client.close()


@pytest.fixture
def guests(tmp_path: Path) -> Iterator[Guests]:
    with asyncio.Runner() as runner:
        guests = Guests(tmp_path, runner)
        yield guests
        runner.run(guests.close())


def in_the_lobby(open_terminal: Open) -> Terminal:
    ana = open_terminal("host", "--name", "Ana", "--here", "--port", "0")
    ana.wait(r"▲ Ana \(you, host\)")
    return ana


def test_a_terminal_that_nobody_reads_delays_nobody_else(open_terminal: Open, guests: Guests) -> None:
    ana = in_the_lobby(open_terminal)
    ben, cy = guests.sit_down("Ben", "Cy")
    ana.wait(r"all are ready")
    for _ in range(200):
        ana.enter("help")  # far more than a terminal takes that nobody reads

    async def meanwhile() -> list[float]:
        trips = []
        end = time.monotonic() + PAUSED_SECONDS
        while time.monotonic() < end:
            began = time.perf_counter()
            await ben.ping()
            trips.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(0.05)
        await ben.must(Say(id=1, text="Ana is far away"))
        await cy.until(lambda: cy.said)
        return trips

    trips = guests.run(meanwhile())
    assert max(trips) < PROMPT_MS
    ana.wait(lambda: ana.told(r"● Ben: Ana is far away"))
    ana.wait(r"^Ana>$")
    ana.enter("say here I am")
    ana.wait(r"▲ Ana: here I am")
    guests.run(ben.until(lambda: any(said.text == "here I am" for said in ben.said)))


def test_a_flood_of_news_and_resizing_leave_one_prompt_with_what_was_typed(open_terminal: Open, guests: Guests) -> None:
    ana = in_the_lobby(open_terminal)
    others = guests.sit_down(*WIDE)
    ana.wait(r"all are ready")
    ana.type("say half a senten")
    ana.wait(r"Ana> say half a senten$")

    async def flood(number: int) -> None:
        for turn in range(7):
            await asyncio.gather(*(one.must(Say(id=1, text=f"{number} {turn} 長い文 " + "x" * 60)) for one in others))
            await asyncio.gather(*(one.request(Ready(id=1, ready=bool(turn % 2))) for one in others))

    guests.run(flood(0))
    for name in WIDE:
        ana.wait(lambda name=name: ana.told(rf"{name}: 0 6 "))  # type: ignore[misc]
    for number, (rows, columns) in enumerate(((24, 60), (30, 132), (24, 41), (12, 80), (24, 80)), 1):
        ana.resize(rows, columns)
        guests.run(others[0].request(Say(id=1, text=f"size {number}")))
        ana.wait(lambda: [line for line in ana.lines if line.startswith("Ana>")] == ["Ana> say half a senten"])
    assert not re.search(r"\^\[|\[\d+;\d+R|Traceback", ana.everything)
    ana.enter("ce")
    wait_all([ana], lambda: ana.told(r"▲ Ana: half a sentence"), "what was typed to arrive whole")
