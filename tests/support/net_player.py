"""A player for tests of bad networks, as a program: the client as it is, with a bot in the place of the person.

python -m tests.support.net_player NUMBER ADDRESS KEY [--start PLAYERS] [--pause SECONDS]

It sits down, plays, and prints what happens, a JSON map a line. The lines that it reads: `hold` (answer nothing more),
`go` (play on), `say TEXT`, `state`. When the game is over it checks the record and what it was told against it, says
so, and ends.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from typing import Any

from client import notes
from client.game.player import Player
from client.home import Home
from client.plain import Lines
from client.wire.session import Gone, Refused
from cosmic_net import bots
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Setup
from protocol import audit, codec, fairness
from protocol import messages as m

PATIENCE = 20.0


def say(what: str, **more: Any) -> None:
    """Prints what happens."""
    print(json.dumps({"what": what, "at": time.monotonic(), **more}), flush=True)


class NetPlayer:
    """One player at one table."""

    def __init__(self, number: int, address: str, key: bytes, start: int | None, pause: float) -> None:
        seed = bytes([number]) * 32
        self._bot = bots.make("sensible", seed)
        self._start_with = start
        self._pause = pause
        self._holds = False
        self._seen: set[int] = set()
        """Decisions that were answered, or are being answered."""
        self._taken: list[int] = []
        """Decisions whose answer the host has confirmed."""
        self._events: list[bytes] = []
        self._said: list[str] = []
        self._presence: list[tuple[str, str]] = []
        self._faults: list[str] = []
        self._downs = 0
        self._up = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._over = asyncio.Event()
        profile = Home.find().profile(f"player-{number}")
        self.player = Player(profile, f"Player {number}", address, key, self._note)

    async def run(self) -> None:
        """Plays to the end, and checks what came."""
        lines = Lines(0, asyncio.get_running_loop())
        self._do(self._obey(lines))
        self.player.start()
        try:
            await self._over.wait()
            await self._check()
        finally:
            for task in list(self._tasks):
                task.cancel()
            await self.player.close()

    # ---- what happens

    def _note(self, note: notes.Note) -> None:
        told = self.player.told
        match note:
            case notes.Connection("up"):
                if not self._up:
                    say("up")
                    if told.table is None:
                        self._do(self._sit())
                self._up = True
            case notes.Connection("down"):
                if self._up:
                    say("down")
                    self._downs += 1
                self._up = False
            case notes.Connection(_, text):
                self._faults.append(f"the connection is over: {text}")
                self._over.set()
            case notes.Alarm(text):
                self._faults.append(text)
            case notes.Happened(event):
                self._events.append(codec.pack_value(event))
                if event["kind"] == "encounter-started":
                    say("encounter")
            case notes.Before(events):
                self._events = [codec.pack_value(event) for event in events]
            case notes.Said(_, _, text):
                self._said.append(text)
            case notes.PresenceChanged(seat, state):
                self._presence.append((seat, state))
                say("presence", seat=seat, state=state)
            case notes.TableChanged(_, table):
                ready = sum(seat.ready for seat in table.seats)
                if self._start_with is not None and table.phase == "lobby" and ready >= self._start_with:
                    self._start_with = None
                    self._do(self._start())
            case notes.Moved():
                self._play()
            case notes.GameEnded():
                self._over.set()

    async def _sit(self) -> None:
        await self.player.ask(m.Sit)
        await self.player.ask(m.Ready, ready=True)
        say("sits", seat=self.player.told.you.seat)

    async def _start(self) -> None:
        await self.player.ask(m.Start)

    def _play(self) -> None:
        if self._holds:
            return
        for decision in self.player.prompts:
            if decision["id"] not in self._seen:
                self._seen.add(decision["id"])
                answer = self._bot.decide(self.player.told.view or {}, decision)
                if answer is not None or decision["kind"] != "deal":
                    self._do(self._answer(decision, answer))

    async def _answer(self, decision: dict[str, Any], answer: Any) -> None:
        await asyncio.sleep(self._pause)
        if self._holds:
            self._seen.discard(decision["id"])
            return
        try:
            await self.player.answer(decision, answer)
        except Refused as error:
            if error.code != "stale":  # its clock had run out
                self._faults.append(f"{decision['kind']} refused: {error.text}")
        except Gone:
            pass
        else:
            self._taken.append(decision["id"])

    def _do(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._faults.append(repr(error))
            self._over.set()

    # ---- commands

    async def _obey(self, lines: Lines) -> None:
        while (line := await lines.queue.get()) is not None:
            word, _, rest = line.partition(" ")
            if word == "hold":
                self._holds = True
            elif word == "go":
                self._holds = False
                self._play()
            elif word == "say":
                self._do(self._say(rest))
            elif word == "state":
                self._state()

    async def _say(self, text: str) -> None:
        await self.player.ask(m.Say, text=text)

    def _state(self) -> None:
        chain = self.player.told.chain
        say(
            "state",
            up=self._up,
            prompts=[decision["id"] for decision in self.player.prompts],
            waiting=[decision["seat"] for decision in self.player.told.waiting],
            head=chain.head.hex() if chain else "",
            count=chain.count if chain else 0,
            said=self._said,
        )

    # ---- the end

    async def _check(self) -> None:
        """Compares the record with itself, with the rules, and with all that this player was told and has done."""
        told = self.player.told
        if told.ended is None or told.chain is None:
            say("ended", winners=[], head="", faults=self._faults)
            return
        async with asyncio.timeout(PATIENCE):
            entries, opened = await self._record(told.ended.game)
            while not told.chain.verified:
                await asyncio.sleep(0.05)
        setup = Setup.from_data(codec.unpack_value(told.setup_bytes))
        shares: dict[str, bytes] = {str(seat): share for seat, share in told.ended.seeds.items()}
        wrong = audit.check(told.ended.game, told.setup_bytes, setup.keys, entries, opened, shares)
        self._faults += [f"the record: {finding}" for finding in wrong]
        if audit.heads(told.ended.game, told.setup_bytes, entries)[-1] != told.chain.head:
            self._faults.append("the record has another head")
        inputs = audit.inputs(entries, opened)
        answered = [one["decision"] for one in inputs if one.get("seat") == told.seat]
        self._faults += [f"answer {one} counted twice" for one in set(answered) if answered.count(one) > 1]
        self._faults += [f"answer {one} was lost" for one in self._taken if one not in answered]
        seed = fairness.combine(told.ended.game, shares.pop("host"), shares)
        replayed = Game.replay(setup, seed, inputs)
        seen = [event.seen_by(told.seat) for event in replayed.events]
        if [codec.pack_value(event) for event in seen if event is not None] != self._events:
            self._faults.append("other events were told than have happened")
        if told.view is not None and codec.pack_value(replayed.view(told.seat)) != codec.pack_value(told.view):
            self._faults.append("the view is another")
        say(
            "ended",
            winners=list(told.ended.winners),
            head=told.chain.head.hex(),
            count=told.chain.count,
            answers=len(self._taken),
            downs=self._downs,
            said=self._said,
            presence=self._presence,
            faults=self._faults,
        )

    async def _record(self, game: str) -> tuple[list[bytes], list[bytes]]:
        entries: list[bytes] = []
        opened: list[bytes] = []
        while True:
            body = await self.player.ask(m.Record, game=game, start=len(entries), count=500)
            page = codec.read_body(body or {}, m.Page)
            entries += page.entries
            opened += page.opened
            if len(entries) == page.total:
                return entries, opened


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("number", type=int)
    parser.add_argument("address")
    parser.add_argument("key", type=bytes.fromhex)
    parser.add_argument("--start", type=int)
    parser.add_argument("--pause", type=float, default=0.0)
    args = parser.parse_args()
    asyncio.run(NetPlayer(args.number, args.address, args.key, args.start, args.pause).run())
