"""Players who act one at a time, in a fixed order: the same seed makes the same game to the byte, whatever happens.

The host may die meanwhile, as often as a test wants: it is started again, and everybody connects anew and repeats what
was not answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from host.journal import Journal
from protocol import codec
from protocol.messages import Reply, Request, Snapshot
from tests.host.hosts import HostProcess
from tests.host.test_games import fetch_record
from tests.support.wire_client import WireClient
from tests.support.wire_link import PATIENCE

SECRET = b"\x21" * 32
"""The host's secret, so that the ids of its practice games are always the same."""


class Played(NamedTuple):
    """All that is left of a game."""

    entries: list[bytes]
    openings: list[bytes]
    views: list[bytes]
    logs: list[list[bytes]]
    winners: list[str]

    def kinds(self, asked: dict[int, str]) -> dict[str, list[int]]:
        """The numbers of the entries of each kind; answers by the kind of their decision."""
        found: dict[str, list[int]] = {}
        for number, raw in enumerate(self.entries):
            entry = codec.unpack_value(raw)
            kind = asked[entry[2]] if entry[0] == "answer" else entry[0]
            found.setdefault(kind, []).append(number)
        return found


class Steps:
    """A game played step by step. `moments` are the deaths of the host, in the order of their entries."""

    def __init__(self, host: HostProcess, clients: list[WireClient], moments: Iterator[str]) -> None:
        self.host = host
        self.clients = clients
        self.deaths = 0
        self.missed = 0
        """Moments that could not come any more."""
        self.asked: dict[int, str] = {}
        """The kind of every decision that was asked."""
        self.silent: Callable[[WireClient, dict[str, Any]], bool] = lambda client, decision: False
        """Which questions are never answered: their clock has to run out."""
        self.passing: Callable[[WireClient, dict[str, Any]], bool] = lambda client, decision: False
        """At which question a player begins to pass until the end of the phase."""
        self._moments = moments
        self._answered: set[int] = set()
        self._passes: set[str] = set()
        self._death = self._watch()

    def _watch(self) -> asyncio.Future[int]:
        return asyncio.ensure_future(self.host.ended(10 * PATIENCE))

    @staticmethod
    async def _first(*futures: asyncio.Future[Any]) -> None:
        await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)

    def _count(self, client: WireClient) -> int:
        return client.skipped + len(client.entries)

    async def play(self) -> Played:
        """Plays to the end."""
        while not all(client.ended for client in self.clients):
            before = self._count(self.clients[0])
            step = self._next()
            if step is not None:
                await self._deliver(*step)
            await self._until(
                lambda before=before: (
                    all(self._count(client) > before or client.ended for client in self.clients)  # type: ignore[misc]
                    and len({self._count(client) for client in self.clients}) == 1
                )
            )
        entries, openings = await fetch_record(self.clients[0])
        assert all(client.errors == [] for client in self.clients)
        return Played(
            entries,
            openings,
            [codec.pack_value(client.view) for client in self.clients],
            [[codec.pack_value(event) for event in client.log] for client in self.clients],
            self.clients[0].view["winners"],
        )

    def _next(self) -> tuple[WireClient, Request] | None:
        """The next move: the oldest question first."""
        prompts = sorted(
            ((prompt["id"], client, prompt) for client in self.clients for prompt in client.prompts()),
            key=lambda found: int(found[0]),
        )
        for number, client, prompt in prompts:
            self.asked[number] = prompt["kind"]
            if number in self._answered or self.silent(client, prompt):
                continue
            if client.name not in self._passes and self.passing(client, prompt):
                self._passes.add(client.name)
                return client, client.number(client.pass_message("phase"))
            answer = client.decide(prompt)
            if answer is None and prompt["kind"] == "deal":  # the other one speaks first
                continue
            self._answered.add(number)
            return client, client.number(client.answer_message(prompt, answer))
        return None

    async def _deliver(self, client: WireClient, request: Request) -> None:
        """Sends a request, and the very same again for as long as the host dies of it."""
        while True:
            reply: asyncio.Future[Reply] = asyncio.ensure_future(client.repeat(request))
            await self._first(reply, self._death)
            if not self._death.done():
                assert reply.result().ok, reply.result().error
                return
            reply.cancel()
            await self._revive()

    async def _until(self, condition: Callable[[], bool]) -> None:
        """Waits for something that the host does, and starts it again if it dies of that."""
        while not condition():
            waits = [asyncio.ensure_future(client.until(condition)) for client in self.clients]
            await self._first(*waits, self._death)
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
            if self._death.done():
                await self._revive()
            elif not condition():
                raise AssertionError(f"the game stands still: {self.clients[0].view.get('waiting')}")

    def _next_moment(self) -> str:
        """The next death: not of an entry that was written together with the one before."""
        journal = Journal(self.host.folder / "journal.sqlite")
        written = journal.length(self.clients[0].game)
        journal.close()
        for moment in self._moments:
            if int(moment.split()[1]) >= written:
                return moment
            self.missed += 1
        return ""

    async def _revive(self) -> None:
        self.deaths += 1
        before = self.host.announcement
        await asyncio.to_thread(self.host.start, "--resume", dies=self._next_moment())
        assert all(before[name] == self.host.announcement[name] for name in ("port", "key", "codes"))
        self._death = self._watch()
        for client in self.clients:
            await client.close()
            count = len(client.pushes)
            await client.connect(self.host.address, self.host.key)
            await client.until(lambda c=client, n=count: any(isinstance(p, Snapshot) for p in c.pushes[n:]))  # type: ignore[misc]
