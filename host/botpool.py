"""The bots of a table: one process beside the host, which is told where to sit and plays over the socket.

The bots' secrets are drawn and kept by that process; the host reads nothing of theirs but the public keys.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path

from host.bots.secrets import KEYS_FILE
from protocol import z85
from protocol.messages import SeatName

_log = logging.getLogger(__name__)
STOP_SECONDS = 2.0
MOST_STARTS = 5
"""After so many starts it is plain that the bots' process cannot run here."""


class BotPool:
    """Starts and ends bots. A process that has died is started again with the same bots."""

    def __init__(self, folder: Path, seed: bytes | None) -> None:
        self._folder = folder
        self._seed = seed
        self._address = ""
        self._host_key = b""
        self._process: subprocess.Popen[bytes] | None = None
        self._keys: dict[SeatName, bytes] = {}
        self._read_at = 0
        self._starts = 0
        self.seats: set[SeatName] = set()
        """Where bots were told to sit."""
        self._read_keys()

    def connect_to(self, address: str, host_key: bytes) -> None:
        """Says where the bots find the host: HOST:PORT and its CURVE key in Z85."""
        self._address = address
        self._host_key = host_key

    def add(self, seat: SeatName) -> None:
        """Lets a bot come and sit down there."""
        self.seats.add(seat)
        if self._process is None:
            self._start()
        else:
            self._say("sit", seat)

    def remove(self, seat: SeatName) -> None:
        """Lets the bot go that sits there."""
        self.seats.discard(seat)
        self._say("leave", seat)

    def owns(self, key: bytes) -> bool:
        """Whether this is the CURVE key of one of these bots."""
        if not self.seats <= self._keys.keys():
            self._read_keys()
        return key in self._keys.values()

    def look_after(self) -> None:
        """Starts the process again if it has died."""
        ended = self._process is not None and self._process.poll() is not None
        if self.seats and ended and self._starts < MOST_STARTS:
            assert self._process is not None
            _log.error("the bots' process ended with status %s; starting it again", self._process.returncode)
            self._start()

    def close(self) -> None:
        """Ends the process."""
        if self._process is None:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()  # it ends by itself then
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def _start(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        self._starts += 1
        self._folder.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "host.bots", str(self._folder), self._address]
        command += [f"--host-key={self._host_key.decode()}"]
        if self._seed is not None:
            command += ["--seed", self._seed.hex()]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
        for seat in sorted(self.seats):
            self._say("sit", seat)

    def _say(self, what: str, seat: SeatName) -> None:
        if self._process is None or self._process.stdin is None:
            return
        try:
            self._process.stdin.write(json.dumps({what: seat}).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            _log.error("the bots' process does not listen")

    def _read_keys(self) -> None:
        path = self._folder / KEYS_FILE
        try:
            changed = path.stat().st_mtime_ns
            if changed != self._read_at:
                self._keys = {seat: z85.decode(key) for seat, key in json.loads(path.read_text()).items()}
                self._read_at = changed
        except (OSError, ValueError):
            return
