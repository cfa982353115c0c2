"""The commands at the table: one list that feeds parsing, completing and `help`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from client.ask.question import Next
from client.desk import deeds, whispering

if TYPE_CHECKING:
    from client.desk.desk import Desk

ALWAYS, LOBBY, GAME, AWAY, BOT = "always", "lobby", "game", "away", "bot"
START, KICK, REMATCH = "start", "kick", "rematch"
WHISPERS, LOST = "whispers", "lost"
OWNERS = {BOT: ("lobby",), START: ("lobby",), KICK: ("lobby", "over"), REMATCH: ("over",)}
"""When the table's owner can do what is his."""


@dataclass(frozen=True)
class Command:
    """One command: its names (the first is shown), arguments, when it is possible, what it does."""

    names: tuple[str, ...]
    arguments: str
    when: str
    help: str
    run: Callable[[Desk, str], None]
    offer: Callable[[Desk, str], list[Next]] | None = None
    """What Tab offers behind the name and a space."""

    @property
    def name(self) -> str:
        """The name that is shown."""
        return self.names[0]

    def possible(self, desk: Desk) -> bool:
        """Whether it can be used now."""
        phase = desk.told.phase
        if self.when == LOBBY:
            return phase == "lobby"
        if self.when == GAME:
            return desk.told.view is not None
        if self.when in (AWAY, BOT) and desk.told.away:
            return desk.told.seat is not None
        if self.when == AWAY:
            return False
        if self.when in OWNERS:
            return desk.told.you.owner and phase in OWNERS[self.when]
        if self.when == WHISPERS:
            return whispering.allowed(desk)
        if self.when == LOST:
            return desk.news.down
        return True


COMMANDS = (
    Command(("board", "b"), "[on | off]", GAME, "the board; `off`: a wide screen does not show it by itself",
            deeds.board),
    Command(("hand", "h"), "", GAME, "your cards, numbered for `?`", deeds.hand),
    Command(("log", "l"), "[N]", GAME, "the last N events (20) once more", deeds.show_log),
    Command(("?",), "NAME | N", ALWAYS, "what an alien or card does: `? zombie`, or `? 3`", deeds.look_up),
    Command(("help",), "[COMMAND]", ALWAYS, "the commands, or more about one", deeds.show_help),
    Command(("who", "table"), "", ALWAYS, "who sits where, the options, the clocks, the join codes", deeds.who),
    Command(("say",), "TEXT", ALWAYS, "say something to the table", deeds.say),
    Command(("whisper",), "NAME TEXT", WHISPERS, "tell one player alone; all see that you do, nobody what",
            whispering.whisper, whispering.offer),
    Command(("pass",), "turn | encounter | phase | off", GAME, "pass every reaction until then; all can see it",
            deeds.standing_pass),
    Command(("undo", "u"), "", GAME, "take back a choice that was not sent yet", deeds.undo),
    Command(("odds",), "on | off", ALWAYS, "the line about public odds when you choose a card", deeds.odds),
    Command(("confirm",), "on | off", ALWAYS, "ask once before sending what cannot be taken back", deeds.confirm),
    Command(("explain",), "on | off", ALWAYS, "a line about each phase when it first comes", deeds.explain),
    Command(("sit",), "[COLOUR]", LOBBY, "take a seat, or change to another", deeds.sit),
    Command(("stand", "leave"), "", LOBBY, "give up your seat and look on", deeds.stand),
    Command(("ready",), "[off]", LOBBY, "say that you are ready to start", deeds.ready),
    Command(("options",), "[NAME VALUE …]", LOBBY, "show or change the options: `options planets 4 goal 3`",
            deeds.options),
    Command(("clocks",), "[NAME SECONDS …]", LOBBY, "show or change the clocks: `clocks reaction 5`", deeds.clocks),
    Command(("bot",), "[remove] [COLOUR]", BOT, "let a bot sit down or go; let one play for who is gone",
            deeds.bot),
    Command(("wait",), "[COLOUR]", AWAY, "vote to wait on for a player who is gone", deeds.wait),
    Command(("kick",), "COLOUR", KICK, "send a player away for good", deeds.kick),
    Command(("start",), "", START, "start the game", deeds.start),
    Command(("rematch",), "", REMATCH, "after a game: back to the lobby", deeds.rematch),
    Command(("dump",), "[FILE]", GAME, "write the position to a file, for `cosmic-net scenario run`", deeds.dump),
    Command(("join",), "CODE", LOST, "go on where this table is now, if its host has another address", deeds.join),
    Command(("quit", "exit"), "", ALWAYS, "leave the table", deeds.leave),
)  # fmt: skip
"""In the order in which `help` lists them."""

ANSWERS = (
    ("NUMBER or WORD", "the answer with that number, or that begins so"),
    ("Enter", "the answer in brackets"),
    ("4 from red-1 red-2", "ships: so many, spread over these places; `2 red-1 2 red-2`; `4` alone chooses for you"),
    ("1 3", "several of the list; `none`; `all`"),
    ("offer GIFT for GIFT", "a deal: `offer colony red-2 for colony blue-5 and 1 card at random`"),
    ("accept, refuse, counter", "a deal: take the offer, end the talks, change the offer"),
)
"""How questions are answered, for `help`."""


VOTES = {"w": "wait", "b": "bot"}
"""What these letters mean while somebody is gone."""


def find(text: str, desk: Desk) -> tuple[Command, str] | None:
    """The command that a line begins with, and its argument; None if it is none, or an answer to the open question."""
    forced = text.startswith("/")
    word, _, argument = text.lstrip("/").partition(" ")
    if word.startswith("?") and len(word) > 1:
        word, argument = "?", f"{word[1:]} {argument}"
    if text.lower() in VOTES and deeds.votes(desk) and not (text.lower() == "w" and desk.asking.window() is not None):
        word = VOTES[text.lower()]
    command = next((c for c in COMMANDS if word.lower() in c.names), None)
    if command is None or (not forced and is_answer(text, desk)):
        return None
    if not command.possible(desk):
        raise deeds.not_now(command.name, command.when)
    return command, argument.strip()


def is_answer(text: str, desk: Desk) -> bool:
    """Whether the whole line is a word of the open question, which then counts before a command of that name."""
    asked = desk.question()
    if asked is None or not text:
        return False
    if text.lower() == "pass" and (asked.decision["kind"] == "react" or desk.asking.window() is not None):
        return True
    return any(text.lower() == option.word for option in asked.options)


def complete_argument(text: str, desk: Desk) -> list[Next] | None:
    """What can come behind the command that a line begins with; None if it begins with none that takes such words."""
    word, space, argument = text.lstrip("/").partition(" ")
    command = next((c for c in COMMANDS if c.offer is not None and word.lower() in c.names), None)
    if not space or command is None or command.offer is None or not command.possible(desk):
        return None
    return command.offer(desk, argument)


def complete(text: str, desk: Desk) -> list[Next]:
    """The commands that begin like a line without a space."""
    start = text.lstrip("/")
    if " " in start:
        return []
    return [
        Next(command.name, command.help, len(start))
        for command in COMMANDS
        if command.name.startswith(start.lower()) and command.possible(desk)
    ]
