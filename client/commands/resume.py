"""`cosmic-net resume`: start the host of an old table again and go on."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from client.commands import flags
from client.errors import Trouble

if TYPE_CHECKING:
    from pathlib import Path

    from client.home import Home
    from client.wire.hosting import Running


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("game", nargs="?", metavar="FOLDER", help="which table (default: the last one)")
    flags.add_player(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from client import logfile, table, windows
    from client.home import Home
    from client.loop import run as run_loop

    home = Home.find()
    logfile.start(home.log)

    async def go_on() -> int:
        running, started = await _open(home, args.game)
        if started and windows.is_open(home.profile(args.profile), running.key):
            return table.leave_to_other_window(running)
        return await table.resume(home, args, running)

    return run_loop(go_on())


async def _open(home: Home, wanted: str | None) -> tuple[Running, bool]:
    """The host of the table that is meant, and whether it had to be started. Raises Trouble."""
    from client.wire import hosting

    here = {running.folder: running for running in await hosting.running_here(home.tables)}
    for folder in _folders(home, wanted):
        if folder in here:
            return here[folder], False
        try:
            return await hosting.resume(folder), True
        except hosting.NotStarted as trouble:
            if trouble.status != hosting.NO_TABLE:
                raise  # otherwise a host was started there that never opened its table
    raise Trouble(f"There is no table{' of that name' if wanted else ''} to go on with in {home.tables}.")


def _folders(home: Home, wanted: str | None) -> list[Path]:
    """The folders that may be meant, the last one first."""
    try:
        known = sorted(path for path in home.tables.iterdir() if (path / "journal.sqlite").exists())
    except OSError:
        known = []
    if wanted is not None:
        known = [path for path in known if path.name == wanted or path.name.startswith(wanted)]
    return known[::-1]
