"""Tab: exactly the legal answers to the open question, or the commands."""

from __future__ import annotations

from collections.abc import Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import ANSI

from client.desk.desk import Desk


class DeskCompleter(Completer):
    """Asks the desk what can come next."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """The words that can come behind what stands before the cursor."""
        for word, meaning, replaces in self._desk.complete(document.text_before_cursor):
            yield Completion(word, start_position=-replaces, display=word, display_meta=ANSI(meaning))
