"""LANs for tests, taken down when the test is over."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.net.lan import Lan, forget_the_dead, lan, why_not


@pytest.fixture(scope="session")
def may_make_networks() -> None:
    """Skips where no namespaces can be made: it takes Linux, `ip` and root."""
    if reason := why_not():
        pytest.skip(reason)
    forget_the_dead()


@pytest.fixture
def make_lan(tmp_path: Path, may_make_networks: None) -> Iterator[Callable[[int], Lan]]:
    """Makes a LAN with so many machines."""
    with contextlib.ExitStack() as stack:
        yield lambda machines: stack.enter_context(lan(tmp_path, machines))
