"""The folder of a table: its secret, its lock, and the file that says where the table is."""

from __future__ import annotations

import json
import os
import secrets
import sys
from pathlib import Path
from typing import IO, Any

from host.errors import CannotStart
from protocol.identity import SECRET_BYTES

EXIT_DISK = 4


class Folder:
    """The files of one table. Raises CannotStart if the folder cannot be used, or another host uses it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock: IO[bytes] = open(path / "lock", "ab")  # noqa: SIM115 - held until the process ends
        except OSError as error:
            raise CannotStart(f"the folder {path} cannot be used: {error.strerror}", EXIT_DISK) from error
        try:
            _lock(self._lock)
        except OSError as error:
            self._lock.close()
            raise CannotStart(f"another host is already running in {path}") from error

    @property
    def journal(self) -> Path:
        """The journal's file."""
        return self.path / "journal.sqlite"

    @property
    def log(self) -> Path:
        """The log's file."""
        return self.path / "host.log"

    @property
    def bots(self) -> Path:
        """Where the bots keep their own secrets; the host reads nothing there but their public keys."""
        return self.path / "bots"

    @property
    def announcement(self) -> Path:
        """The file that says where the table is, as long as it is open."""
        return self.path / "table.json"

    def secret(self, *, old: bool = False) -> bytes:
        """The host's secret, drawn when it is first asked for; an `old` one has to be there."""
        path = self.path / "host.secret"
        if not path.exists():
            if old:
                raise CannotStart(f"{path} is missing: without it nobody would know this host again")
            write(path, secrets.token_bytes(SECRET_BYTES), private=True)
        secret = path.read_bytes()
        if len(secret) != SECRET_BYTES:
            raise CannotStart(f"{path} is damaged: it should have {SECRET_BYTES} bytes")
        return secret

    def announce(self, data: dict[str, Any]) -> None:
        """Writes `table.json`: whoever reads it finds all of it or none."""
        write(self.announcement, json.dumps(data, indent=1).encode())

    def close(self) -> None:
        """Takes `table.json` away and lets another host in."""
        self.announcement.unlink(missing_ok=True)
        self._lock.close()


def write(path: Path, data: bytes, private: bool = False) -> None:
    """Writes a file in one step; a `private` one can be read by its owner alone."""
    part = path.with_name(path.name + ".part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600 if private else 0o644)
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def _lock(file: IO[bytes]) -> None:
    """Locks a file for this process, until it is closed. Raises OSError if another one has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
