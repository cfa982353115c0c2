"""What each command does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from client.ask.options import Option, pick
from client.errors import Trouble, Unclear
from client.show import board as boards
from client.show import lobby, lookup
from client.show.style import WIDE, wrap
from client.show.words import sorted_cards
from client.wire import finding
from protocol import messages as m
from protocol.joincode import fingerprint_words
from protocol.text import clean

if TYPE_CHECKING:
    from client.desk.desk import Desk

LOG_SHOWN = 20
HELP_COLUMN = 28
SEATS = ("red", "blue", "green", "yellow", "purple")
CLOCKS = ("reaction", "decision", "opening", "deal", "away")
_WHEN = {
    "lobby": "only in the lobby",
    "game": "only in a game",
    "start": "only for the player who hosts the table, in the lobby",
    "kick": "only for the player who hosts the table, before a game or after it",
    "rematch": "only for the player who hosts the table, after a game",
    "bot": "only for the player who hosts the table, in the lobby, or when somebody is gone",
    "away": "only when somebody is gone",
    "lost": "only when the connection is gone; to another table `cosmic-net join` leads",
    "whispers": "only at a table that allows it; its owner can before a game: `options whispers on`",
}


def not_now(name: str, when: str) -> Unclear:
    """The reason why a command is not possible now."""
    return Unclear(f"`{name}` is possible {_WHEN.get(when, 'later')}.")


# ---- looking


def board(desk: Desk, argument: str) -> None:
    """Shows the board, or switches whether a wide terminal shows it by itself."""
    if argument:
        desk.shows_board = _switch(argument, desk.shows_board)
        desk.profile.remember(board=desk.shows_board)
        by_itself = "is shown in every encounter" if desk.shows_board else "is only shown when you ask for it"
        desk.out([f"On a screen of {WIDE} columns the board {by_itself}."])
        return
    assert desk.told.view is not None
    desk.out(boards.board(desk.cast, desk.told.view))


def hand(desk: Desk, _argument: str) -> None:
    """Shows the hand and what else only this player sees."""
    view = desk.told.view or {}
    if "hand" not in view:
        raise Unclear("You look on; you have no hand.")
    lines = boards.hand(desk.cast, sorted_cards(view["hand"]), desk.player.sealed_cards())
    for alien, cards in view.get("sheets", {}).items():
        lines += [f"on the sheet of {alien}:", *boards.hand(desk.cast, sorted_cards(cards), set())]
    if view.get("aside"):
        lines += ["laid aside:", *boards.hand(desk.cast, sorted_cards(view["aside"]), set())]
    desk.out(lines + boards.others_shown(desk.cast, view.get("seen", [])))


def show_log(desk: Desk, argument: str) -> None:
    """Tells the last events once more."""
    if argument and not argument.isdigit():
        raise Unclear("`log 40` shows the last 40 events.")
    lines: list[str] = []
    for event in desk.told.log[-int(argument or LOG_SHOWN) :]:
        lines += desk.story.again(event)
    desk.out(lines or ["Nothing has happened yet."])


def look_up(desk: Desk, argument: str) -> None:
    """Says what an alien or card does; a number is a card of the hand."""
    if not argument:
        raise Unclear("What? `? zombie`, `? card zap`, `? 3` for the third card in your hand, `? warp`.")
    if argument.isdigit():
        cards = sorted_cards((desk.told.view or {}).get("hand", []))
        if not 1 <= int(argument) <= len(cards):
            raise Unclear(f"You have {len(cards)} cards.")
        desk.out(lookup.card(cards[int(argument) - 1][1], desk.style))
        return
    desk.out(lookup.look_up(argument, desk.style))


def show_help(desk: Desk, argument: str) -> None:
    """Lists the commands, or explains one."""
    from client.desk.commands import ANSWERS, COMMANDS

    if argument:
        command = next((c for c in COMMANDS if argument.lower().lstrip("/") in c.names), None)
        if command is None:
            desk.out(lookup.look_up(argument, desk.style))
            return
        other = f" (also {', '.join(command.names[1:])})" if command.names[1:] else ""
        desk.out([f"{command.name} {command.arguments}".strip() + other, f"  {command.help}"])
        return
    lines = []
    for command in COMMANDS:
        if command.possible(desk):
            lines += _explained(f"{command.name} {command.arguments}".strip(), command.help, desk.style.width)
    lines.append("answers to a question:")
    for form, meaning in ANSWERS:
        lines += _explained(form, meaning, desk.style.width)
    desk.out(lines)


def _explained(what: str, meaning: str, columns: int) -> list[str]:
    """A form with its meaning to the right of it; below it if the form is long."""
    indent = " " * (HELP_COLUMN + 3)
    if len(what) > HELP_COLUMN:
        return [f"  {what}", *wrap(meaning, columns, indent)]
    return wrap(meaning, columns, indent, f"  {what:<{HELP_COLUMN}} ")


def who(desk: Desk, _argument: str) -> None:
    """Shows the table and how others can join it."""
    if desk.told.table is None:
        raise Unclear("There is no connection to the table yet.")
    lines = lobby.table(desk.cast, desk.told.table, desk.told.you)
    lines += [f"  join with: {clean(code)}" for code in desk.told.table.invites[:3]]
    lines.append(f"  the host's key reads: {fingerprint_words(desk.player.host_key)}")
    if desk.told.chain is not None:
        checked = "checked here" if desk.told.chain.verified else "not checked yet"
        lines.append(f"  words of the record: {desk.told.chain.words} ({desk.told.chain.count} entries, {checked})")
    desk.out(lines)


# ---- talking and settings


def say(desk: Desk, argument: str) -> None:
    """Says something to the table."""
    if not argument:
        raise Unclear("Say what?")
    desk.request(m.Say, text=argument)


def undo(desk: Desk, _argument: str) -> None:
    """Takes back a choice that was not sent."""
    if desk.draft is None:
        raise Unclear("There is no choice to take back: what was sent stays.")
    desk.draft = None
    desk.out(["Taken back; choose anew."])


def standing_pass(desk: Desk, argument: str) -> None:
    """Sets or ends a standing pass."""
    if desk.told.seat is None:
        raise Unclear("You look on.")
    word, _, keep = argument.lower().partition(" but ")
    choices = [Option(n, word, word, word) for n, word in enumerate(("turn", "encounter", "phase", "off"), 1)]
    if not word:
        raise Unclear("Until when? `pass turn`, `pass encounter`, `pass phase`; `pass off` ends it.")
    until = pick(word, choices, "time").value
    windows = tuple(name for name in re.split(r"[\s,]+", keep) if name)
    desk.do(desk.player.standing_pass(until, windows))


def odds(desk: Desk, argument: str) -> None:
    """Switches the line about odds."""
    desk.odds = _switch(argument, desk.odds)
    desk.profile.remember(odds=desk.odds)
    desk.out([f"The line about odds is {'on' if desk.odds else 'off'}."])


def confirm(desk: Desk, argument: str) -> None:
    """Switches the question before sending what cannot be taken back."""
    desk.confirm = _switch(argument, desk.confirm)
    desk.out([f"Asking before sending is {'on' if desk.confirm else 'off'}."])


def explain(desk: Desk, argument: str) -> None:
    """Switches the explanations of the phases."""
    desk.explainer.on = _switch(argument, desk.explainer.on)
    desk.profile.remember(explain=desk.explainer.on)
    desk.out([f"Explanations are {'on' if desk.explainer.on else 'off'}."])


def dump(desk: Desk, argument: str) -> None:
    """Writes the position, as this player sees it, to a file that is not there yet."""
    from cosmic_net.scenario import dump_view

    view = desk.told.view or {}
    number = (view.get("encounter") or {}).get("number", 0)
    path = Path(argument or f"position-{number}.yaml").expanduser()
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(dump_view(view, f"Encounter {number}"))
    except FileExistsError:
        raise Unclear(f"{path} is there already; name another file.") from None
    except OSError as error:
        raise Unclear(f"{path} cannot be written: {error.strerror}.") from error
    desk.out([f"The position is in {path}."])


def join(desk: Desk, argument: str) -> None:
    """Goes on at another address of the table's host."""
    if not argument:
        raise Unclear("With which code? `who` at the host shows it.")
    desk.do(_go_on_at(desk, argument))


async def _go_on_at(desk: Desk, code: str) -> None:
    try:
        found = await finding.find(code)
    except Trouble as trouble:
        desk.out(wrap(trouble.message, desk.style.width))
        return
    if found.key != desk.player.host_key:
        text = "That is another table. `quit` leaves this one; `cosmic-net join CODE` leads to the other."
        desk.out(wrap(text, desk.style.width))
        return
    desk.player.move(found.address)


def leave(desk: Desk, _argument: str) -> None:
    """Leaves the table."""
    desk.ask_to_leave()


# ---- the lobby


def sit(desk: Desk, argument: str) -> None:
    """Takes a seat."""
    desk.request(m.Sit, seat=_seat(desk, argument) if argument else None)


def stand(desk: Desk, _argument: str) -> None:
    """Gives up the seat."""
    desk.request(m.Leave)


def ready(desk: Desk, argument: str) -> None:
    """Says that one is ready, or not."""
    desk.request(m.Ready, ready=argument.lower() not in ("off", "no", "not"))


def options(desk: Desk, argument: str) -> None:
    """Shows or changes the options."""
    assert desk.told.table is not None
    if not argument:
        known = desk.told.table.options | msgspec.structs.asdict(desk.told.table.house)
        desk.out([f"  {name} {_shown(value)}" for name, value in known.items() if name != "fixed"])
        return
    house = msgspec.structs.asdict(desk.told.table.house)
    found = _pairs(argument, desk.told.table.options | house)
    customs = {name: found.pop(name) for name in house if name in found}
    changed = msgspec.structs.replace(desk.told.table.house, **customs) if customs else None
    desk.request(m.SetOptions, options=found or None, house=changed)


def clocks(desk: Desk, argument: str) -> None:
    """Shows or changes the clocks."""
    assert desk.told.table is not None
    if not argument:
        desk.out([f"  {lobby.clocks_text(desk.told.table.clocks)}"])
        return
    words = argument.lower().split()
    if len(words) % 2:
        raise Unclear("Names and seconds take turns: `clocks reaction 5 deal 90`.")
    changes: dict[str, float] = {}
    for name, seconds in zip(words[::2], words[1::2], strict=True):
        known = [Option(n, clock, clock, f"{clock}_s") for n, clock in enumerate(CLOCKS, 1)]
        try:
            changes[pick(name, known, "clock").value] = float(seconds)
        except ValueError as error:
            raise error if isinstance(error, Unclear) else Unclear(f"{seconds} is no number of seconds.") from error
    desk.request(m.SetOptions, clocks=msgspec.structs.replace(desk.told.table.clocks, **changes))


def bot(desk: Desk, argument: str) -> None:
    """Lets a bot come or go; in a game, votes for one."""
    if desk.told.away:
        _vote(desk, argument, "bot")
        return
    words = argument.lower().split()
    action = "remove" if words[:1] in (["remove"], ["off"], ["away"]) else "add"
    rest = [word for word in words if word not in ("remove", "off", "away", "add")]
    desk.request(m.Bot, action=action, seat=_seat(desk, " ".join(rest)) if rest else None)


def wait(desk: Desk, argument: str) -> None:
    """Votes to wait on."""
    _vote(desk, argument, "wait")


def votes(desk: Desk) -> bool:
    """Whether this player has a say about somebody who is gone."""
    return desk.told.seat is not None and any(map(desk.told.is_voted_on, desk.told.away))


def _vote(desk: Desk, argument: str, choice: m.Choice) -> None:
    seat = _seat(desk, argument) if argument else next(iter(desk.told.away))
    desk.request(m.Vote, seat=seat, choice=choice)


def kick(desk: Desk, argument: str) -> None:
    """Sends a player away."""
    if not argument:
        raise Unclear("Whom? `kick blue`.")
    desk.request(m.Kick, seat=_seat(desk, argument))


def start(desk: Desk, _argument: str) -> None:
    """Starts the game."""
    desk.request(m.Start)


def rematch(desk: Desk, _argument: str) -> None:
    """Goes back to the lobby after a game."""
    desk.request(m.Rematch)


# ---- reading arguments


def _seat(desk: Desk, text: str) -> str:
    names = desk.cast.plain
    seats = [Option(n, seat, seat, seat, (names.get(seat, seat),)) for n, seat in enumerate(SEATS, 1)]
    return str(pick(text, seats, "seat").value)


def _switch(argument: str, now: bool) -> bool:
    if argument.lower() in ("on", "yes"):
        return True
    if argument.lower() in ("off", "no"):
        return False
    if not argument:
        return not now
    raise Unclear("`on` or `off`?")


def _pairs(text: str, known: dict[str, Any]) -> dict[str, Any]:
    """`planets 4 flares off` as options, each value read as the kind that the option has."""
    words = text.split()
    if len(words) % 2:
        raise Unclear("Names and values take turns: `options planets 4 flares off`.")
    found = {}
    for name, value in zip(words[::2], words[1::2], strict=True):
        names = [Option(n, option, option, option) for n, option in enumerate(known, 1)]
        option = pick(name, names, "option").value
        found[option] = _value(option, value, known[option])
    return found


def _value(name: str, text: str, now: Any) -> Any:
    word = text.lower()
    if isinstance(now, bool):
        if word not in ("on", "off", "yes", "no", "true", "false"):
            raise Unclear(f"{name} is `on` or `off`.")
        return word in ("on", "yes", "true")
    if isinstance(now, list):
        return [] if word in ("all", "none") else [part for part in word.split(",") if part]
    if word.isdigit():
        return int(word)
    if word in ("none", "default"):
        return None
    if isinstance(now, float):
        try:
            return float(word)
        except ValueError:
            raise Unclear(f"{name} is a number.") from None
    return word


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return clean(", ".join(map(str, value))) or "all"
    return "as planets" if value is None else clean(str(value))
