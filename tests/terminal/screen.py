"""A terminal as a person sees it: a program at a real pseudo-terminal, its screen modelled by pyte.

Nothing here sleeps to wait: a test waits for what the screen shows, with a limit, and on a time-out shows the screen,
what has scrolled away, and the program's log.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pyte
from ptyprocess import PtyProcess

LIMIT = 60.0
HISTORY = 2000
CHUNK = 65536


class AnsweringScreen(pyte.HistoryScreen):
    """A screen that answers what programs ask their terminal (where the cursor is, say)."""

    reply: Callable[[bytes], None] = staticmethod(lambda data: None)

    def write_process_input(self, data: str) -> None:
        self.reply(data.encode())


class TimedOut(AssertionError):
    """What was waited for did not come; the message shows the screen and the log."""


class Terminal:
    """A program at a terminal of a fixed size."""

    def __init__(
        self,
        command: list[str],
        environment: Mapping[str, str],
        rows: int = 24,
        columns: int = 80,
        log: Path | None = None,
    ) -> None:
        self.command = command
        self.quiet = False
        """Whether nothing was written when the terminal was last read: the screen is whole."""
        self._log = log
        self._screen = AnsweringScreen(columns, rows, history=HISTORY, ratio=0.001)
        self._screen.reply = self._send
        self._stream = pyte.ByteStream(self._screen)
        everything = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment}
        for name in ("LC_ALL", "NO_COLOR", "COLUMNS", "LINES"):
            everything.pop(name, None)
        self._process = PtyProcess.spawn(command, env=everything | dict(environment), dimensions=(rows, columns))

    # ---- looking

    @property
    def lines(self) -> list[str]:
        """The screen, line by line."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """The screen as one text, empty lines at its end left out."""
        return "\n".join(self.lines).rstrip()

    @property
    def everything(self) -> str:
        """What has scrolled away, and the screen."""
        top = ["".join(row[x].data for x in range(self._screen.columns)).rstrip() for row in self._screen.history.top]
        return "\n".join([*top, *self.lines]).rstrip()

    def has(self, pattern: str) -> bool:
        """Whether the screen shows something that matches."""
        return re.search(pattern, self.text, re.M) is not None

    def told(self, pattern: str) -> bool:
        """Whether anything shown so far matches."""
        return re.search(pattern, self.everything, re.M) is not None

    # ---- doing

    def type(self, text: str) -> None:
        """Types something, without Enter."""
        self._send(text.encode())

    def enter(self, text: str = "") -> None:
        """Types a line and Enter."""
        self._send(text.encode() + b"\r")

    def resize(self, rows: int, columns: int) -> None:
        """The window gets another size."""
        self._screen.resize(rows, columns)
        self._process.setwinsize(rows, columns)

    def read(self, seconds: float = 0.05) -> bool:
        """Takes what the program has written, waiting at most so long for it; False once it has ended."""
        ready, _, _ = select.select([self._process.fd], [], [], seconds)
        self.quiet = not ready
        if not ready:
            return True
        try:
            data = os.read(self._process.fd, CHUNK)
        except OSError:
            return False
        self._stream.feed(data)
        return bool(data)

    def wait(self, condition: str | Callable[[], bool], seconds: float = LIMIT) -> None:
        """Waits until the screen matches a pattern, or a condition holds. Raises TimedOut."""
        check = (lambda: self.has(condition)) if isinstance(condition, str) else condition
        wait_all([self], check, f"{condition!r}", seconds)

    def wait_end(self, seconds: float = LIMIT) -> int:
        """Waits until the program has ended; returns its exit code."""
        deadline = time.monotonic() + seconds
        while self.read():
            if time.monotonic() > deadline:
                raise TimedOut(f"the program did not end\n{self.report()}")
        self._process.wait()
        return int(self._process.exitstatus if self._process.exitstatus is not None else -1)

    def kill(self) -> None:
        """Kills the program at once, as a crash would; what it had written is read."""
        self._process.kill(signal.SIGKILL)
        while self.read():
            pass
        self._process.wait()

    def close(self) -> None:
        """Ends the program if it still runs."""
        if self._process.isalive():
            self._process.kill(signal.SIGKILL)
            self._process.wait()
        self._process.fileobj.close()
        self._process.closed = True

    def report(self) -> str:
        """The screen, what scrolled away before, and the end of the log."""
        frame = "-" * self._screen.columns
        log = ""
        if self._log is not None and self._log.exists():
            log = "\n".join(self._log.read_text(encoding="utf-8", errors="replace").splitlines()[-30:])
        before = "\n".join(self.everything.splitlines()[-80 : -len(self.lines)])
        return f"$ {' '.join(self.command)}\n{before}\n{frame}\n{self.text}\n{frame}\nlog:\n{log}"

    def _send(self, data: bytes) -> None:
        with contextlib.suppress(OSError):  # the program has ended; whoever waits for something will hear of it
            self._process.write(data)


def wait_all(terminals: Iterable[Terminal], condition: Callable[[], bool], what: str, seconds: float = LIMIT) -> None:
    """Reads all terminals until a condition holds. Raises TimedOut with all their screens."""
    terminals = list(terminals)
    deadline = time.monotonic() + seconds
    while not condition():
        alive = [terminal.read(0.02) for terminal in terminals]
        if time.monotonic() > deadline or not any(alive):
            if condition():
                return
            screens = "\n\n".join(terminal.report() for terminal in terminals)
            raise TimedOut(f"waited for {what}\n{screens}")
