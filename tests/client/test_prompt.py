"""The prompt: what is typed at it reaches the desk, what is wrong stays on the line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from client.repl.completer import DeskCompleter
from client.repl.terminal import Repl
from tests.client import decisions as d
from tests.client.desks import Table


class Prompt:
    """A desk at a prompt whose keys come from a test."""

    def __init__(self, table: Table, repl: Repl, keys: PipeInput) -> None:
        self.table = table
        self.repl = repl
        self.keys = keys

    @property
    def line(self) -> str:
        assert self.repl._session is not None
        return self.repl._session.default_buffer.text

    @property
    def error(self) -> str:
        assert self.repl._session is not None
        error = self.repl._session.default_buffer.validation_error
        return error.message if error else ""

    async def type(self, text: str) -> None:
        self.keys.send_text(text)
        await asyncio.sleep(0)

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not condition():
                await asyncio.sleep(0.005)


@asynccontextmanager
async def prompt(folder: Path) -> AsyncIterator[Prompt]:
    with create_pipe_input() as keys:
        table, repl = Table(folder), Repl(None, keys, DummyOutput())
        table.desk.out = repl.show
        running = asyncio.create_task(repl.run(table.desk))
        made = Prompt(table, repl, keys)
        try:
            await made.until(lambda: repl._session is not None and repl._session.app.is_running)
            yield made
        finally:
            table.desk.over = table.desk.over or "done"
            repl.changed()
            await asyncio.wait_for(running, 10)


async def test_a_line_is_an_answer(tmp_path: Path) -> None:
    async with prompt(tmp_path) as at:
        at.table.ask(d.aim())
        await at.type("blue-3\r")
        await at.until(lambda: at.table.sent == [("aim", ["blue-3"])])


async def test_a_wrong_line_says_why_and_stays(tmp_path: Path) -> None:
    async with prompt(tmp_path) as at:
        at.table.ask(d.aim())
        await at.type("green-1\r")
        await at.until(lambda: bool(at.error))
        assert at.line == "green-1"
        assert at.error.startswith("There is no answer 'green-1'")
        await at.type("\x15" + "3\r")
        await at.until(lambda: bool(at.table.sent))


async def test_a_number_acts_at_once_in_a_window(tmp_path: Path) -> None:
    async with prompt(tmp_path) as at:
        at.table.ask(d.react(d.option("cosmic-zap", "play {card}", card="cosmic-zap")))
        await at.type("1")
        await at.until(lambda: at.table.sent == [("window", "cosmic-zap")])


async def test_a_number_does_not_act_at_once_elsewhere(tmp_path: Path) -> None:
    async with prompt(tmp_path) as at:
        at.table.ask(d.aim())
        await at.type("3")
        await at.until(lambda: at.line == "3")
        assert at.table.sent == []


async def test_enter_passes_a_window(tmp_path: Path) -> None:
    async with prompt(tmp_path) as at:
        at.table.ask(d.react())
        await at.type("\r")
        await at.until(lambda: at.table.sent == [("window", None)])


async def test_u_takes_back_what_was_not_sent(tmp_path: Path) -> None:
    async with prompt(tmp_path) as at:
        at.table.ask(d.seal())
        await at.type("15\r")
        await at.until(lambda: at.table.desk.draft is not None)
        await at.type("u")
        await at.until(lambda: at.table.desk.draft is None)
        assert at.table.sent == []


async def test_enter_sends_the_choice_that_waits(tmp_path: Path) -> None:
    async with prompt(tmp_path) as at:
        at.table.ask(d.seal())
        await at.type("15\r")
        await at.until(lambda: at.table.desk.draft is not None)
        await at.type("\r")
        await at.until(lambda: at.table.sent == [("select", 4)])


@pytest.mark.parametrize("key", ["\x03", "\x04"])
async def test_leaving_is_asked_back(tmp_path: Path, key: str) -> None:
    async with prompt(tmp_path) as at:
        at.table.ask(d.aim())
        await at.type(key)
        await at.until(lambda: at.table.desk.leaving)
        await at.type("\r")
        await at.until(lambda: not at.table.desk.leaving)
        assert not at.table.desk.over
        await at.type(key)
        await at.until(lambda: at.table.desk.leaving)
        await at.type(key)
        await at.until(lambda: bool(at.table.desk.over))


async def test_what_is_being_typed_survives_another_question(tmp_path: Path) -> None:
    async with prompt(tmp_path) as at:
        at.table.ask(d.react())
        await at.type("say hel")
        await at.until(lambda: at.line == "say hel")
        at.table.ask(d.aim())
        at.repl.changed()
        await at.type("lo\r")
        await at.until(lambda: at.table.sent == [("Say", {"text": "hello"})])


async def test_a_counter_offer_stands_on_the_line_to_be_changed(tmp_path: Path) -> None:
    async with prompt(tmp_path) as at:
        at.table.ask(d.deal(offers=[d.their_offer()]))
        await at.type("counter\r")
        await at.until(lambda: at.line == "offer 1 card at random for colony blue-1")
        await at.type("\r")
        await at.until(lambda: bool(at.table.sent))
        assert at.table.sent == [("deal", {"offer": {"red": {"random": 1}, "blue": {"colony": "blue-1"}}})]


async def test_the_completions_are_the_legal_answers(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.ask(d.ally())
    completer = DeskCompleter(table.desk)
    found = list(completer.get_completions(Document("d"), None))  # type: ignore[arg-type]
    assert [(step.text, step.start_position) for step in found] == [("defense", -1), ("decline", -1)]
