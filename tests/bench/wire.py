"""The round trip: from an answer sent until the next prompt is there, and what the same costs without a host.

The host is a real process. All its players are here, at plain blocking sockets: an answer is ready before the clock
starts, and what comes back is looked at when it has stopped. So the host, the socket and CURVE are measured, not the
player's program. The bare round trip has frames of the same sizes, a ROUTER that gives each back at once, and CURVE.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
import zmq

from cosmic_net import bots
from cosmic_net.bots.agent import Agent
from protocol import codec, updates
from protocol.messages import Start
from tests.host.hosts import HostProcess
from tests.support.wire_client import WireClient

RUNS, SAMPLES, WARM_UP = 5, 400, 40
PLAYERS = 3
LIMIT_MS = 10_000


async def round_trip() -> dict[str, Any]:
    """Medians over `RUNS` runs; each has the journal on disk, the journal in memory, and the bare socket after it."""
    on_disk, in_memory, bare = [], [], []
    for _ in range(RUNS):
        times, _, _ = await _with_host()
        on_disk.append(times)
        times, request, reply = await _with_host("--memory-journal")
        in_memory.append(times)
        bare.append(_bare(request, reply))
    return {
        "name": "round_trip",
        "host_p50_us": _at(on_disk, 0.5),
        "host_p99_us": _at(on_disk, 0.99),
        "host_nosync_p50_us": _at(in_memory, 0.5),
        "host_nosync_p99_us": _at(in_memory, 0.99),
        "bare_p50_us": _at(bare, 0.5),
        "bare_p99_us": _at(bare, 0.99),
        "request_bytes": request,
        "reply_bytes": reply,
        "samples": SAMPLES,
        "runs": RUNS,
    }


def _at(runs: Sequence[Sequence[float]], share: float) -> int:
    """The median over runs of a percentile, in microseconds."""
    return round(statistics.median(sorted(times)[math.ceil(share * len(times)) - 1] for times in runs) / 1000)


# ---- with a host


async def _with_host(*options: str) -> tuple[list[int], int, int]:
    """The round trips of a game, in nanoseconds, and how many bytes an answer and what brings a prompt have."""
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        host = stack.enter_context(HostProcess(folder / "table", *options))
        players = [WireClient(bytes([number + 1]) * 32, f"Player {number}") for number in range(PLAYERS)]
        for player in players:
            stack.push_async_callback(player.close)
            await player.connect(host.address, host.key)
            await player.sit()
        await players[0].must(Start(id=1))
        for player in players:
            await player.until(lambda player=player: player.view)  # type: ignore[misc]
            await player.stop_reading()
            player.agent = Agent(bots.make("sensible", player.name.encode()), player.name.encode())
        return await Table(players).measure()


class Table:
    """The players of one game at blocking sockets."""

    def __init__(self, players: list[WireClient]) -> None:
        self._players = players
        self._ears = {player.blocking_socket(): player for player in players}
        self._sockets = {player.name: socket for socket, player in self._ears.items()}
        self._poller = zmq.Poller()
        for socket in self._ears:
            self._poller.register(socket, zmq.POLLIN)
        self._asked: set[int] = set()

    async def measure(self) -> tuple[list[int], int, int]:
        """Plays until there are enough samples, or the game is over."""
        times: list[int] = []
        requests: list[int] = []
        replies: list[int] = []
        while len(times) < WARM_UP + SAMPLES and not self._players[0].view["over"]:
            player, decision = self._next()
            frame = codec.encode(player.number(player.answer_message(decision, player.decide(decision))))
            taken, size = await self._exchange(player, frame)
            if taken is not None:
                times.append(taken)
                requests.append(len(frame))
                replies.append(size)
        return times[WARM_UP:], round(statistics.median(requests)), round(statistics.median(replies))

    def _next(self) -> tuple[WireClient, dict[str, Any]]:
        """An open question, and who has an answer to it."""
        for player in self._players:
            for decision in player.prompts():
                if decision["kind"] != "deal" or player.decide(decision) is not None:
                    return player, decision
        raise AssertionError("nobody is asked anything")

    async def _exchange(self, player: WireClient, frame: bytes) -> tuple[int | None, int]:
        """Sends an answer and waits until all have heard of it.

        Returns the time until somebody had a new prompt, and the size of the frame that brought it.
        """
        self._asked.update(prompt["id"] for other in self._players for prompt in other.prompts())
        heard: list[tuple[WireClient, bytes]] = []
        first: tuple[int | None, int] = (None, 0)
        waiting = {other.name for other in self._players}
        began = time.perf_counter_ns()
        self._sockets[player.name].send(frame)
        while waiting:
            ready = self._poller.poll(LIMIT_MS)
            if not ready:
                raise AssertionError(
                    f"the host says nothing to {waiting}; {[other.refused for other in self._players]}"
                )
            for socket, _ in ready:
                reply = socket.recv()
                now = time.perf_counter_ns()
                told = msgpack.unpackb(reply)
                if told["t"] == "update":
                    waiting.discard(self._ears[socket].name)
                    if first[0] is None and self._brings_prompt(self._ears[socket].seat, told):
                        first = now - began, len(reply)
                elif told["t"] == "reply" and not told["ok"]:
                    raise AssertionError(f"the host refuses {codec.decode_request(frame)}: {told['error']}")
                heard.append((self._ears[socket], reply))
        for other, reply in heard:
            await other.hear(reply)
        return first

    def _brings_prompt(self, seat: str, told: dict[str, Any]) -> bool:
        waiting = (updates.unpack(told["shared"]).patch or {}).get("waiting", ())
        fresh = waiting.get("put", ()) if isinstance(waiting, dict) else waiting
        return any(one["seat"] == seat and one["id"] not in self._asked for one in fresh)


# ---- without one


def _bare(request: int, reply: int) -> list[int]:
    """Round trips between two processes, in nanoseconds."""
    public, secret = zmq.curve_keypair()
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_answer, args=(theirs, public, secret, reply))
    process.start()
    try:
        with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
            socket.setsockopt(zmq.RCVTIMEO, LIMIT_MS)
            socket.curve_serverkey = public
            socket.curve_publickey, socket.curve_secretkey = zmq.curve_keypair()
            socket.connect(f"tcp://127.0.0.1:{ours.recv()}")
            return list(_exchanges(socket, bytes(request)))[WARM_UP:]
    finally:
        process.kill()
        process.join()


def _exchanges(socket: zmq.Socket[bytes], frame: bytes) -> Iterator[int]:
    for _ in range(WARM_UP + SAMPLES):
        began = time.perf_counter_ns()
        socket.send(frame)
        socket.recv()
        yield time.perf_counter_ns() - began


def _answer(pipe: Connection, public: bytes, secret: bytes, size: int) -> None:
    """The other side: a ROUTER that answers at once."""
    socket = zmq.Context().socket(zmq.ROUTER)
    socket.curve_server = True
    socket.curve_publickey, socket.curve_secretkey = public, secret
    pipe.send(socket.bind_to_random_port("tcp://127.0.0.1"))
    frame = bytes(size)
    while True:
        route, _ = socket.recv_multipart()
        socket.send_multipart([route, frame])


if __name__ == "__main__":
    print(asyncio.run(round_trip()))
