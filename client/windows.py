"""Whether a player of this computer has a window open at a table, so that `resume` does not take its place."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from client.home import Profile


@contextlib.contextmanager
def at(profile: Profile, host_key: bytes) -> Iterator[None]:
    """Marks that a window of the profile is at the table of a host, until the program ends, however it does."""
    with _held(profile, host_key):
        yield


def is_open(profile: Profile, host_key: bytes) -> bool:
    """Whether another program marks a window of the profile at this table."""
    with _held(profile, host_key) as free:
        return not free


@contextlib.contextmanager
def _held(profile: Profile, host_key: bytes) -> Iterator[bool]:
    """Locks the mark, unless another program has it (False); a disk that refuses is no reason to stop."""
    file = _open(profile.state / "windows" / host_key.hex()[:32])
    if file is None:
        yield True
        return
    with file:
        yield _lock(file)


def _open(path: Path) -> IO[bytes] | None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("ab")
    except OSError:
        return None


def _lock(file: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
