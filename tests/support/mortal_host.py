"""A host that kills itself at a stated moment, and is a host like any other until then.

python -m tests.support.mortal_host ARGUMENTS…, with the moment in `COSMIC_NET_DIES`: "before 17" (the entry has come
in, nothing of it is written), "between 17" (it is written and not yet safe) or "after 17" (it is safe, and nobody has
heard of it).
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from host.journal import Journal
from host.main import main

VARIABLE = "COSMIC_NET_DIES"


def die() -> None:
    """As if by kill -9."""
    os.kill(os.getpid(), signal.SIGKILL)


def arm(when: str, number: int) -> None:
    """Lets the journal be the place of death."""
    line, commit = Journal.line, Journal.commit
    reached = False

    def mortal_line(self: Journal, game: str, n: int, *rest: Any) -> None:
        nonlocal reached
        if n == number and when == "before":
            die()
        line(self, game, n, *rest)
        reached = reached or n == number
        if n == number and when == "between":
            die()

    def mortal_commit(self: Journal) -> None:
        commit(self)
        if reached:
            die()

    Journal.line, Journal.commit = mortal_line, mortal_commit  # type: ignore[method-assign,assignment]


if __name__ == "__main__":
    if moment := os.environ.pop(VARIABLE, ""):
        words = moment.split()
        arm(words[0], int(words[1]))
    sys.exit(main())
