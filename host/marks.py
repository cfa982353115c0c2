"""What tells that a journal is whole: a checksum for each of its rows, and a file that counts its commits."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

_log = logging.getLogger(__name__)
SUM_BYTES = 8


def row_sum(table: str, values: Sequence[Any]) -> bytes:
    """The checksum of a row: against decay, not against people."""
    return hashlib.sha256(repr((table, tuple(values))).encode()).digest()[:SUM_BYTES]


class Mark:
    """The file that counts commits; it is written after each, and so never counts more than there were.

    It is not brought onto the disk at once: should the computer stop, it may count less, which does no harm.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def read(self) -> int | None:
        """How many commits were counted; None if there is no count that can be read."""
        try:
            data = self._path.read_bytes() if self._path is not None else b""
        except OSError:
            return None
        count, check = data[:8], data[8:]
        if len(count) < 8 or check != row_sum("mark", (count,)):
            _log.warning("the count of commits in %s cannot be read", self._path)
            return None
        return int.from_bytes(count, "big")

    def write(self, commits: int) -> None:
        """Counts. Raises OSError."""
        if self._path is None:
            return
        if self._file is None:
            self._file = open(self._path, "r+b" if self._path.exists() else "w+b", buffering=0)  # noqa: SIM115
        count = commits.to_bytes(8, "big")
        self._file.seek(0)
        self._file.write(count + row_sum("mark", (count,)))

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
