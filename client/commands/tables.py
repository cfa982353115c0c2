"""`cosmic-net tables`: the tables that are hosted on this computer, and those in the LAN."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from client.errors import Trouble

if TYPE_CHECKING:
    from client.wire.hosting import Running


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--here", action="store_true", help="only the tables of this computer")
    parser.add_argument(
        "--stop",
        metavar="NAME",
        help="stop a table's host by its number, its folder or the beginning of its name; games are kept",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from client import choosing, logfile
    from client.home import Home
    from client.loop import run as run_loop
    from client.show.style import fitted
    from client.wire import hosting

    home = Home.find()
    logfile.start(home.log)
    if args.stop:
        return _stop(run_loop(hosting.running_here(home.tables)), args.stop)
    if args.here:
        _tell_here(run_loop(hosting.running_here(home.tables)))
        return 0
    tables = run_loop(choosing.look(home))
    _tell_here([choice.running for choice in tables.here if choice.running is not None])
    if tables.elsewhere:
        print("In the network (`cosmic-net join NAME`):")
        print("\n".join(choosing.lines(tables.elsewhere)))
    elif tables.problem:
        print(fitted(f"The network could not be searched: {tables.problem}."))
    else:
        print(fitted("No table was found in the network. `cosmic-net join CODE` works where tables cannot be found."))
    return 0


def _tell_here(running: list[Running]) -> None:
    from client.show.style import fitted
    from client.wire import hosting

    if not running:
        none = "No table is hosted here. `cosmic-net host` opens one, `cosmic-net resume` goes on with an old one."
        print(fitted(none))
    for number, table in enumerate(running, 1):
        print(f"{number}  {_title(table)}  port {table.port}  folder {table.folder.name}")
        for code in hosting.codes_to_tell(table)[:1]:
            print(f"   cosmic-net join {code}")


def _stop(running: list[Running], wanted: str) -> int:
    from client.loop import run as run_loop
    from client.show.style import fitted
    from client.wire import hosting

    found = [
        table for number, table in enumerate(running, 1) if wanted in (str(number), table.name, table.folder.name)
    ] or [table for table in running if table.name.casefold().startswith(wanted.casefold())]
    if len(found) != 1:
        raise Trouble(
            f"{'Several tables have' if found else 'No table here has'} that name; `cosmic-net tables` lists them."
        )
    if not run_loop(hosting.stop(found[0])):
        raise Trouble(f"The host (process {found[0].pid}) does not stop; {found[0].folder / 'host.log'} may say why.")
    print(fitted(f"{_title(found[0])} is stopped. `cosmic-net resume {found[0].folder.name}` goes on with it."))
    return 0


def _title(table: Running) -> str:
    from client.choosing import Choice

    return Choice(running=table).title
