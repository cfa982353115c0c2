"""Terminals that are closed, and hosts that are stopped, whatever a test does."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client.wire.hosting import Running
from tests.terminal import people
from tests.terminal.screen import Terminal

Open = Callable[..., Terminal]


@pytest.fixture
def open_terminal(tmp_path: Path) -> Iterator[Open]:
    """Starts the program at terminals of one computer."""
    opened: list[Terminal] = []

    def start(*arguments: str, **more: object) -> Terminal:
        opened.append(people.start(tmp_path, *arguments, **more))  # type: ignore[arg-type]
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()
    for folder in (tmp_path / "tables").glob("*"):
        if (running := Running.read(folder)) is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(running.pid, signal.SIGTERM)
