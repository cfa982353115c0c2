"""A table's passphrase at real terminals: chosen unseen, asked for, asked again, and not for ever."""

from __future__ import annotations

import re

import pytest

from tests.terminal.conftest import Open
from tests.terminal.screen import Terminal

pytestmark = pytest.mark.timeout(180)

HOST = ("host", "--here", "--port", "0", "--name", "Ana", "--passphrase", "-")


def choose(ana: Terminal, words: str, again: str) -> None:
    """Types what is to be a new table's passphrase, twice."""
    ana.wait("The table's passphrase:")
    ana.enter(words)
    ana.wait("Once more:")
    ana.enter(again)


def test_a_passphrase_is_chosen_unseen_and_a_wrong_one_is_asked_for_again(open_terminal: Open) -> None:
    ana = open_terminal(*HOST)
    choose(ana, "three blue stars", "three blue stars")
    ana.wait("cosmic-net join")
    found = re.search(r"cosmic-net join (\S+)", ana.everything)
    assert found is not None
    ben = open_terminal("join", found[1], "--name", "Ben", "--profile", "ben")
    ben.wait("This table asks for a passphrase")
    ben.wait("The table's passphrase:")
    ben.enter("three red stars")
    ben.wait("That is not this table's passphrase")
    ben.wait(lambda: ben.everything.count("The table's passphrase:") == 2)
    ben.enter("three blue stars")
    ben.wait("Ben>")
    assert not ana.told("three blue stars")
    assert not ben.told("stars")
    cy = open_terminal("join", found[1], "--name", "Cy", "--profile", "cy")
    for tried in range(3):
        cy.wait(lambda count=tried + 1: cy.everything.count("The table's passphrase:") == count)  # type: ignore[misc]
        cy.enter("moon")
    assert cy.wait_end() == 1
    assert cy.told("that was none or a wrong one")


def test_two_different_passphrases_open_no_table(open_terminal: Open) -> None:
    ana = open_terminal(*HOST)
    choose(ana, "three blue stars", "three blue star")
    assert ana.wait_end() == 2
    assert ana.told("two different passphrases")
