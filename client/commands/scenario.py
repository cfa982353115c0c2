"""`cosmic-net scenario run`: positions and rulings from files."""

from __future__ import annotations

import argparse
from pathlib import Path

from client.errors import Trouble

ENDINGS = (".yaml", ".yml")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    run_parser = actions.add_parser("run", help="run scenarios and say what failed")
    run_parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files, or folders with files")
    run_parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command: failures with file and line, then a last line with the counts."""
    from cosmic_net.scenario import run_texts

    report = run_texts([(str(path), _read(path)) for path in _files(args.paths)])
    for outcome in report.outcomes:
        for failure in outcome.failures:
            print(failure if failure.startswith(outcome.name) else f"{outcome.name}: {failure}")
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


def _files(paths: list[Path]) -> list[Path]:
    """The files that the paths name, folders searched, in order. Raises Trouble for a path that is not there."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(file for file in path.rglob("*") if file.suffix in ENDINGS)
        elif path.exists():
            found.append(path)
        else:
            raise Trouble(f"There is no file {path}.", 2)
    if not found:
        raise Trouble("There are no scenarios (*.yaml) there.", 2)
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"{path} cannot be read: {error}") from error
