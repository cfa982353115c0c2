"""Keys that act at once: a number in a window of reactions, `u` for a choice that was not sent."""

from __future__ import annotations

from prompt_toolkit.application import get_app
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from client.desk.desk import Desk

DIGITS = "123456789"


def bindings(desk: Desk) -> KeyBindings:
    """The key bindings of a desk; all others are prompt_toolkit's own."""
    keys = KeyBindings()

    def line_is_empty() -> bool:
        return not get_app().current_buffer.text

    @Condition
    def in_window() -> bool:
        asked = desk.question()
        return asked is not None and asked.decision["kind"] == "react" and line_is_empty() and not desk.leaving

    @Condition
    def has_draft() -> bool:
        return desk.draft is not None and line_is_empty()

    for digit in DIGITS:
        keys.add(digit, filter=in_window)(_at_once)
    keys.add("u", filter=has_draft)(_at_once)
    return keys


def _at_once(event: KeyPressEvent) -> None:
    """The key is the whole line."""
    event.current_buffer.insert_text(event.data)
    event.current_buffer.validate_and_handle()
