"""What goes wrong in a way that a person can do something about."""

from __future__ import annotations


class Trouble(Exception):
    """Ends a command; the message says to a person what is wrong and what to do.

    `code` is the exit code: 1 for what failed, 2 for a command that was not understood.
    """

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class PassphraseWanted(Trouble):
    """The table lets only those in who know its passphrase."""


class Unclear(ValueError):
    """A typed answer that is none, or could be several; the message says why, and the line is kept."""
