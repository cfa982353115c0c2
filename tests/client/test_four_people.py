"""Four programs at one table, each with a home of its own, play a whole game through their pipes."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.host.hosts import HostProcess

LIMIT = 60.0
QUIET_SECONDS = 0.05
"""After so long without a new line whatever is asked has been printed."""
NUDGE_SECONDS = 3.0
QUESTION = re.compile(r"^  +(1 |a number, |choose )|^Please choose|too many")
SHIPS = re.compile(r"^  +(?:\d+ to )?(\d+) ships?: ")
GUESSES = ("1", "2", "3", "4", "1 2", "1 2 3", "1 2 3 4")
OFFENSE = r"At which planet|Whom do you meet|do you attack|How many ships"
SEED = "03" * 32
"""With it the third seat has the first turn."""
OPTIONS = {"planets": 4, "goal": 1, "ask": "able", "aliens": "random", "flares": False}


class Person:
    """The program with pipes for a terminal, and somebody who answers: with Enter where that will do."""

    def __init__(self, name: str, home: Path, *words: str, stops_at: str | None = None) -> None:
        self.name = name
        self.seen: list[str] = []
        self._stops_at = stops_at
        self._stopped = False
        self._dice = random.Random(name)
        self._changed = threading.Condition()
        self._done = False
        self.process = subprocess.Popen(
            [sys.executable, "-m", "client", *words, "--name", name, "--plain"],
            env={**os.environ, "COSMIC_NET_HOME": str(home), "PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._read, self._answer)]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._changed:
                self.seen.append(line.rstrip("\n"))
                self._stopped |= self._stops_at is not None and bool(re.search(self._stops_at, line))
                self._changed.notify_all()
        with self._changed:
            self._done = True
            self._changed.notify_all()

    def _answer(self) -> None:
        """Answers once what was asked, whenever nothing more comes."""
        looked_at = 0
        while not self._done:
            with self._changed:
                before = len(self.seen)
                self._changed.wait(QUIET_SECONDS if before > looked_at else NUDGE_SECONDS)
                if len(self.seen) > before:
                    continue
                new, looked_at = self.seen[looked_at:before], before
            if self._stopped or not any("The game " in line for line in self.seen):
                continue
            ships = [found[1] for line in new if (found := SHIPS.search(line))]
            if not new or any("[Enter]" in line for line in new):
                self.write("")
            elif ships:
                self.write(ships[-1])
            elif any(QUESTION.search(line) for line in new):
                self.write(self._dice.choice(GUESSES))

    def write(self, line: str) -> None:
        """Types a line."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # the program is gone
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def wait(self, pattern: str) -> str:
        """The first line that matches."""
        deadline = time.monotonic() + LIMIT
        with self._changed:
            while True:
                for line in self.seen:
                    if re.search(pattern, line):
                        return line
                if self._done or not self._changed.wait(max(0.0, deadline - time.monotonic())):
                    last = "\n".join(self.seen[-40:])
                    raise AssertionError(f"{self.name} waited for {pattern!r} in vain; seen last:\n{last}")

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self._end()

    def leave(self) -> int:
        """Ends the input, and with it the visit; returns the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(LIMIT)
        self._end()
        return self.process.returncode

    def _end(self) -> None:
        self.process.wait()
        for thread in self._threads:
            thread.join(LIMIT)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()


@pytest.fixture
def join(tmp_path: Path) -> Iterator[Callable[..., Person]]:
    """A host, and a way to join its table by its code; a person who joins again has the same home."""
    people: list[Person] = []
    words = ("--options", json.dumps(OPTIONS), "--practice-seed", SEED)
    with HostProcess(tmp_path / "table", *words, reaction_s=0.3) as host:
        [code] = host.announcement["codes"]

        def begin(name: str, **more: str) -> Person:
            people.append(Person(name, tmp_path / name, "join", code, **more))
            return people[-1]

        try:
            yield begin
        finally:
            for person in people:
                person.kill()


@pytest.mark.timeout(150)
def test_four_play_a_whole_game_though_one_is_killed_while_asked(join: Callable[..., Person]) -> None:
    people = []
    for name in ("Ann", "Ben", "Carl", "Dora"):
        people.append(join(name, **({"stops_at": OFFENSE} if name == "Carl" else {})))
        people[-1].wait(r"\(you")
    ann, ben, carl, dora = people
    for person in (ben, carl, dora):
        person.write("ready")
        ann.wait(f"{person.name} is ready")
    ann.write("start")
    asked = carl.wait(OFFENSE)
    carl.kill()
    carl = join("Carl")
    carl.wait("The game goes on")
    assert carl.wait(OFFENSE) == asked
    everybody = (ann, ben, carl, dora)
    endings = {(p.wait(r" wins?( together)?\.$"), p.wait("The record's words: ")) for p in everybody}
    assert len(endings) == 1
    for person in everybody:
        assert not any("!!" in line or "Traceback" in line for line in person.seen)
        person.write("1")  # nobody asks for it any more
        assert person.leave() == 0
