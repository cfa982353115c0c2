"""`cosmic-net aliens`: look up what is in the game."""

from __future__ import annotations

import argparse

from client.errors import Trouble, Unclear


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("name", nargs="*", metavar="NAME", help="an alien, an artifact or a kind of card")
    parser.add_argument("--cards", action="store_true", help="list the artifacts instead of the aliens")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    import sys

    from client.show import lookup
    from client.show.style import Style

    style = Style.of(sys.stdout)
    if args.name:
        try:
            lines = lookup.look_up(" ".join(args.name), style)
        except Unclear as error:
            raise Trouble(str(error)) from error
    elif args.cards:
        lines = lookup.list_cards(style)
    else:
        lines = lookup.list_aliens(style)
    for line in lines:
        print(line)
    return 0
