"""Asking a person for a table's passphrase, without showing it where that is possible."""

from __future__ import annotations

import getpass
import os
import sys

from client.errors import Trouble

QUESTION = "The table's passphrase: "
ASKED = "-"


def ask() -> str:
    """What is typed; from a pipe, its next line. Raises Trouble if there is none."""
    if sys.stdin.isatty():
        words = getpass.getpass(QUESTION)
    else:
        print(QUESTION, flush=True)
        words = _line(sys.stdin.fileno())
    if not words.strip():
        raise Trouble("This table asks for a passphrase; --passphrase WORDS gives it.")
    return words.strip()


def chosen(given: str) -> str:
    """The passphrase for a new table: as given, or asked for."""
    return ask() if given == ASKED else given


def _line(descriptor: int) -> str:
    """One line, and not a byte more: what comes behind it is for others."""
    found = b""
    while (byte := os.read(descriptor, 1)) not in (b"", b"\n"):
        found += byte
    return found.decode("utf-8", "replace")
