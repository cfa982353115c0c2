"""The prompt: what is asked above the line that is typed, the status below it, the story above both."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.filters import is_done
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.layout import ConditionalContainer, HSplit
from prompt_toolkit.output import Output
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style as PromptStyle

from client.ask.choices import React
from client.desk.desk import LEAVE, Desk
from client.errors import Unclear
from client.repl.checker import DeskValidator
from client.repl.completer import DeskCompleter
from client.repl.fresh import Fresh
from client.repl.keys import bindings
from client.show.status import bar
from client.show.style import width, wrap

REFRESH_SECONDS = 0.5
MENU_LINES = 6
STYLE = PromptStyle.from_dict({"bottom-toolbar": "noreverse", "validation-toolbar": "bg:default fg:default bold"})


class Interrupted(BaseException):
    """Ctrl-C at the prompt. No KeyboardInterrupt: that would tear the event loop down."""


class EndOfInput(BaseException):
    """Ctrl-D at the prompt."""


class Repl:
    """Runs a desk at a terminal with a prompt. `source` and `sink` replace the terminal in tests."""

    def __init__(self, history: Path | None = None, source: Input | None = None, sink: Output | None = None) -> None:
        self._history = history
        self._source = source
        self._sink = sink
        self._session: PromptSession[str] | None = None
        self._desk: Desk | None = None
        self._lines: list[str] = []
        self._flushing = False
        self._fresh: Fresh | None = None

    def show(self, lines: list[str]) -> None:
        """Prints lines above the prompt; what comes in one moment is printed at once."""
        for line in lines:
            self._lines += self._fitted(line)
        if not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _fitted(self, line: str) -> list[str]:
        """A line, broken between words where the screen is too narrow for it."""
        if self._desk is None or width(line) <= self._desk.style.width:
            return [line]
        indent = " " * (len(line) - len(line.lstrip()))
        return wrap(line, self._desk.style.width, indent)

    def changed(self) -> None:
        """Draws the prompt anew; ends it if the desk is closed."""
        if self._session is None or not self._session.app.is_running:
            return
        if self._desk is not None and self._desk.over:
            if not self._session.app.is_done:
                self._session.app.exit(result="")
        else:
            self._session.app.invalidate()

    async def run(self, desk: Desk) -> None:
        """Reads and answers until the desk is closed."""
        self._desk = desk
        desk.prints_draft = False
        # Asking the terminal for the cursor's place: where answers come late they end up as text on the line.
        os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
        self._session = self._make_session(desk)
        always_show_toolbar(self._session)
        with patch_stdout(raw=True):
            while not desk.over:
                line = await self._read(desk)
                if line is not None and not desk.over:
                    self._take(desk, line)
            self._flush()

    async def _read(self, desk: Desk) -> str | None:
        assert self._session is not None
        default, desk.suggestion = desk.suggestion, ""
        try:
            return await self._session.prompt_async(default=default)
        except (Interrupted, EndOfInput):
            if desk.leaving:
                desk.over = "Good-bye."
            else:
                desk.ask_to_leave()
            return None

    def _take(self, desk: Desk, line: str) -> None:
        asked = desk.question()
        if line.strip() and (asked is None or not isinstance(asked, React)):
            self.show([desk.style.dim(f"> {line.strip()}")])
        try:
            desk.enter(line)
        except Unclear as error:  # the question changed between the check and now
            self.show([str(error)])

    def _flush(self) -> None:
        self._flushing = False
        lines, self._lines = self._lines, []
        if lines:
            print("\n".join(lines), file=sys.stdout, flush=True)

    def _make_session(self, desk: Desk) -> PromptSession[str]:
        self._fresh = Fresh(desk)
        return PromptSession(
            message=lambda: ANSI(self._message(desk)),
            bottom_toolbar=lambda: ANSI("\n".join(desk.toolbar())),
            completer=DeskCompleter(desk),
            complete_while_typing=False,
            complete_style=CompleteStyle.MULTI_COLUMN,
            reserve_space_for_menu=MENU_LINES,
            validator=DeskValidator(desk, self._fresh),
            validate_while_typing=False,
            key_bindings=bindings(desk),
            history=self._open_history(),
            style=STYLE,
            refresh_interval=REFRESH_SECONDS,
            erase_when_done=True,
            enable_suspend=True,
            interrupt_exception=Interrupted,
            eof_exception=EndOfInput,
            input=self._source,
            output=self._sink,
        )

    def _open_history(self) -> History:
        if self._history is None:
            return InMemoryHistory()
        try:
            self._history.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self._history, os.O_CREAT | os.O_WRONLY, 0o600))  # what one typed is nobody's business
        except OSError:
            return InMemoryHistory()
        return FileHistory(str(self._history))

    def _message(self, desk: Desk) -> str:
        """The open question and the beginning of the line. Called at every redraw: the width may be new."""
        self._fit(desk)
        if self._fresh is not None:
            self._fresh.notice()
        if desk.leaving:
            lines = [part for line in LEAVE for part in self._fitted(line)]
        elif desk.draft is not None:
            lines = [part for line in desk.draft_lines() for part in self._fitted(line)]
        elif (asked := desk.question()) is not None:
            lines = self._with_bar(desk, asked) if isinstance(asked, React) else desk.asking.lines()
        else:
            lines = []
        return "\n".join([*lines, desk.prompt()])

    def _with_bar(self, desk: Desk, asked: React) -> list[str]:
        table = desk.told.table
        whole = table.clocks.reaction_s if table is not None else 0
        shown = bar(desk.told, int(asked.decision["timer"]), whole)
        return wrap(" ".join([shown, *asked.lines()]).strip(), desk.style.width, "  ", "") + desk.asking.hint()

    def _fit(self, desk: Desk) -> None:
        assert self._session is not None
        columns = self._session.output.get_size().columns
        style = desk.style.at(columns)
        if style != desk.style:
            desk.resize(style)


def always_show_toolbar(session: PromptSession[str]) -> None:
    """Lets the toolbar be drawn without knowing the cursor's place, which nobody asks the terminal for (see `run`)."""
    root = session.layout.container
    assert isinstance(root, HSplit)
    last = root.children[-1]
    assert isinstance(last, ConditionalContainer)
    last.filter = ~is_done
