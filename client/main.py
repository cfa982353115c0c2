"""The command line: one table of commands, each in a module of its own that is imported only when it is wanted."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence

from client import program
from client.errors import Trouble

COMMANDS = {
    "play": "play here and now: host a table, fill it with bots, start",
    "host": "host a table, print its join code, wait for players in the lobby",
    "join": "join a table by its code, address or invite",
    "watch": "look on at a table, seeing what the whole table may see",
    "resume": "go on with a table that was hosted here and stopped",
    "tables": "list the tables that are hosted here and in this network; stop one of one's own",
    "doctor": "say why two computers do not see each other, and what to do",
    "scenario": "run positions and rulings from files",
    "aliens": "look up what an alien, an artifact or a card does",
}
EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # whoever reads a pipe gets each line when it is said
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser(words)
    args = parser.parse_args(words)
    if not hasattr(args, "run"):
        parser.print_help()
        return EXIT_USAGE
    try:
        code: int = args.run(args)
    except Trouble as trouble:
        _say(trouble.message)
        return trouble.code
    except KeyboardInterrupt:
        _say("Stopped.")
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # whoever read our output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    except Exception:
        return _defect()
    return code


def _parser(words: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cosmic-net",
        description="Cosmic Encounter for people in one LAN, with a terminal each and no server.",
        epilog="`cosmic-net COMMAND --help` says more about each.",
    )
    parser.add_argument("--version", action="version", version=program.NAME_AND_VERSION)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    wanted = next((word for word in words if word in COMMANDS), None)
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        if name == wanted:
            importlib.import_module(f"client.commands.{name}").add_arguments(command)
    return parser


def _say(text: str) -> None:
    print(f"cosmic-net: {text}", file=sys.stderr)


def _defect() -> int:
    """Something failed that should not: the log has the details, the screen has a sentence."""
    import logging

    from client.home import Home

    logging.getLogger(__name__).exception("the program has failed")
    _say(f"Something went wrong in this program. The details are in {Home.find().log}.")
    return EXIT_FAILED


if __name__ == "__main__":
    sys.exit(main())
