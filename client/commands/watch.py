"""`cosmic-net watch`: look on at a table."""

from __future__ import annotations

import argparse

from client.commands import join


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    join.add_arguments(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    return join.run(args, watch=True)
