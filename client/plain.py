"""The plain mode: lines are only appended. For screen readers, pipes, simple terminals and other programs.

Nothing is drawn twice and nothing is coloured: each question is printed once with its numbered answers, and a line is
read for it. When the input is no terminal, a line that is an answer waits until there is a question, and the end of the
input leaves the table.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import TextIO

from client.desk.desk import Desk
from client.errors import Unclear
from client.show.status import waiting_text

READ_BYTES = 65536


class Lines:
    """The lines of a file descriptor, read by a thread of its own: a file can only be waited for."""

    def __init__(self, descriptor: int, loop: asyncio.AbstractEventLoop) -> None:
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._descriptor = descriptor
        self._loop = loop
        threading.Thread(target=self._read, name="plain-input", daemon=True).start()

    def _read(self) -> None:
        # Not through sys.stdin: a thread that waits in its buffer would hang the end of the program.
        rest = b""
        while chunk := self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._put(line.decode("utf-8", "replace").rstrip("\r"))
        if rest:
            self._put(rest.decode("utf-8", "replace"))
        self._put(None)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, READ_BYTES)
        except OSError:
            return b""

    def _put(self, line: str | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.queue.put_nowait, line)


class Plain:
    """Runs a desk on plain input and output."""

    def __init__(self, out: TextIO = sys.stdout, descriptor: int = 0) -> None:
        self._out = out
        self._descriptor = descriptor
        self._patient = not os.isatty(descriptor)
        self._news = asyncio.Event()
        self._asked = -1
        self._waited = ""

    def show(self, lines: list[str]) -> None:
        """Prints lines."""
        for line in lines:
            print(line, file=self._out)
        self._out.flush()

    def changed(self) -> None:
        """Something may be asked now that was not before."""
        self._news.set()

    async def run(self, desk: Desk) -> None:
        """Reads and answers until the desk is closed."""
        loop = asyncio.get_running_loop()
        lines = Lines(self._descriptor, loop)
        self._on_interrupt(loop, lambda: self._interrupt(desk))
        next_line: asyncio.Task[str | None] | None = None
        held: str | None = None
        ended = False
        while not desk.over:
            self._ask(desk)
            if held is not None and self._may_take(held, desk):
                self._take(held, desk)
                held = None
                await desk.settled()
                continue
            if held is None and next_line is None and not ended:
                next_line = asyncio.create_task(lines.queue.get())
            self._news.clear()
            news = asyncio.create_task(self._news.wait())
            waiting = {task for task in (news, next_line) if task is not None}
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            news.cancel()
            if next_line is not None and next_line.done():
                held, next_line = next_line.result(), None
                if held is None:
                    ended = True
                    self._end_of_input(desk)
        if next_line is not None:
            next_line.cancel()

    def _may_take(self, line: str, desk: Desk) -> bool:
        """Whether a line means something now, or nothing will be asked any more."""
        over = desk.told.table is not None and desk.told.table.phase == "over"
        return not self._patient or over or desk.can_take(line)

    def _take(self, line: str, desk: Desk) -> None:
        try:
            desk.enter(line)
        except Unclear as error:
            self.show([str(error)])
            self._asked = -1 if line.strip() else self._asked

    def _ask(self, desk: Desk) -> None:
        """Prints the open question, once; or, once, who is waited for."""
        asked = desk.question()
        if asked is not None:
            if asked.id != self._asked and desk.draft is None:
                self._asked = asked.id
                self.show(desk.asking.lines())
            return
        if desk.told.view is None or not desk.told.waiting or desk.told.waiting[0]["kind"] == "react":
            return
        text = waiting_text(desk.cast, desk.told)
        key = f"{desk.told.waiting[0]['group']}"
        if key != self._waited:
            self._waited = key
            self.show([f"({text})"])

    def _end_of_input(self, desk: Desk) -> None:
        if desk.told.seat is None and desk.told.you.seat is None:
            return  # one who looks on needs no input
        if self._patient:
            desk.over = "The input has ended; you leave the table."
        else:
            desk.ask_to_leave()

    def _interrupt(self, desk: Desk) -> None:
        if desk.leaving:
            desk.over = "Good-bye."
        else:
            desk.ask_to_leave()
        self._news.set()

    def _on_interrupt(self, loop: asyncio.AbstractEventLoop, handler: Callable[[], None]) -> None:
        if sys.platform != "win32" and threading.current_thread() is threading.main_thread():
            loop.add_signal_handler(signal.SIGINT, handler)
