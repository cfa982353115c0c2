"""The status below the prompt is drawn at terminals that are not asked where the cursor is."""

from __future__ import annotations

import asyncio
from io import StringIO

from prompt_toolkit import PromptSession
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from client.repl.terminal import always_show_toolbar


async def test_the_toolbar_is_drawn_though_the_cursors_place_is_unknown() -> None:
    screen = StringIO()
    output = Vt100_Output(screen, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    with create_pipe_input() as keys:
        session: PromptSession[str] = PromptSession(bottom_toolbar="the status", input=keys, output=output)
        always_show_toolbar(session)
        reading = asyncio.create_task(session.prompt_async("> "))
        async with asyncio.timeout(10):
            while "the status" not in screen.getvalue():
                await asyncio.sleep(0.005)
            keys.send_text("pass\r")
            assert await reading == "pass"
