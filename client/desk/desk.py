"""The desk: what one player sees and does at a table, line by line, whatever the terminal.

It turns news into lines, shows the open question, reads what is typed (an answer or a command) and sends it. It never
waits: what the host replies comes out as lines later.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from client.ask import Next, Question
from client.ask.choices import React
from client.ask.deal import Deal
from client.desk import commands
from client.desk.asking import Asking
from client.desk.news import News
from client.errors import Unclear
from client.game.player import Player
from client.home import Profile
from client.notes import Connection, GameEnded, Note
from client.show import status
from client.show.explain import Explainer
from client.show.lobby import toolbar
from client.show.story import Story
from client.show.style import Style, uncoloured
from client.show.words import Cast
from client.wire.session import Gone, Refused
from protocol import messages as m

log = logging.getLogger(__name__)

YES = ("", "y", "yes", "ok")
LEAVE = ["Leave the game? Your seat is kept; a bot may play for you.", "  [y] leave   [Enter] stay"]
NO = ("n", "no", "u", "undo")


@dataclass(frozen=True)
class Draft:
    """An answer that was chosen and is not sent yet: it can be taken back."""

    question: Question
    answer: Any
    what: str


class Desk:
    """One player's place. `out` gets lines for the screen; `changed` is called when the question may be another."""

    def __init__(
        self,
        player: Player,
        profile: Profile,
        style: Style,
        out: Callable[[list[str]], None],
        *,
        explain: bool = False,
        confirm: bool = True,
        watching: bool = False,
    ) -> None:
        self.player = player
        self.told = player.told
        self.profile = profile
        self.style = style
        self.out = out
        self.confirm = confirm
        self.watching = watching
        self.odds = profile.settings().get("odds", True) is True
        self.shows_board = profile.settings().get("board", True) is True
        """Whether a wide terminal shows the board in every encounter."""
        self.explainer = Explainer(explain)
        self.story = Story(self.told, style, self.explainer)
        self.news = News(self)
        self.draft: Draft | None = None
        self.leaving = False
        self.over = ""
        """Why this desk is closed; "" as long as it is open."""
        self.prints_draft = True
        """Whether a choice is printed; a terminal with a prompt shows it there instead."""
        self.suggestion = ""
        """A line that is put before the player to be changed (a counter-offer)."""
        self.asking = Asking(self)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_open(self) -> bool:
        """Whether the player is still at this desk."""
        return not self.over

    # ---- what is shown

    @property
    def cast(self) -> Cast:
        """Who sits where now."""
        return Cast(self.told.names, self.style, self.told.seat)

    def resize(self, style: Style) -> None:
        """The terminal has another width now."""
        self.style = self.story.style = style
        self.asking.forget()

    def take(self, note: Note) -> None:
        """News from the table: prints what is to be told."""
        lines = self.news.lines(note)
        if lines:
            self.out(lines)
        if isinstance(note, GameEnded):
            self.profile.remember(explain=False)
        if isinstance(note, Connection) and note.state == "over":
            self.over = note.text or "The connection is over."
        if self.draft is not None and self.draft.question.id not in [d["id"] for d in self.player.prompts]:
            self.draft = None
            self.out(["Your choice was not sent: the question is closed."])

    def question(self) -> Question | None:
        """The question that is open for this player now."""
        return self.asking.question()

    def prompt(self) -> str:
        """What stands before the line that is typed."""
        seat = self.told.seat or self.told.you.seat
        if seat is None:
            return "> "
        return f"{self.cast.name(seat)}> "

    def draft_lines(self) -> list[str]:
        """The choice that waits to be sent."""
        if self.draft is None:
            return []
        return [self.draft.what, "  [Enter] send it   [u] take it back"]

    def toolbar(self) -> list[str]:
        """The status: two lines."""
        up = not self.news.down
        if self.told.view is None:
            return [toolbar(self.cast, self.told.table, self.told.you, connected=up)]
        return [status.colonies(self.cast, self.told.view), status.awaited(self.cast, self.told, connected=up)]

    # ---- what is typed

    def enter(self, line: str) -> None:
        """Does what a typed line says. Raises Unclear with the reason if it says nothing that can be done."""
        text = line.strip()
        if self.leaving:
            self._leave_or_stay(text)
            return
        if self.draft is not None and self._settle_draft(text):
            return
        found = commands.find(text, self)
        if found is not None:
            command, argument = found
            command.run(self, argument)
            return
        self._answer(text)

    def check(self, line: str) -> None:
        """Raises Unclear if `enter` would not know what to do with the line; changes nothing."""
        text = line.strip()
        if self.leaving or (self.draft is not None and text.lower() in (*YES, *NO)):
            return
        if commands.find(text, self) is None and (text or self.question() is not None) and not self._counter(text):
            self.asking.read(text)

    def can_take(self, line: str) -> bool:
        """Whether a line means something now: not so for an answer when nothing is asked yet."""
        if self.leaving or self.draft is not None or self.question() is not None:
            return True
        try:
            return commands.find(line.strip(), self) is not None
        except Unclear:
            return True

    async def settled(self) -> None:
        """Waits until what was sent has been answered."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    def complete(self, text: str) -> list[Next]:
        """What Tab offers: the legal answers to the open question; commands where it has none."""
        if (offered := commands.complete_argument(text, self)) is not None:
            return offered
        asked = self.question()
        found = [] if text.startswith("/") else self.asking.complete(text)
        if found or (asked is not None and not text.strip()):
            return found
        return commands.complete(text, self)

    def _settle_draft(self, text: str) -> bool:
        """Whether the line was about the choice that waits: sends it or takes it back."""
        draft, word = self.draft, text.lower()
        assert draft is not None
        if word in YES:
            self.draft = None
            self._send(draft.question, draft.answer)
            return True
        if word in NO:
            self.draft = None
            self.out(["Taken back; choose anew."])
            return True
        return False

    def _answer(self, text: str) -> None:
        asked = self.question()
        if asked is None and not text:
            return
        if line := self._counter(text):
            self.suggest(line)
            return
        answered, answer = self.asking.read(text)
        what = answered.confirm(answer) if self.confirm else ""
        if what:
            self.draft = Draft(answered, answer, what)
            if self.prints_draft:
                self.out(self.draft_lines())
        else:
            self.draft = None
            self._send(answered, answer)

    def _counter(self, text: str) -> str:
        """The other's offer as a line to be changed, if that is what was typed; else ""."""
        asked = self.question()
        return asked.counter_line() if isinstance(asked, Deal) and text.lower() == "counter" else ""

    def suggest(self, line: str) -> None:
        """Puts a line before the player to be changed."""
        self.suggestion = line
        if self.prints_draft:
            self.out([f"Change it: {line}"])

    def why_nothing(self) -> str:
        """Why there is nothing to answer now."""
        if self.told.view is None:
            return "There is no such command here; `help` lists what there is."
        return f"Nothing is asked of you now; {uncoloured(status.waiting_text(self.cast, self.told))}."

    def _leave_or_stay(self, text: str) -> None:
        self.leaving = False
        if text.lower() in ("y", "yes", "quit", "q"):
            self.over = "Good-bye."
        else:
            self.out(["You stay."])

    def ask_to_leave(self) -> None:
        """Leaves at once where nothing is lost, else asks first."""
        if self.told.view is None or self.told.view.get("over") or self.told.seat is None:
            self.over = "Good-bye."
            return
        self.leaving = True
        if self.prints_draft:
            self.out(LEAVE)

    # ---- what is sent

    def _send(self, asked: Question, answer: Any) -> None:
        """Sends an answer; who answers the question beside a window lets the window pass."""
        window = self.asking.window()
        if self.news.down:
            self.out(["That is sent as soon as the connection is back."])
        self.do(self._answer_and_tell(asked, answer))
        if window is not None and window.id != asked.id and not isinstance(asked, React):
            self.do(self._answer_and_tell(window, None))

    async def _answer_and_tell(self, asked: Question, answer: Any) -> None:
        try:
            await self.player.answer(asked.decision, answer)
        except Refused as error:
            if error.code == "stale":
                self.out(self._too_late(asked))
            else:
                self.out([f"Not possible: {error.text}"])
        except (OSError, ValueError) as error:
            self.player.answered.discard(asked.id)
            self.out([f"The card cannot be sealed: {error}"])

    def _too_late(self, asked: Question) -> list[str]:
        """Why an answer was not taken any more. In windows that happens all the time and means little."""
        if isinstance(asked, React):
            return []
        if isinstance(asked, Deal):
            return ["Your move crossed with the other's; look at the talks and answer again."]
        return ["That question was closed already."]

    def request(self, kind: Callable[..., m.Request], then: str = "", **fields: Any) -> None:
        """Sends a request of a command; says why it was refused, or `then`."""
        self.do(self._request(kind, then, fields))

    async def _request(self, kind: Callable[..., m.Request], then: str, fields: dict[str, Any]) -> None:
        try:
            await self.player.ask(kind, **fields)
        except Refused as error:
            self.out([f"Not possible: {error.text}"])
            return
        if then:
            self.out([then])

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        """Does something beside the rest."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Refused):
            self.out([f"Not possible: {error.text}"])
        elif error is not None and not isinstance(error, Gone):
            log.error("a command has failed", exc_info=error)
            self.out(["That went wrong in this program; the log has the details."])

    async def close(self) -> None:
        """Ends what is under way and leaves the table."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.player.close()
