"""A host that is odd in one thing: the clock of its computer is wrong, or it speaks another version of the protocol.

python -m tests.support.odd_host clock=SECONDS|version=NUMBER ARGUMENTS…
"""

from __future__ import annotations

import sys
import time

from protocol import limits


def make_odd(what: str, value: str) -> None:
    """Before the host itself is loaded."""
    if what == "version":
        limits.VERSION, limits.VERSIONS = int(value), (int(value),)
        return
    right, right_ns, seconds = time.time, time.time_ns, int(value)
    time.time = lambda: right() + seconds
    time.time_ns = lambda: right_ns() + seconds * 1_000_000_000


if __name__ == "__main__":
    make_odd(*sys.argv.pop(1).split("="))
    from host.main import main

    sys.exit(main())
