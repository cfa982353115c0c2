"""People come, go, freeze and come back; hosts die and go on. Real programs, with lines for a terminal."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from client.wire.hosting import Running
from tests.client.test_plain import Piped, start

__all__ = ["start"]

pytestmark = pytest.mark.timeout(180)

QUICK = ("--short", "--aliens", "random", "--no-flares", "--ask", "able", "--seed", "2")
SOON = 5.0
"""Seconds in which a player is back."""
Start = Callable[..., Piped]


def two(start: Start, *options: str) -> tuple[Piped, Piped, str]:
    """Ana hosts, Ben joins, a bot plays along; the game waits for Ben, who has the first turn."""
    ana = start("host", "--here", "--port", "0", "--name", "Ana", "--bots", "1", *QUICK, *options)
    code = ana.wait("cosmic-net join").split()[-1]
    ben = start("join", code, "--profile", "ben", "--name", "Ben")
    ben.wait(r"\(you, choosing\)")
    ben.write("ready")
    ana.wait("Ben is ready")
    ana.write("start")
    ben.wait("aim at|do you meet Ana")
    return ana, ben, code


def host_of(home: Path) -> Running:
    (folder,) = (home / "tables").iterdir()
    running = Running.read(folder)
    assert running is not None
    return running


def pid(piped: Piped) -> int:
    return piped._process.pid


def test_a_frozen_program_is_told_that_another_has_taken_its_place(start: Start) -> None:
    ana, frozen, code = two(start)
    os.kill(pid(frozen), signal.SIGSTOP)
    again = start("join", code, "--profile", "ben")
    again.wait("The game goes on")
    began = time.monotonic()
    again.wait("aim at|do you meet Ana")
    again.write("2")
    again.wait("How many ships")
    assert time.monotonic() - began < SOON, "the frozen program is not waited for"
    os.kill(pid(frozen), signal.SIGCONT)
    frozen.wait("joined from elsewhere")
    again.write("2 from 1 2")
    ana.wait(r"Ben sends 2 ships \(1 from blue-1, 1 from blue-2\)")


def test_a_killed_host_goes_on_and_everybody_is_back_by_himself(start: Start, tmp_path: Path) -> None:
    ana, ben, _ = two(start)
    os.kill(host_of(tmp_path).pid, signal.SIGKILL)
    began = time.monotonic()
    for person in (ana, ben):
        person.wait("The connection is gone; trying again")
    assert time.monotonic() - began < SOON
    resumed = start("resume")
    resumed.wait("Your other window and everybody else's go on by themselves")
    assert resumed.end() == 0
    for person in (ana, ben):
        person.wait("Connected again")
    ben.write("2")
    ben.wait("How many ships")
    ben.write("2 from 1 2")
    ana.wait(r"Ben sends 2 ships \(1 from blue-1, 1 from blue-2\)")


def test_who_is_gone_is_voted_on_and_comes_back(start: Start) -> None:
    ana, ben, code = two(start)
    os.kill(pid(ben), signal.SIGKILL)
    assert "[w] wait on   [b] let a bot play" in ana.wait("Ben's connection is gone. Waiting 2:00")
    ana.write("w")
    ana.wait("Ben is waited for without a limit")
    ana.write("b")
    ana.wait("Ana wants a bot to play for Ben")
    ana.wait("A bot plays for Ben now")
    ana.wait("Ben sends")
    back = start("join", code, "--profile", "ben")
    ana.wait("Ben is back")
    back.wait("The game goes on")
    back.write("say here I am")
    ana.wait("Ben: here I am")
