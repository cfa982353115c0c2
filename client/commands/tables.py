"""`cosmic-net tables`: the tables that are hosted on this computer."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from client.errors import Trouble

if TYPE_CHECKING:
    from client.home import Home
    from client.wire.hosting import Running


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "--stop", metavar="NAME", help="stop a table's host by its number, name or folder; games are kept"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from client.home import Home
    from client.loop import run as run_loop
    from client.wire import hosting

    home = Home.find()
    running = run_loop(hosting.running_here(home.tables))
    if args.stop:
        return _stop(running, args.stop)
    if not running:
        print("No table is hosted here. `cosmic-net host` opens one, `cosmic-net resume` goes on with an old one.")
    for number, table in enumerate(running, 1):
        print(f"{number}  {_title(table)}  port {table.port}  folder {table.folder.name}")
        for code in hosting.codes_to_tell(table)[:1]:
            print(f"   cosmic-net join {code}")
    return 0


def choose(home: Home) -> str:
    """The one table that runs here, to be joined; else says what to type. Raises Trouble."""
    from client.loop import run as run_loop
    from client.wire import hosting

    running = run_loop(hosting.running_here(home.tables))
    if len(running) == 1:
        return _local_invite(running[0])
    if not running:
        raise Trouble("Which table? Ask its host for the code and type `cosmic-net join CODE`.", 2)
    listed = "\n".join(f"  cosmic-net join {_local_invite(table)}   {_title(table)}" for table in running)
    raise Trouble(f"Several tables are hosted here. Name one:\n{listed}", 2)


def _local_invite(table: Running) -> str:
    from protocol import joincode

    return joincode.invite(table.address, table.port, table.key)


def _stop(running: list[Running], wanted: str) -> int:
    from client.loop import run as run_loop
    from client.wire import hosting

    found = [
        table
        for number, table in enumerate(running, 1)
        if wanted in (str(number), table.name, table.folder.name) or wanted.lower() == table.name.lower()
    ]
    if len(found) != 1:
        raise Trouble(
            f"{'Several tables have' if found else 'No table here has'} that name; `cosmic-net tables` lists them."
        )
    if not run_loop(hosting.stop(found[0])):
        raise Trouble(f"The host (process {found[0].pid}) does not stop; {found[0].folder / 'host.log'} may say why.")
    print(f"{_title(found[0])} is stopped. `cosmic-net resume {found[0].folder.name}` goes on with it.")
    return 0


def _title(table: Running) -> str:
    from protocol.text import clean

    name = clean(table.name) or "Table without a name"
    return f"{name} (practice)" if table.practice else name
