"""The host process: opens the table, works, and cleans up."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import logging.handlers
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cosmic_net.engine.options import Options
from host import ports
from host.addresses import announced_on
from host.advert import Announcer
from host.botpool import BotPool
from host.commandline import read_arguments
from host.config import Config
from host.door import Arrival, Door
from host.errors import CannotStart, NoTable, Refused
from host.folder import EXIT_DISK, Folder
from host.journal import Journal, JournalError
from host.keyservice import KeyService
from host.loop import run
from host.resources import allow_connections
from host.restore import restore
from host.room import Room
from host.service import Service
from host.table import Table, read_options
from host.whereabouts import Whereabouts
from protocol import advert, limits, passphrase
from protocol.identity import Identity

_log = logging.getLogger("host")
EXIT_FAILED, EXIT_USAGE, EXIT_ANEW = 1, 2, 5


def main(arguments: list[str] | None = None) -> int:
    """Runs a host; returns its exit status.

    0: stopped as asked; 1: it cannot start here, or has failed; 2: wrong arguments; 3: no free port; 4: the journal
    cannot be read or written; 5: it has taken too much memory, and has to begin anew; 6: there is no table in the
    folder to go on with.
    """
    config = read_arguments(arguments)
    try:
        folder = Folder(config.folder)
    except CannotStart as error:
        print(error, file=sys.stderr)
        return error.status
    try:
        _log_to(folder.log)
        return run(serve(config, folder))
    except CannotStart as error:
        _log.error("%s", error)
        print(error, file=sys.stderr)
        return error.status
    except JournalError as error:
        print(f"the journal in {folder.path} cannot be used: {error}", file=sys.stderr)
        return EXIT_DISK
    except OSError as error:
        print(f"the folder {folder.path} cannot be used: {error.strerror or error}", file=sys.stderr)
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
    if config.resume and not folder.journal.exists():
        raise NoTable
    identity = Identity(folder.secret(old=config.resume))
    journal = Journal(folder.journal if config.on_disk else None, old=config.resume)
    config = _settings(config, journal, identity)
    bots = BotPool(folder.bots, config.practice_seed)
    room = Room(config, identity, journal, _new_table(config), bots, asyncio.get_running_loop().time)
    room.passphrase_key = journal.get("passphrase") or b""
    if config.resume:
        restore(room)
    door = Door(identity, lambda key: key not in room.table.banned)
    keys = KeyService(identity.curve_key)
    announcer = Announcer(
        config.bind,
        lambda: advert.of_table(room.table.message(room.peers), identity.curve_key, bool(room.passphrase_key)),
    )

    def announcement(port: int) -> dict[str, Any]:
        return ports.announcement(config, room.table, port, identity.curve_key, bool(room.passphrase_key))

    def tell(announcement: dict[str, Any]) -> None:
        room.table.invites = [*announcement["codes"], *announcement["invites"]][: limits.INVITES]
        room.table.changed = True
        folder.announce(announcement)

    whereabouts = Whereabouts(lambda: announcement(port), tell)
    files = allow_connections()
    _log.info("at most %s descriptors", files or "any number of")
    status = 0
    door.start()
    try:
        port = await ports.listen(config, door, keys, journal.get("port"))
        journal.put("port", port)
        bots.connect_to(f"{ports.own_address(config)}:{port}", identity.curve_public)
        with _Recorder(config.record) as recorder:
            service = Service(room, door, recorder.write if config.record else None)
            service.on_table = announcer.changed
            _stop_on_signals(service.stop)
            service.lobby.call_bots(0 if config.resume else config.bots)
            journal.commit()
            tell(told := announcement(port))
            whereabouts.start(told)
            _log.info("the table is open on port %d", port)
            if config.announce and announced_on(config.bind):
                announcer.start(port)
            await service.run()
            if service.too_large:
                status = EXIT_ANEW
    finally:
        bots.close()
        await whereabouts.close()
        await announcer.close()
        await keys.close()
        door.close()
        journal.close()
    _log.info("the table is closed")
    return status


def _settings(config: Config, journal: Journal, identity: Identity) -> Config:
    """Keeps what a table is started with, or takes it from the journal of the table that goes on."""
    kept = journal.get("settings")
    if not config.resume:
        if kept is not None:
            raise CannotStart("this folder has a table already: go on with it (--resume), or choose another folder")
        linger_ms = round(config.linger * 1000)
        settings = {
            "bind": config.bind,
            "announce": config.announce,
            "practice_seed": config.practice_seed,
            "linger_ms": linger_ms,
            "key": identity.curve_key,
        }
        journal.put("settings", settings)
        if config.passphrase:
            journal.put("passphrase", passphrase.make_key(config.passphrase, identity.curve_key))
        return config
    if kept is None:
        raise NoTable
    if kept["key"] != identity.curve_key:
        raise CannotStart("the secret in this folder is not the one of its table")
    return dataclasses.replace(
        config,
        bind=kept["bind"],
        announce=kept.get("announce", True),
        practice_seed=kept["practice_seed"],
        linger=kept["linger_ms"] / 1000,
    )


def _new_table(config: Config) -> Table:
    """The table as the command line wants it. Raises CannotStart if its options are wrong."""
    try:
        options = read_options(Options().to_data() | dict(config.options))
    except Refused as error:
        raise CannotStart(error.text, EXIT_USAGE) from error
    table = Table(config.name, config.practice_seed is not None, options, config.clocks)
    table.owner = config.owner
    table.house = config.house
    return table


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
