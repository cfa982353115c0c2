"""`cosmic-net join`: sit down at somebody's table."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from client.commands import flags

if TYPE_CHECKING:
    from client.choosing import Choice
    from client.home import Home


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "table",
        nargs="*",
        metavar="CODE",
        help="a join code, HOST:PORT, an invite, or (the beginning of) a table's name in this network; "
        "default: the table that is found, or one of a list",
    )
    flags.add_player(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, *, watch: bool = False) -> int:
    """Runs the command; with `watch` without taking a seat."""
    from client import choosing, logfile, table
    from client.home import Home
    from client.loop import run as run_loop

    home = Home.find()
    logfile.start(home.log)
    home.profile(args.profile)  # a name that cannot be is said before anybody is looked for
    if args.table and choosing.is_code(args.table):
        return run_loop(table.join(home, args, "".join(args.table), watch=watch))
    name = " ".join(args.table)
    tables = run_loop(choosing.look(home, name))
    if name:
        choice = choosing.by_name(tables, name)
        if choice is None:
            if _is_address(args.table):
                return run_loop(table.join(home, args, name, watch=watch))
            raise choosing.unknown(tables, name)
    else:
        choice = choosing.choose(tables, plain=table.is_plain(args))
    return run_loop(_visit(home, args, choice, watch))


async def _visit(home: Home, args: argparse.Namespace, choice: Choice, watch: bool) -> int:
    from client import choosing, table

    found = await choosing.reach(choice)
    print(f"{choice.title}, at {found.address}.")
    return await table.visit(home, args, found, watch=watch)


def _is_address(words: list[str]) -> bool:
    """Whether a text that is no table's name could be the name of a computer."""
    from protocol import joincode

    try:
        joincode.parse("".join(words))
    except joincode.BadCode:
        return False
    return len(words) == 1
