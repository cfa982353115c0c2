"""What can go wrong in a host, in words for people."""

from __future__ import annotations

from protocol.messages import ErrorCode


class Refused(Exception):
    """A request that is answered with an error: its code, and a text that says what to do."""

    def __init__(self, code: ErrorCode, text: str) -> None:
        super().__init__(text)
        self.code: ErrorCode = code
        self.text = text


EXIT_NO_TABLE = 6
"""The exit status of a host that was to go on with a table where there is none."""


class CannotStart(Exception):
    """The host cannot do its work here; the message says why and `status` is the exit status."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.status = status
