"""`cosmic-net resume`: start the host of an old table again and go on."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from client.commands import flags
from client.errors import Trouble

if TYPE_CHECKING:
    from pathlib import Path

    from client.home import Home


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("game", nargs="?", metavar="FOLDER", help="which table (default: the last one)")
    flags.add_player(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from client import logfile, table
    from client.home import Home
    from client.loop import run as run_loop
    from client.wire import hosting

    home = Home.find()
    logfile.start(home.log)
    folder = _folder(home, args.game)

    async def go_on() -> int:
        here = {running.folder: running for running in await hosting.running_here(home.tables)}
        running = here.get(folder) or await hosting.resume(folder)
        return await table.resume(home, args, running)

    return run_loop(go_on())


def _folder(home: Home, wanted: str | None) -> Path:
    """The folder of the table that is meant. Raises Trouble."""
    try:
        known = sorted(path for path in home.tables.iterdir() if (path / "journal.sqlite").exists())
    except OSError:
        known = []
    if wanted is not None:
        known = [path for path in known if path.name == wanted or path.name.startswith(wanted)]
    if not known:
        raise Trouble(f"There is no table{' of that name' if wanted else ''} to go on with in {home.tables}.")
    return known[-1]
