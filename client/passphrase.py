"""Asking a person for a table's passphrase, without showing it where that is possible."""

from __future__ import annotations

import getpass
import os
import sys

from client.errors import Trouble

QUESTION = "The table's passphrase: "
ONCE_MORE = "Once more: "
ASKED = "-"
"""On the command line: it is asked for, so that it stands on no screen."""


def chosen(given: str) -> str:
    """The passphrase for a new table ("": none): as given, or asked for. Raises Trouble."""
    words = given
    if given == ASKED:
        words = _ask(QUESTION)
        if sys.stdin.isatty() and _ask(ONCE_MORE) != words:
            raise Trouble("These are two different passphrases; try again.", 2)
    if (given or words) and not words.strip():
        raise Trouble("A passphrase needs at least one character: --passphrase WORDS.", 2)
    return _readable(words)


def known(given: str) -> str:
    """The passphrase for a table that is to be joined ("": none), as given or asked for. Raises Trouble."""
    return asked() if given == ASKED else _readable(given)


def asked(*, wrong: bool = False) -> str:
    """What is typed for a table that asks for a passphrase; from a pipe, its next line. Raises Trouble if nothing is.

    `wrong`: one was tried already.
    """
    print("That is not this table's passphrase." if wrong else "This table asks for a passphrase.", flush=True)
    words = _ask(QUESTION)
    if not words.strip():
        raise Trouble("Without its passphrase this table lets nobody in; --passphrase WORDS gives it.")
    return _readable(words)


def _ask(question: str) -> str:
    if sys.stdin.isatty():
        try:
            return getpass.getpass(question)
        except EOFError:
            print()
            return ""
    print(question, flush=True)
    return _line(sys.stdin.fileno())


def _readable(words: str) -> str:
    try:
        words.encode()
    except UnicodeEncodeError:
        raise Trouble(
            "The passphrase has characters that cannot be read here; is the terminal set to UTF-8?", 2
        ) from None
    return words.strip()


def _line(descriptor: int) -> str:
    """One line, and not a byte more: what comes behind it is for others."""
    found = b""
    while (byte := os.read(descriptor, 1)) not in (b"", b"\n"):
        found += byte
    return found.decode("utf-8", "replace")
