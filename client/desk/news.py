"""News into lines: which note is told, and how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from client import notes
from client.show import lobby
from client.show.style import wrap
from client.show.words import count
from protocol import messages as m
from protocol.text import clean

if TYPE_CHECKING:
    from client.desk.desk import Desk

PASS_TEXT = {
    "turn": "passes until the next turn of its own",
    "encounter": "passes for the rest of this encounter",
    "phase": "passes for the rest of this phase",
    "off": "does not pass any more",
}


class News:
    """Makes the lines for notes; remembers only what was last said about the connection."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._down = False
        self._introduced = False

    def lines(self, note: notes.Note) -> list[str]:
        """The lines for a note; none if it is not worth any."""
        match note:
            case notes.Happened(event):
                return self._desk.story.event(event)
            case notes.Before(events):
                return self._before(events)
            case notes.Checked(good, of):
                return self._checked(good, of)
            case notes.TableChanged(old, new):
                return self._table(old, new)
            case notes.PresenceChanged(seat, state):
                return self._presence(seat, state)
            case notes.Said(seat, name, text):
                return self._said(seat, name, text)
            case notes.PassStands(seat, until):
                return [f"           {self._desk.cast.name(seat)} {PASS_TEXT[until]}."]
            case notes.GameBegan():
                return self._began(note)
            case notes.SeedDrawn(seats):
                return [f"{count(seats, 'player')} and the host have drawn the shuffle together."]
            case notes.GameEnded(outcome, winners):
                return self._ended(outcome, winners)
            case notes.Alarm(text, _):
                return [self._desk.style.alarm(line) for line in wrap(f"!! {text}", self._desk.style.width)]
            case notes.Info(text):
                return wrap(clean(text), self._desk.style.width)
            case notes.Connection(state, text):
                return self._connection(state, text)

    def _before(self, events: tuple[Mapping[str, Any], ...]) -> list[str]:
        lines = self._desk.story.before(events)
        return [self._desk.style.dim("What happened in this encounter so far:"), *lines] if lines else []

    def _checked(self, good: int, of: int) -> list[str]:
        """Told when no commitment is left that is to be opened to us."""
        if self._desk.told.sealed:
            return []
        if good == of:
            return [f"    {'the opening checks out' if of == 1 else 'both openings check out'} ({good} of {of})"]
        return [self._desk.style.alarm(f"    only {good} of {of} openings check out")]

    def _table(self, old: m.Table | None, new: m.Table) -> list[str]:
        desk = self._desk
        if not self._introduced and new.phase == "lobby":
            self._introduced = True
            lines = lobby.table(desk.cast, new, desk.told.you)
            hint = "`help` lists the commands; `say` talks to the table."
            return [*lines, *wrap(hint, desk.style.width)]
        self._introduced = True
        return lobby.changes(desk.cast, old, new)

    def _presence(self, seat: str, state: m.Presence) -> list[str]:
        desk = self._desk
        if desk.told.table is None or seat == desk.told.you.seat:
            return []
        playing = desk.told.table.phase == "playing"
        if not playing and state in ("here", "gone"):
            return []
        away = desk.told.table.clocks.away_s if playing else 0
        text = lobby.presence(desk.cast, seat, state, away)
        return [text] if text else []

    def _said(self, seat: str | None, name: str, text: str) -> list[str]:
        cast = self._desk.cast
        who = cast.marked(seat) if seat in cast.plain else clean(name)
        return wrap(f"{who}: {clean(text)}", self._desk.style.width, "    ", "")

    def _began(self, note: notes.GameBegan) -> list[str]:
        lines = ["You look on at a running game." if note.running and self._desk.told.seat is None else ""]
        if not note.running:
            lines = ["The game begins."]
        elif self._desk.told.seat is not None:
            lines = ["The game goes on."]
        if note.practice:
            lines.append("This is a practice table: whoever knows its seed knows every card.")
        return lines

    def _ended(self, outcome: str, winners: tuple[str, ...]) -> list[str]:
        desk = self._desk
        lines = lobby.result(desk.cast, desk.told.view or {}, outcome, winners)
        if desk.told.chain is not None:
            lines.append(f"The record's words: {desk.told.chain.words}")
        if desk.told.you.owner:
            lines.append("`rematch` goes back to the lobby with the same seats; `quit` leaves.")
        return lines

    def _connection(self, state: str, text: str) -> list[str]:
        was_down, self._down = self._down, state == "down"
        width = self._desk.style.width
        if state == "up":
            return ["Connected again."] if was_down else []
        if state == "over":
            return wrap(text, width) if text else []
        if text:
            return wrap(text, width)
        return [] if was_down else ["The connection is gone; trying again …"]
