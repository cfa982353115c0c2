"""What can go wrong in a host, in words for people."""

from __future__ import annotations

from protocol.messages import ErrorCode


class Refused(Exception):
    """A request that is answered with an error: its code, and a text that says what to do."""

    def __init__(self, code: ErrorCode, text: str) -> None:
        super().__init__(text)
        self.code: ErrorCode = code
        self.text = text


class CannotStart(Exception):
    """The host cannot do its work here; the message says why and `status` is the exit status."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.status = status


EXIT_NO_TABLE = 6


class NoTable(CannotStart):
    """A host was to go on with a table in a folder that has none."""

    def __init__(self) -> None:
        super().__init__("there is no table in this folder to go on with", EXIT_NO_TABLE)
