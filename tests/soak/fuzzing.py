"""Feeds a host's frame handling with bytes, guided by what they reach, and complains of anything but an answer.

A host is built in this process, without sockets: frames go in where the door would hand them in, and what comes out is
decoded as a client would. Every frame comes from somebody: a stranger before hello, one who looks on, players in a
game that runs. New lines of `protocol/` or `host/` that a frame reaches make it part of the corpus.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, cast

import msgpack  # type: ignore[import-untyped]

from cosmic_net import bots
from cosmic_net.bots.agent import Agent
from cosmic_net.engine.options import Options
from host.botpool import BotPool
from host.config import Config
from host.door import Arrival, Door, Sent
from host.journal import Journal
from host.room import Room
from host.service import Service
from host.table import Table
from protocol import codec, fairness, limits, signing
from protocol import messages as m
from protocol.identity import Identity

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "vectors" / "frames.json"
TAGS = [str(cls.__struct_config__.tag) for cls in m.REQUESTS]
PLAYERS = 3
FRAMES_A_HOST = 2000
"""After so many a new host is made, so that a find can be reached again from a seed."""
STEP_SECONDS = 0.5
"""How much time goes by for the host with each frame: rates must not hide what is behind them."""


class Wall:
    """Stands in for the door: what is pushed is read, what is sent is kept."""

    def __init__(self) -> None:
        self.inbox: list[Arrival] = []
        self.sent: list[bytes] = []
        self.on_readable: Callable[[], None] = lambda: None

    def watch(self, on_readable: Callable[[], None]) -> None:
        self.on_readable = on_readable

    def receive(self) -> Arrival | None:
        return self.inbox.pop(0) if self.inbox else None

    def send(self, _route: bytes, frame: bytes) -> Sent:
        self.sent.append(frame)
        return Sent.DONE

    def look_again(self) -> None:
        pass

    def failures(self) -> dict[str, int]:
        return {}

    def end_idle(self, counting: Collection[bytes]) -> None:
        pass


class NoBots(BotPool):
    """Bots who never come: no process is started."""

    def add(self, seat: m.SeatName) -> None:
        self.seats.add(seat)

    def remove(self, seat: m.SeatName) -> None:
        self.seats.discard(seat)


class Complaints(logging.Handler):
    """Keeps what a host logs as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(logging.Formatter().format(record))


class FuzzedHost:
    """A host with a running practice game, and the people whose frames it gets."""

    def __init__(self, folder: Path) -> None:
        self.now = 1000.0
        self.wall = Wall()
        self.identity = Identity(b"h" * 32)
        self.people = [Identity(bytes([number]) * 32) for number in range(1, PLAYERS + 3)]
        config = Config(folder=folder, practice_seed=b"p" * 32, linger=0)
        table = Table("fuzzed", True, Options(goal=1, planets=4), m.Clocks())
        self.room = Room(config, self.identity, Journal(None), table, NoBots(folder, None), lambda: self.now)
        self.service = Service(self.room, cast(Door, self.wall))
        self.task = asyncio.ensure_future(self.service.run())
        self.agents = [Agent(bots.make("chance", bytes([number])), bytes([number])) for number in range(PLAYERS)]
        """They know what the rules allow, so that games get somewhere."""
        self.routes = [0] * len(self.people)
        """How many connections each of the people had before the one that counts."""

    async def open(self) -> None:
        """Everybody comes, but for the last, who never says hello; the players start a game."""
        await asyncio.sleep(0)
        for number, person in enumerate(self.people[:-1]):
            self.feed(number, codec.encode(self.hello(person)))
        for number in range(PLAYERS):
            self.feed(number, codec.encode(m.Sit(id=2)))
            self.feed(number, codec.encode(m.Ready(id=3, ready=True)))
        self.feed(0, codec.encode(m.Start(id=4)))
        assert self.room.table.phase == "playing"

    def play_again(self) -> None:
        """After a game: the next one, as far as those who could start it are let."""
        self.feed(0, codec.encode(m.Rematch(id=self._id())))
        for number in range(PLAYERS):
            self.feed(number, codec.encode(m.Ready(id=self._id(), ready=True)))
        self.feed(0, codec.encode(m.Start(id=self._id())))

    def _id(self) -> int:
        return 1 + int(self.now * 2)

    def hello(self, person: Identity) -> m.Hello:
        proof = person.prove(self.identity.curve_key)
        return m.Hello(
            id=1,
            versions=list(limits.VERSIONS),
            name="Player",
            sign_key=person.sign_key,
            proof=proof,
            session=person.curve_key[:16],
        )

    def feed(self, number: int, frame: bytes | None, old: bool = False) -> None:
        """One frame from a person, by the newest connection or an `old` one; all that the host says is read."""
        person = self.people[number]
        if self.room.peers.get(person.curve_key).shut_out(self._route(number)):
            self.routes[number] += 1
            if number < len(self.people) - 1:
                self._push(number, codec.encode(self.hello(person)), self._route(number))
        self._push(number, frame, self._route(number, old))

    def _route(self, number: int, old: bool = False) -> bytes:
        return bytes([number]) + max(0, self.routes[number] - old).to_bytes(4, "big")

    def _push(self, number: int, frame: bytes | None, route: bytes) -> None:
        self.now += STEP_SECONDS
        self.wall.inbox.append(Arrival(route, self.people[number].curve_key, frame))
        self.wall.on_readable()
        for sent in self.wall.sent:
            codec.decode_push(sent)
        self.wall.sent.clear()

    def signed(self, number: int, *value: Any) -> bytes | None:
        """An answer of a player to an open question that is signed as it should be, whatever it says.

        Without a value it is one that the rules allow.
        """
        match = self.room.match
        if match is None or match.over:
            return None
        person = self.people[number]
        seat = self.room.table.seat_of(person.curve_key)
        decision = next((one for one in match.game.pending if one.seat == seat), None)
        if decision is None:
            return None
        if value:
            (said,) = value
        else:
            said = self.agents[number].answer(match.game.view(decision.seat), decision.to_data())
        if isinstance(said, dict) and "commitment" in said and "context" in decision.bounds:
            sealed = bytes(said["commitment"])[:32].ljust(32, b"\0") if isinstance(said["commitment"], bytes) else b""
            signature = fairness.sign_commitment(person, decision.bounds["context"], sealed.ljust(32, b"\0"))
            said = {"commitment": sealed, "signature": signature}
        try:
            packed = codec.pack_value(said)
            head, game = match.chain.head, match.basis.game
            signature = signing.sign_answer(person, game, decision.id, packed, head)
            request = m.Answer(
                id=self._id(),
                decision=decision.id,
                value=packed,
                count=match.chain.count,
                signature=signature,
            )
            return codec.encode(request)
        except ValueError:
            return None

    async def close(self) -> None:
        self.service.stop()
        await self.task
        self.room.journal.close()


class Reached:
    """Which lines of `protocol/` and `host/` were ever run."""

    def __init__(self) -> None:
        self.lines: set[tuple[str, int]] = set()
        self._ours: dict[str, bool] = {}

    @contextmanager
    def watching(self) -> Iterator[None]:
        before = sys.gettrace()
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(before)

    def _call(self, frame: FrameType, _event: str, _value: object) -> Any:
        name = frame.f_code.co_filename
        ours = self._ours.get(name)
        if ours is None:
            folders = (str(ROOT / "protocol"), str(ROOT / "host"))
            ours = self._ours[name] = name.startswith(folders)
        return self._line if ours else None

    def _line(self, frame: FrameType, event: str, _value: object) -> Any:
        if event == "line":
            self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line


class Mutator:
    """Makes new frames of old ones: at the level of bytes, and of what they mean."""

    VALUES: tuple[Any, ...] = (
        None, True, 0, 1, -1, 2**53, 2**63, 1.5, "", "red", "host", "x" * 5000, b"", b"k" * 32, b"s" * 64, [], {}, [1],
        [None], {"-": 1}, {"accept": 1}, {"offer": {}}, {"refuse": True}, {"option": "a"},
        {"commitment": b"c" * 32, "signature": b"s" * 64}, {"card": 1, "nonce": b"n" * 32}, {"card": "1", "nonce": 1},
        {"offer": {"red": {"cards": [1]}, "blue": {"colony": "red-1"}}}, {"red-1": 1}, {"red-1": -1}, {"gate": 2**40},
    )  # fmt: skip

    def __init__(self, chance: random.Random, corpus: list[bytes]) -> None:
        self.chance = chance
        self.corpus = corpus

    def frame(self) -> bytes:
        frame = self.chance.choice(self.corpus)
        for _ in range(self.chance.choice((1, 1, 2, 4))):
            frame = self._bytes(frame) if self.chance.random() < 0.4 else self._meaning(frame)
        return frame

    def value(self) -> Any:
        value = self.chance.choice(self.VALUES)
        while self.chance.random() < 0.3:
            value = self.chance.choice(([value], {"red": value}, {"offer": value}, [value, value]))
        return value

    def _bytes(self, frame: bytes) -> bytes:
        data = bytearray(frame)
        at = self.chance.randrange(len(data) + 1)
        match self.chance.randrange(6):
            case 0 if data:
                data[at % len(data)] ^= 1 << self.chance.randrange(8)
            case 1 if data:
                data[at % len(data)] = self.chance.randrange(256)
            case 2:
                del data[at : at + self.chance.randrange(1, 9)]
            case 3:
                data[at:at] = self.chance.randbytes(self.chance.randrange(1, 9))
            case 4:
                other = self.chance.choice(self.corpus)
                data[at:] = other[self.chance.randrange(len(other) + 1) :]
            case _:
                data[at:at] = data[: self.chance.randrange(64)] * self.chance.randrange(1, 40)
        return bytes(data[: limits.REQUEST.size + 200])

    def _meaning(self, frame: bytes) -> bytes:
        try:
            data = msgpack.unpackb(frame, strict_map_key=False)
        except (ValueError, TypeError):
            return frame
        if not isinstance(data, dict) or not data:
            return frame
        key = self.chance.choice(list(data))
        match self.chance.randrange(5):
            case 0:
                del data[key]
            case 1:
                data[key] = self.value()
            case 2:
                data[self.chance.choice(("id", "t", "seat", "game", "more", "seen", "options"))] = self.value()
            case 3:
                data["id"] = self.chance.randrange(1, 2**20)
            case _:
                data["t"] = self.chance.choice(TAGS)
        try:
            return cast(bytes, msgpack.packb(data))
        except (ValueError, TypeError, OverflowError):
            return frame


def seeds() -> list[bytes]:
    """The golden frames."""
    vectors = json.loads(VECTORS.read_text())
    return [bytes.fromhex(case["frame"]["hex"]) for part in ("requests", "refused_by_host") for case in vectors[part]]


async def fuzz(folder: Path, inputs: int, seed: int) -> dict[str, Any]:
    """Feeds so many frames. Raises AssertionError with the frame that did harm."""
    chance, reached, corpus = random.Random(seed), Reached(), seeds()
    mutator = Mutator(chance, corpus)
    complaints = Complaints()
    logging.getLogger().addHandler(complaints)
    finished = 0
    host: FuzzedHost | None = None
    try:
        for count in range(inputs):
            if host is None or count % FRAMES_A_HOST == 0:
                if host is not None:
                    await host.close()
                host = FuzzedHost(folder)
                await host.open()
            if host.room.table.phase == "over" and chance.random() < 0.01:
                finished += 1
                host.play_again()
            number = chance.randrange(len(host.people))
            frame: bytes | None = mutator.frame()
            what = () if chance.random() < 0.7 else (mutator.value(),)
            if chance.random() < 0.3 and (signed := host.signed(number % PLAYERS, *what)) is not None:
                number, frame = number % PLAYERS, signed
            elif chance.random() < 0.02:
                frame = codec.encode(host.hello(host.people[number]))
            before = len(reached.lines)
            try:
                with reached.watching():
                    host.feed(number, frame, old=chance.random() < 0.05)
            except Exception as error:
                raise AssertionError(f"seed {seed}, input {count}: {frame!r}") from error
            assert not complaints.found, f"seed {seed}, input {count}: {frame!r}: {complaints.found}"
            assert not host.task.done(), f"seed {seed}, input {count}: the host stopped at {frame!r}"
            if len(reached.lines) > before and frame is not None:
                corpus.append(frame)
        assert host is not None
        await host.close()
    finally:
        logging.getLogger().removeHandler(complaints)
    return {"inputs": inputs, "seed": seed, "lines": len(reached.lines), "corpus": len(corpus), "games_over": finished}
