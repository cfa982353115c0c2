"""News into lines: which note is told, and how."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from client import notes
from client.show import board as boards
from client.show import lobby, status
from client.show.story import INDENT
from client.show.style import WIDE, wrap
from client.show.words import count
from protocol import messages as m
from protocol.text import clean

if TYPE_CHECKING:
    from client.desk.desk import Desk

log = logging.getLogger(__name__)

SHOWN = ("cards-revealed", "card-laid-open")
PASS_TEXT = {
    "turn": "passes until the next turn of its own",
    "encounter": "passes for the rest of this encounter",
    "phase": "passes for the rest of this phase",
    "off": "does not pass any more",
}


class News:
    """Makes the lines for notes; remembers only what was last said."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.down = False
        """Whether the connection is gone at the moment."""
        self._introduced = False
        self._cards_shown = False
        self._check: list[str] = []

    def lines(self, note: notes.Note) -> list[str]:
        """The lines for a note; none if it is not worth any."""
        match note:
            case notes.Happened(event):
                return self._happened(event)
            case notes.Moved():
                return self._moved()
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
            case notes.Whispered(seat, to, text, missed):
                return self._whispered(seat, to, text, missed)
            case notes.PassStands(seat, until):
                return [f"           {self._desk.cast.name(seat)} {PASS_TEXT[until]}."]
            case notes.GameBegan():
                return self._began(note)
            case notes.SeedDrawn(seats):
                return [f"{count(seats, 'player')} and the host have drawn the shuffle together."]
            case notes.GameEnded(outcome, winners):
                return self._ended(outcome, winners)
            case notes.LookedBack(entries, 0):
                return wrap(f"Checked here: all {entries} entries of the record, every draw and every signature.", 80)
            case notes.LookedBack():
                return []
            case notes.Alarm(text, _):
                return [self._desk.style.alarm(line) for line in wrap(f"!! {text}", self._desk.style.width)]
            case notes.Info(text):
                return wrap(clean(text), self._desk.style.width)
            case notes.Connection(state, text):
                return self._connection(state, text)

    def _moved(self) -> list[str]:
        """What the phase is about, for one who is asked something in it before any of its events is told."""
        desk = self._desk
        asked = desk.question()
        if asked is None or asked.decision["kind"] == "react":
            return []
        encounter = (desk.told.view or {}).get("encounter") or {}
        explanation = desk.explainer.line(str(encounter.get("phase", "")))
        lines = wrap(explanation, desk.style.width, " " * INDENT) if explanation else []
        return [desk.style.dim(desk.style.plain_text(line)) for line in lines]

    def _before(self, events: tuple[Mapping[str, Any], ...]) -> list[str]:
        lines = self._desk.story.before(events)
        head = self._desk.style.dim("What happened in this encounter so far:")
        return [head, *lines, *self._board()] if lines else []

    def _board(self) -> list[str]:
        """The board, where there is room for it."""
        desk = self._desk
        if not desk.shows_board or desk.style.width < WIDE or desk.told.view is None:
            return []
        try:
            return boards.beside_hand(desk.cast, desk.told.view, desk.player.sealed_cards())
        except Exception:  # the view came over the wire
            log.exception("the board cannot be shown")
            return []

    def _happened(self, event: Mapping[str, Any]) -> list[str]:
        """An event; behind a card that was shown, whether its opening was checked."""
        lines = self._desk.story.event(event)
        if event.get("kind") in SHOWN:
            self._cards_shown = True
            lines, self._check = lines + self._check, []
        elif event.get("kind") in ("card-sealed", "encounter-started"):
            self._cards_shown, self._check = False, []
        if event.get("kind") == "encounter-started":
            lines += self._board()
        return lines

    def _checked(self, good: int, of: int) -> list[str]:
        """Told when no commitment is left that is to be opened to us, and not before the cards themselves."""
        if self._desk.told.sealed:
            return []
        text = f"    {'the opening checks out' if of == 1 else 'both openings check out'} ({good} of {of})"
        if good < of:
            text = self._desk.style.alarm(f"    only {good} of {of} openings check out")
        if self._cards_shown:
            return [text]
        self._check = [text]
        return []

    def _table(self, old: m.Table | None, new: m.Table) -> list[str]:
        """The whole table once the player has a seat (or looks on); from then on what changes."""
        desk = self._desk
        if self._introduced:
            return lobby.changes(desk.cast, old, new)
        if new.phase == "lobby" and desk.told.you.seat is None and not desk.watching:
            return []
        self._introduced = True
        return self.introduction() if new.phase == "lobby" else []

    def introduction(self) -> list[str]:
        """The table as it is, and how to go on."""
        desk = self._desk
        self._introduced = True
        if desk.told.table is None:
            return []
        todo = "`ready` says that you are ready; " if desk.told.you.seat is not None and not desk.told.you.owner else ""
        if desk.told.you.owner:
            todo = "`bot` adds a bot, `options` changes the game, `start` starts it; "
        hint = f"{todo}`say` talks to the table, `help` lists the commands."
        return [*lobby.table(desk.cast, desk.told.table, desk.told.you), *wrap(hint, desk.style.width)]

    def _presence(self, seat: str, state: m.Presence) -> list[str]:
        desk = self._desk
        if state == "bot" and seat == desk.told.seat:
            return wrap(
                "A bot plays at your seat now. If you were here all the time, the host cheats.", desk.style.width
            )
        if desk.told.table is None or seat == desk.told.you.seat:
            return []
        playing = desk.told.table.phase == "playing"
        if not playing and state in ("here", "gone"):
            return []
        if state != "bot" and any(one.seat == seat and one.bot for one in desk.told.table.seats):
            return []
        text = lobby.presence(desk.cast, seat, state, self._waiting(seat))
        return [text] if text else []

    def _waiting(self, seat: str) -> str:
        """How long somebody who is gone is waited for, and what can be done."""
        told = self._desk.told
        if seat not in told.away:
            return ""
        todo = lobby.VOTE if told.seat is not None and told.is_voted_on(seat) else ""
        return f" Waiting {status.away_clock(told, seat)}".rstrip() + f" …{todo}"

    def _said(self, seat: str | None, name: str, text: str) -> list[str]:
        cast = self._desk.cast
        who = cast.marked(seat) if seat in cast.plain else clean(name)
        return wrap(f"{who}: {clean(text)}", self._desk.style.width, "    ", "")

    def _whispered(self, seat: str, to: str, text: str | None, missed: int) -> list[str]:
        desk = self._desk
        if seat == desk.told.you.seat:
            return []  # said when the host has taken it
        who = desk.cast.marked(seat)
        if text is None:
            return [f"{who} whispers to {desk.cast.name(to)}."]
        before = f"{count(missed, 'whisper')} of {who} before this one did not come."
        said = wrap(f"{who} whispers to you: {clean(text)}", desk.style.width, "    ", "")
        return [*wrap(before, desk.style.width), *said] if missed else said

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
            return [*lines, "`rematch` goes back to the lobby with the same seats; `quit` leaves."]
        return [*lines, "The host can go back to the lobby for another game; `quit` leaves."]

    def _connection(self, state: str, text: str) -> list[str]:
        was_down, self.down = self.down, state == "down"
        width = self._desk.style.width
        if state == "up":
            return ["Connected again."] if was_down else []
        if state == "over":
            return []  # it is said when the desk is closed
        if text:
            return wrap(text, width)
        return [] if was_down else ["The connection is gone; trying again …"]
