"""`python -m host.bots FOLDER HOST:PORT --host-key KEY`: started by the host, told by lines on stdin where to sit."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import threading
from pathlib import Path

import zmq.asyncio

from cosmic_net import bots
from host.bots import secrets
from host.bots.client import Client
from host.bots.player import Player
from host.loop import run
from protocol.fields import digest
from protocol.messages import SeatName

_log = logging.getLogger("host.bots")
NAMES: dict[SeatName, str] = {
    "red": "Rigel",
    "blue": "Bellatrix",
    "green": "Gacrux",
    "yellow": "Yildun",
    "purple": "Procyon",
}


class Bots:
    """All bots of a table, in one event loop."""

    def __init__(self, folder: Path, address: str, host_key: bytes, seed: bytes | None, kind: str) -> None:
        self._folder = folder
        self._address = address
        self._host_key = host_key
        self._seed = seed
        self._kind = kind
        self._context = zmq.asyncio.Context()
        self._clients: dict[SeatName, tuple[Client, asyncio.Task[None]]] = {}
        self._ended = asyncio.Event()

    async def run(self) -> None:
        """Does what the lines on stdin say, until they end."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop,), daemon=True).start()
        await self._ended.wait()
        self._context.destroy(linger=0)

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(self._obey, json.loads(line))
        loop.call_soon_threadsafe(self._ended.set)

    def _obey(self, order: dict[str, SeatName]) -> None:
        for what, seat in order.items():
            if what == "sit" and seat not in self._clients:
                self._sit(seat)
            elif what == "leave" and seat in self._clients:
                client, _ = self._clients.pop(seat)
                self._leaving = asyncio.ensure_future(client.leave())

    def _sit(self, seat: SeatName) -> None:
        identity = secrets.identity(self._folder, seat)
        seed = digest("bot/1", self._seed or identity.seed_value("bot", b""), seat)
        player = Player(identity, bots.make(self._kind, seed))
        client = Client(self._context, self._address, self._host_key, player, NAMES[seat], seat)
        task = asyncio.ensure_future(client.run())
        task.add_done_callback(lambda done: self._finished(seat, done))
        self._clients[seat] = (client, task)

    @staticmethod
    def _finished(seat: SeatName, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("the bot at %s has failed", seat, exc_info=error)


def main() -> None:
    """Reads the command line and plays."""
    parser = argparse.ArgumentParser(prog="python -m host.bots")
    parser.add_argument("folder", type=Path)
    parser.add_argument("address")
    parser.add_argument("--host-key", required=True)
    parser.add_argument("--seed", type=bytes.fromhex)
    parser.add_argument("--kind", choices=bots.NAMES, default="sensible")
    args = parser.parse_args()
    logging.basicConfig(
        filename=args.folder / "bots.log", level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s"
    )

    async def play() -> None:
        await Bots(args.folder, args.address, args.host_key.encode(), args.seed, args.kind).run()

    run(play())


if __name__ == "__main__":
    main()
