"""Enter: a line that means nothing is not taken; it stays, and the reason stands below it."""

from __future__ import annotations

from prompt_toolkit.document import Document
from prompt_toolkit.validation import ValidationError, Validator

from client.desk.desk import Desk
from client.errors import Unclear
from client.repl.fresh import Fresh
from client.show.style import uncoloured


class DeskValidator(Validator):
    """Asks the desk whether it knows what to do with a line."""

    def __init__(self, desk: Desk, fresh: Fresh) -> None:
        self._desk = desk
        self._fresh = fresh

    def validate(self, document: Document) -> None:
        """Raises ValidationError with the reason."""
        if self._fresh.holds_back(document.text):
            raise ValidationError(0, "That question is closed; this is the next one. Enter again answers it.")
        try:
            self._desk.check(document.text)
        except Unclear as error:
            raise ValidationError(len(document.text), uncoloured(str(error))) from error
