"""Tables that ask for a passphrase: real programs, with lines for a terminal."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.client.test_plain import Piped, start

__all__ = ["start"]

pytestmark = pytest.mark.timeout(180)

Start = Callable[..., Piped]


def test_a_table_with_a_passphrase_asks_for_it(start: Start) -> None:
    ana = start("host", "--here", "--port", "0", "--name", "Ana", "--passphrase", "three blue stars")
    code = ana.wait("cosmic-net join").split()[-1]
    ben = start("join", code, "--profile", "ben", "--name", "Ben")
    ben.wait("This table asks for a passphrase")
    ben.write("three red stars")
    ben.wait("That is not this table's passphrase")
    ben.write("three blue stars")
    ben.wait(r"\(you, choosing\)")
    cy = start("join", code, "--profile", "cy", "--name", "Cy", "--passphrase", "three blue stars")
    cy.wait(r"\(you, choosing\)")
    again = start("watch", code, "--profile", "dee", "--passphrase", "wrong")
    again.wait("That is not this table's passphrase")
    assert again.end() == 1
    assert "cosmic-net: Without its passphrase this table lets nobody in; --passphrase WORDS gives it." in again.seen


def test_a_table_says_in_lists_that_it_asks_for_a_passphrase(start: Start) -> None:
    ana = start("play", "--port", "0", "--name", "Ana", "--seed", "2", "--passphrase", "three blue stars")
    ana.wait("The game begins")
    listed = start("tables", "--here")
    listed.wait(r"Ana's table \(practice, passphrase\)")
    code = listed.wait("cosmic-net join").split()[-1]
    watcher = start("watch", code, "--profile", "cy", "--name", "Cy")
    watcher.wait("This table asks for a passphrase")
    watcher.write("three blue stars")
    watcher.wait("You look on at a running game")


@pytest.mark.parametrize("words", ["  ", "\udcff"])
def test_what_cannot_be_a_passphrase_is_said(start: Start, words: str) -> None:
    refused = start("host", "--here", "--port", "0", "--passphrase", words)
    assert refused.end() == 2
    assert refused.seen[-1].startswith(("cosmic-net: A passphrase needs", "cosmic-net: The passphrase has characters"))
