"""`cosmic-net join`: sit down at somebody's table."""

from __future__ import annotations

import argparse

from client.commands import flags


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("table", nargs="*", metavar="CODE", help="a join code, HOST:PORT, or an invite")
    flags.add_player(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, *, watch: bool = False) -> int:
    """Runs the command; with `watch` without taking a seat."""
    from client import logfile, table
    from client.commands.tables import choose
    from client.home import Home
    from client.loop import run as run_loop

    home = Home.find()
    logfile.start(home.log)
    text = "".join(args.table) if args.table else choose(home)
    return run_loop(table.join(home, args, text, watch=watch))
