"""The log goes to a file, never to the screen: a terminal with a prompt has no room for it."""

from __future__ import annotations

import contextlib
import logging
import logging.handlers
from pathlib import Path

SIZE = 1_000_000
KEPT = 2
FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


def start(path: Path) -> None:
    """Sends the program's log to this file; without a place to write there is no log."""
    logging.raiseExceptions = False  # a log that cannot be written (a full disk) is no matter for the screen
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    handler: logging.Handler = logging.NullHandler()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
            path, maxBytes=SIZE, backupCount=KEPT, encoding="utf-8", delay=True
        )
    handler.setFormatter(logging.Formatter(FORMAT))
    root.addHandler(handler)
    logging.getLogger("asyncio").setLevel(logging.WARNING)
