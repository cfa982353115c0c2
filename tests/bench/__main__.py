"""`make bench`: one line of JSON for each measurement.

Everything is a median of several runs. CPU seconds depend less than times on what else the machine does, and counts
not at all.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tests.bench import engine, load, programs, wire

MEASUREMENTS: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {
    "engine": lambda: iter(engine.speed(players) for players in (4, 5)),
    "idle": lambda: iter([engine.idle()]),
    "round_trip": lambda: iter([asyncio.run(wire.round_trip())]),
    "load": lambda: iter(asyncio.run(load.under_load())),
    "game": lambda: iter(asyncio.run(programs.whole_games())),
    "startup": lambda: iter([programs.startup()]),
}


def main(wanted: list[str]) -> int:
    """Takes the named measurements, or all, and prints each as soon as it is there."""
    if unknown := [name for name in wanted if name not in MEASUREMENTS]:
        print(f"no such measurement: {', '.join(unknown)}; there are {', '.join(MEASUREMENTS)}", file=sys.stderr)
        return 2
    for name, measure in MEASUREMENTS.items():
        if not wanted or name in wanted:
            for found in measure():
                print(json.dumps(found), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
