"""Whatever happens to connections, programs and the host, in any order: everybody sees the game that is on the disk.

A machine draws what happens next: answers, repeated and lost ones, programs that vanish and come back or are started
anew, a host that is killed. After each step every client's view is the one that the journal, replayed, gives his seat.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from host.journal import Journal
from host.match import Match
from protocol import codec, signing
from protocol.messages import Answer, Ping, Reply, Say, Superseded
from tests.host.conftest import Hall
from tests.host.hosts import restored
from tests.support.wire_client import WireClient

PLAYERS = 3
players = st.integers(0, PLAYERS - 1)


def on_disk(folder: Path) -> Match:
    """The game as a host would go on with it that is started now: what the journal has at one moment, replayed."""
    with tempfile.TemporaryDirectory() as there:
        copy = Path(there) / "journal.sqlite"
        with closing(sqlite3.connect(folder / "journal.sqlite")) as live, closing(sqlite3.connect(copy)) as db:
            live.backup(db)
        with closing(Journal(copy)) as journal:
            return restored(folder, journal)


def plain(value: Any) -> Any:
    """The same data as it comes out of a message."""
    return codec.unpack_value(codec.pack_value(value))


def count(client: WireClient) -> int:
    """How many inputs a client has been told of."""
    return client.skipped + len(client.entries)


def code(reply: Reply) -> str | None:
    return reply.error.code if reply.error else None


class Evening(RuleBasedStateMachine):
    """Three players at one table; `away` are those whose programs do not run."""

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        self._folder = tempfile.TemporaryDirectory()
        self.hall = Hall(Path(self._folder.name))
        self.away: set[int] = set()
        self.owed: dict[int, Answer] = {}
        """Answers that were sent, and whose reply was not waited for."""
        self.said = 0

    def run(self, steps: Coroutine[Any, Any, Any]) -> Any:
        """Does something with the clients, which hear nothing between two steps."""
        return self._runner.run(steps)

    def teardown(self) -> None:
        self.run(self.hall.close())
        self._runner.close()
        self._folder.cleanup()

    @initialize(seed=st.integers(0, 255))
    def sit_down(self, seed: int) -> None:
        async def start() -> None:
            self.host = self.hall.host("--practice-seed", f"{seed:02x}" * 32, reaction_s=100.0, opening_s=100.0)
            self.clients = await self.hall.table(self.host, PLAYERS)
            for client in self.clients:
                client.stops_at = lambda decision: True
            await self.hall.start(self.clients)

        self.run(start())

    def asked(self, player: int) -> dict[str, Any] | None:
        """What a player who is there can answer."""
        client = self.clients[player]
        if player in self.away or client.ended:
            return None
        prompts = [prompt for prompt in client.prompts() if prompt["kind"] != "deal"]
        return prompts[0] if prompts else self._deal(client)

    @staticmethod
    def _deal(client: WireClient) -> dict[str, Any] | None:
        """A deal in which it is this player's turn to speak."""
        return next((prompt for prompt in client.prompts() if client.decide(prompt) is not None), None)

    def reply_to(self, player: int) -> Answer | None:
        """The answer of this player, with its number, if something is asked."""
        decision = self.asked(player)
        if decision is None:
            return None
        client = self.clients[player]
        answer = client.number(client.answer_message(decision, client.decide(decision)))
        assert isinstance(answer, Answer)
        return answer

    # ---- what happens

    @rule(player=players, times=st.sampled_from([1, 1, 1, 3]))
    def answers(self, player: int, times: int) -> None:
        """An answer counts once, however often it is sent."""
        if (answer := self.reply_to(player)) is not None:
            for _ in range(times):
                assert self.run(self.clients[player].repeat(answer)).ok

    @rule()
    def all_answer(self) -> None:
        """One more round, so that games get somewhere."""
        for player in range(PLAYERS):
            self.answers(player, 1)

    @rule(player=players)
    def answers_after_what_he_says_next(self, player: int) -> None:
        """Requests may overtake each other."""
        if (answer := self.reply_to(player)) is not None:
            client = self.clients[player]
            self.said += 1
            assert code(self.run(client.request(Say(id=1, text=f"{self.said}")))) in (None, "too-fast")
            assert self.run(client.repeat(answer)).ok

    @rule(player=players)
    def answers_in_another_game(self, player: int) -> None:
        """What belongs to another game or another course of it, or to a question that is not asked, is refused."""
        if (answer := self.reply_to(player)) is not None:
            client = self.clients[player]
            signature = signing.sign_answer(client.identity, "another", answer.decision, answer.value, client.head)
            changes = {"signature": signature}, {"count": 10**6}, {"decision": 10**6}
            replies = [self.run(client.request(msgspec.structs.replace(answer, **change))) for change in changes]
            assert [code(reply) for reply in replies] == ["refused", "stale", "stale"]

    @rule(player=players)
    def answers_and_vanishes(self, player: int) -> None:
        """Nobody hears whether the answer has arrived."""
        if (answer := self.reply_to(player)) is not None:
            self.run(self.clients[player].send_frame(codec.encode(answer)))
            self.owed[player] = answer
            self.vanishes(player)

    @rule(player=players)
    def vanishes(self, player: int) -> None:
        """A program is cut off."""
        if player not in self.away:
            self.run(self.clients[player].close())
            self.away.add(player)

    @rule(player=players)
    def comes_back(self, player: int) -> None:
        """The same program, on a new connection: it repeats what it has had no reply to."""
        if player in self.away:
            self.away.discard(player)
            self.run(self._come_back(player))

    async def _come_back(self, player: int) -> None:
        client = self.clients[player]
        welcome = await client.connect(self.host.address, self.host.key)
        assert welcome.seat == client.seat
        if (answer := self.owed.pop(player, None)) is not None:
            assert (await client.repeat(answer)).ok

    @rule(player=players)
    def is_started_anew(self, player: int) -> None:
        """A new program of the same player takes the seat; the old one, if it still runs, has no say any more."""
        old, there = self.clients[player], player not in self.away
        new = self.run(self.hall.guest(self.host, player + 1))
        new.stops_at = lambda decision: True
        assert new.you.seat == old.seat
        self.clients[player] = new
        self.away.discard(player)
        self.owed.pop(player, None)
        if there:
            assert code(self.run(old.request(Ping(id=1)))) == "superseded"
            assert isinstance(old.closed, Superseded)
        self.run(old.close())

    @rule()
    def somebody_looks_on(self) -> None:
        """Who has no seat sees what all may see."""

        async def look() -> None:
            other = await self.hall.guest(self.host, 9, plays=False)
            await other.until(lambda: other.view)
            match = await self._followed(other)
            assert other.view == plain(match.game.view())
            await other.bye()

        self.run(look())

    @rule()
    def the_host_is_killed(self) -> None:
        """It is started again, and everybody who was there comes back."""

        async def die() -> None:
            before = self.host.announcement
            self.host.kill()
            self.host.start("--resume")
            assert all(before[name] == self.host.announcement[name] for name in ("port", "key", "codes"))
            for player in {*range(PLAYERS)} - self.away:
                await self.clients[player].close()
                await self._come_back(player)

        self.run(die())

    # ---- what holds

    @invariant()
    def everybody_sees_the_game_that_is_on_the_disk(self) -> None:
        for player in {*range(PLAYERS)} - self.away:
            client = self.clients[player]
            match = self.run(self._followed(client))
            assert client.view == plain(match.game.view(client.seat))
            assert client.head == match.chain.head
            assert client.errors == []

    async def _followed(self, client: WireClient) -> Match:
        """The game on the disk, once the client has been told all of it: a vanished player's answer may come late."""
        match = on_disk(self.host.folder)
        while count(client) != match.chain.count:
            await client.until(lambda told=match.chain.count: count(client) >= told)  # type: ignore[misc]
            match = on_disk(self.host.folder)
        return match


COMMON = settings(
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


@pytest.mark.timeout(240)
def test_a_few_evenings_of_anything_in_any_order():
    some = settings(COMMON, max_examples=5, stateful_step_count=25, derandomize=True)
    run_state_machine_as_test(Evening, settings=some)


@pytest.mark.soak
def test_many_evenings_of_anything_in_any_order():
    many = settings(COMMON, max_examples=60, stateful_step_count=60)
    run_state_machine_as_test(Evening, settings=many)
