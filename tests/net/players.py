"""Players on the machines of a test's LAN: what they say is read as it comes."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import threading
import time
from typing import Any

from tests.net.lan import Machine

PATIENCE = 30.0


class Playing:
    """One player, a process of its own."""

    def __init__(self, machine: Machine, number: int, address: str, key: bytes, *options: str) -> None:
        words = ("-m", "tests.support.net_player", str(number), address, key.hex(), *options)
        self.process: subprocess.Popen[str] = machine.start(*words, piped=True)
        self.heard: list[dict[str, Any]] = []
        self._other: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def wait(self, what: str, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next thing of this kind that the player says."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                raise AssertionError(f"waited {seconds} s for {what!r}; heard {self.heard[-12:]} {self._other}")
            try:
                said: dict[str, Any] = json.loads(line)
            except ValueError:
                self._other.append(line)
                continue
            self.heard.append(said)
            if said["what"] == what:
                return said

    @property
    def seat(self) -> str:
        """Where the player sits."""
        return str(next(said["seat"] for said in self.heard if said["what"] == "sits"))

    def tell(self, line: str) -> None:
        """Writes a line to the player."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def state(self) -> dict[str, Any]:
        """What the player knows now."""
        self.tell("state")
        return self.wait("state")

    def freeze(self) -> None:
        """Stops the process where it is."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets the process go on."""
        self.process.send_signal(signal.SIGCONT)


def same_ending(players: list[Playing], seconds: float = PATIENCE) -> list[dict[str, Any]]:
    """Waits until all have ended the same game with nothing to complain of; returns how each ended."""
    endings = [player.wait("ended", seconds) for player in players]
    assert [ending["faults"] for ending in endings] == [[] for _ in players]
    assert len({(*ending["winners"], ending["head"]) for ending in endings}) == 1
    assert endings[0]["winners"]
    return endings
