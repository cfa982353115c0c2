"""The plain mode: lines in, lines out, through pipes; also how programs play."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client.wire.hosting import Running

pytestmark = pytest.mark.timeout(180)

LIMIT = 60.0


class Piped:
    """The program with pipes for a terminal."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.seen: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "client", *arguments],
            env={**os.environ, "COSMIC_NET_HOME": str(home), "PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def wait(self, pattern: str) -> str:
        """The next line that matches."""
        deadline = time.monotonic() + LIMIT
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"waited for {pattern!r}; seen:\n" + "\n".join(self.seen)) from None
            if line is None:
                raise AssertionError(f"ended before {pattern!r}; seen:\n" + "\n".join(self.seen))
            self.seen.append(line)
            if re.search(pattern, line):
                return line

    def end(self) -> int:
        """Ends the input and waits for the program's end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        code = self._process.wait(LIMIT)
        self._reader.join(LIMIT)
        self._process.stdout.close()
        while (line := self._lines.get_nowait()) is not None:
            self.seen.append(line)
        return code

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.wait(LIMIT)
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._reader.join(LIMIT)
        self._process.stdout.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Piped]]:
    started: list[Piped] = []

    def begin(*arguments: str) -> Piped:
        started.append(Piped(tmp_path, *arguments))
        return started[-1]

    yield begin
    for piped in started:
        piped.kill()
    for folder in (tmp_path / "tables").glob("*"):
        if (running := Running.read(folder)) is not None:
            os.kill(running.pid, 15)


def test_two_join_talk_start_and_play_with_lines_alone(start: Callable[..., Piped]) -> None:
    ana = start("host", "--here", "--port", "0", "--name", "Ana", "--bots", "1", "--short", "--aliens", "random",
                "--no-flares", "--ask", "able", "--seed", "2")  # fmt: skip
    code = ana.wait("cosmic-net join").split()[-1]
    ben = start("join", code, "--profile", "ben", "--name", "Ben")
    ben.wait(r"\(you, choosing\)")
    ben.write("say hello")
    ana.wait("● Ben: hello")
    ben.write("ready")
    ana.wait("Ben is ready")
    ana.write("start")
    for person in (ana, ben):
        person.wait("The game begins")
        person.wait("Ana is the")
        person.wait(r"── Encounter 1")
    assert not any("\x1b" in line for line in [*ana.seen, *ben.seen])
    ben.wait("aim at|do you meet Ana")
    ben.write("nonsense")
    ben.wait("There is no answer 'nonsense'")
    ben.write("2")
    ben.wait("How many ships")
    ben.write("2 from 1 2")
    ana.wait(r"Ben sends 2 ships \(1 from blue-1, 1 from blue-2\)")
    ben.write("board")
    ben.wait("foreign colonies win")
    assert ben.end() == 0
    assert "leave the table" in "\n".join(ben.seen)
    ana.wait("Ben has left")


def test_answers_wait_for_their_questions_when_all_come_at_once(start: Callable[..., Piped]) -> None:
    """An answer that comes early is kept for its question; several commands that come together are all carried out."""
    ana = start("play", "--bots", "2", "--name", "Ana", "--port", "0", "--seed", "5", "--short", "--ask", "able")
    ana.write("1")  # before anything is asked
    ana.wait("two aliens")
    ana.wait("Ana is dealt 8 cards")
    ana.write("board\n/hand")  # commands wait for nothing: earlier the hand would be empty
    ana.wait("destiny .* foreign colonies win")
    ana.wait("1 (Attack|Negotiate)")
    assert ana.end() == 0


def test_who_looks_on_needs_no_input(start: Callable[..., Piped], tmp_path: Path) -> None:
    ana = start("play", "--bots", "2", "--name", "Ana", "--port", "0", "--seed", "5", "--short", "--aliens", "random")
    ana.wait("The game begins")
    (folder,) = (tmp_path / "tables").iterdir()
    running = Running.read(folder)
    assert running is not None
    watcher = start("watch", running.local_address, "--profile", "cy")
    watcher.wait("You look on at a running game")
    assert "must show the same words" in "\n".join(watcher.seen), "a bare address vouches for nobody"
    assert not any("(Attack" in line for line in watcher.seen), "nobody's cards are shown to who looks on"
