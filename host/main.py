"""The host process: reads its command line, opens the table, works, and cleans up."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import logging.handlers
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from cosmic_net.engine.options import Options
from host.addresses import likely
from host.botpool import BotPool
from host.config import Config
from host.door import Arrival, Door
from host.errors import CannotStart, Refused
from host.folder import Folder
from host.journal import Journal, JournalError
from host.keyservice import KeyService
from host.loop import run
from host.restore import restore
from host.room import Room
from host.service import Service
from host.table import Table, read_options
from protocol import joincode, keyservice, limits, z85
from protocol.common import UNPRINTABLE_RE
from protocol.identity import Identity
from protocol.messages import Clocks

_log = logging.getLogger("host")
PORTS_TRIED = 20
EXIT_USAGE, EXIT_FAILED, EXIT_NO_PORT, EXIT_DISK = 2, 1, 3, 4


def main(arguments: list[str] | None = None) -> int:
    """Runs a host; returns its exit status (0: stopped as asked, 1: cannot start, 3: no port, 4: disk)."""
    config = read_arguments(arguments)
    try:
        folder = Folder(config.folder)
    except CannotStart as error:
        print(error, file=sys.stderr)
        return error.status
    _log_to(folder.log)
    try:
        return run(serve(config, folder))
    except CannotStart as error:
        _log.error("%s", error)
        print(error, file=sys.stderr)
        return error.status
    except JournalError as error:
        print(f"the journal cannot be used: {error}", file=sys.stderr)
        return EXIT_DISK
    except Exception:
        _log.exception("the host has failed")
        print(f"the host has failed; {folder.log} says more", file=sys.stderr)
        return EXIT_FAILED
    finally:
        folder.close()
        logging.shutdown()


async def serve(config: Config, folder: Folder) -> int:
    """Opens the table and works until the host is to stop."""
    identity = Identity(folder.secret())
    journal = Journal(folder.journal if config.on_disk else None)
    bots = BotPool(folder.bots, config.practice_seed)
    loop = asyncio.get_running_loop()
    room = Room(config, identity, journal, new_table(config), bots, loop.time)
    if config.resume:
        restore(room)
    door = Door(identity, lambda key: key not in room.table.banned)
    keys = KeyService(identity.curve_key)
    door.start()
    try:
        port = await open_ports(config, door, keys, journal.get("port"))
        journal.put("port", port)
        announcement = _announcement(config, identity, room.table, port)
        room.table.invites = [*announcement["codes"], *announcement["invites"]][: limits.INVITES]
        with _Recorder(config.record) as recorder:
            service = Service(room, door, recorder.write if config.record else None)
            _stop_on_signals(service.stop)
            own = config.bind if config.bind not in ("*", "0.0.0.0", "::") else "127.0.0.1"
            bots.connect_to(f"{own}:{port}", identity.curve_public)
            for seat in room.table.promised:
                bots.add(seat)
            for _ in range(0 if config.resume else config.bots):
                service.lobby.promise()
            folder.announce(announcement)
            _log.info("the table is open on port %d", port)
            await service.run()
    finally:
        bots.close()
        await keys.close()
        door.close()
        journal.close()
    _log.info("the table is closed")
    return 0


def new_table(config: Config) -> Table:
    """The table as the command line wants it. Raises CannotStart if its options are wrong."""
    try:
        options = read_options(Options().to_data() | dict(config.options))
    except Refused as error:
        raise CannotStart(error.text, EXIT_USAGE) from error
    table = Table(config.name, config.practice_seed is not None, options, config.clocks)
    table.owner = config.owner
    return table


async def open_ports(config: Config, door: Door, keys: KeyService, before: int | None) -> int:
    """Binds the socket and, one port higher, the key service; returns the socket's port."""
    for port in _candidates(config, before):
        if door.bind(config.bind, port):
            if await keys.bind(config.bind, keyservice.key_port(port)):
                return port
            door.unbind()
        if config.resume and before:
            await asyncio.sleep(0.25)  # the killed host's port may be held for a moment
    raise CannotStart("no free port was found to listen on; name one with --port", EXIT_NO_PORT)


def _candidates(config: Config, before: int | None) -> list[int]:
    if config.resume and before:
        return [before] * PORTS_TRIED
    if config.port == 0:
        return [49152 + 2 * (int.from_bytes(os.urandom(2), "big") % 8000) for _ in range(PORTS_TRIED)]
    if config.port is not None:
        return [config.port]
    return [limits.DEFAULT_PORT + 2 * step for step in range(PORTS_TRIED)]


def _announcement(config: Config, identity: Identity, table: Table, port: int) -> dict[str, Any]:
    """What stands in `table.json`."""
    addresses = [config.bind] if config.bind not in ("*", "0.0.0.0", "::") else likely()
    key = identity.curve_key
    return {
        "v": 1,
        "pid": os.getpid(),
        "name": table.name,
        "practice": table.practice,
        "port": port,
        "key_port": keyservice.key_port(port),
        "address": "127.0.0.1" if config.bind in ("*", "0.0.0.0", "::") else config.bind,
        "addresses": addresses,
        "key": z85.encode(key).decode(),
        "codes": [joincode.short_code(address, port, key) for address in addresses if ":" not in address],
        "invites": [joincode.invite(address, port, key) for address in addresses],
    }


def _stop_on_signals(stop: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stop)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))


class _Recorder:
    """Appends everything that arrives to a file: key, length of the frame as 4 bytes, frame."""

    def __init__(self, path: Path | None) -> None:
        self._file = open(path, "ab") if path is not None else None  # noqa: SIM115 - closed by the with

    def __enter__(self) -> _Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, arrival: Arrival) -> None:
        assert self._file is not None
        frame = arrival.frame or b""
        self._file.write(arrival.key + len(frame).to_bytes(4, "big") + frame)
        self._file.flush()


def _log_to(path: Path) -> None:
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=4_000_000, backupCount=2, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def read_arguments(arguments: list[str] | None) -> Config:
    """The settings on a command line; exits with status 2 if they are wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m host", description="Runs a table. It is started by the client and needs no terminal."
    )
    parser.add_argument("folder", type=Path, help="where everything of this table is kept")
    parser.add_argument("--resume", action="store_true", help="go on with the table in the folder")
    parser.add_argument("--port", type=int, help=f"0: any; default {limits.DEFAULT_PORT} or the next free one")
    parser.add_argument("--bind", default="*", metavar="ADDRESS", help="where to listen (default: everywhere)")
    parser.add_argument("--name", default="", type=_table_name, help="what the table is called")
    parser.add_argument("--owner", type=_key, metavar="KEY", help="the owner's CURVE key, Z85 or hex")
    parser.add_argument("--practice-seed", type=_seed, metavar="HEX", help="32 bytes: a practice table")
    parser.add_argument("--bots", type=int, default=0, choices=range(5), metavar="N", help="bots at the table")
    parser.add_argument("--options", type=_json, default={}, metavar="JSON", help="options of the game")
    parser.add_argument("--clocks", type=_clocks, default=Clocks(), metavar="JSON", help="clocks, in seconds")
    parser.add_argument("--linger", type=float, default=600.0, metavar="SECONDS", help="how long an empty table stays")
    parser.add_argument("--record", type=Path, metavar="FILE", help="append every frame that arrives")
    parser.add_argument("--memory-journal", action="store_true", help="for measurements: nothing is kept")
    args = parser.parse_args(arguments)
    return Config(
        folder=args.folder,
        resume=args.resume,
        port=args.port,
        bind=args.bind,
        name=args.name,
        owner=args.owner,
        practice_seed=args.practice_seed,
        bots=args.bots,
        options=args.options,
        clocks=args.clocks,
        record=args.record,
        on_disk=not args.memory_journal,
        linger=args.linger,
    )


def _table_name(text: str) -> str:
    if UNPRINTABLE_RE.search(text) or len(text) > limits.TABLE_NAME_LENGTH:
        raise argparse.ArgumentTypeError(f"a table's name has up to {limits.TABLE_NAME_LENGTH} plain characters")
    return text


def _key(text: str) -> bytes:
    key = bytes.fromhex(text) if len(text) == 2 * limits.KEY_BYTES else z85.decode(text)
    if len(key) != limits.KEY_BYTES:
        raise argparse.ArgumentTypeError("a key has 40 characters in Z85, or 64 in hex")
    return key


def _seed(text: str) -> bytes:
    seed = bytes.fromhex(text)
    if len(seed) != limits.SEED_BYTES:
        raise argparse.ArgumentTypeError("a seed has 64 hex digits")
    return seed


def _json(text: str) -> Mapping[str, Any]:
    data = json.loads(text)
    if not isinstance(data, dict):
        raise argparse.ArgumentTypeError("a map in JSON is wanted")
    return data


def _clocks(text: str) -> Clocks:
    try:
        return msgspec.convert(_json(text), Clocks)
    except msgspec.ValidationError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
