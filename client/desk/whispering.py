"""The command `whisper`: to whom, and what."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from client.ask.options import Option, pick
from client.ask.question import Next
from client.errors import Unclear
from client.show.style import wrap
from protocol import limits
from protocol import messages as m
from protocol.text import clean

if TYPE_CHECKING:
    from client.desk.desk import Desk


def allowed(desk: Desk) -> bool:
    """Whether this table allows whispers."""
    return desk.told.table is not None and desk.told.table.house.whispers


def whisper(desk: Desk, argument: str) -> None:
    """Tells one player something that nobody else can read."""
    if desk.told.you.seat is None:
        raise Unclear("You look on; only players can whisper, and to players.")
    if not argument:
        raise Unclear("To whom, and what? `whisper ben I have no attack`.")
    info, text = _read(desk, argument)
    name = clean(info.name)
    if info.seat == desk.told.you.seat:
        raise Unclear("That is you.")
    if info.bot or info.presence == "bot":
        raise Unclear(f"A bot plays for {name}; bots take no whispers." if not info.bot else f"{name} is a bot.")
    if info.presence != "here":
        raise Unclear(f"{name} is not there now, and whispers do not wait.")
    if not text:
        raise Unclear(f"Whisper what to {name}?")
    if len(text) > limits.SAY_LENGTH:
        raise Unclear(f"A whisper has at most {limits.SAY_LENGTH} characters.")
    desk.do(_whisper(desk, info.seat, text))


async def _whisper(desk: Desk, seat: m.SeatName, text: str) -> None:
    to = desk.cast.marked(seat)
    await desk.player.whisper(seat, text)
    desk.out(wrap(f"You whisper to {to}: {text}", desk.style.width, "    ", ""))


def offer(desk: Desk, text: str) -> list[Next]:
    """The names that can come behind the command."""
    start = text.lstrip()
    found = []
    for info in _others(desk):
        name = clean(info.name)
        if name.lower().startswith(start.lower()) or info.seat.startswith(start.lower()):
            found.append(Next(f"{name} ", info.seat, len(start)))
    return found


def _read(desk: Desk, argument: str) -> tuple[m.SeatInfo, str]:
    """To whom, and what. A name that is typed in full may have spaces."""
    everybody = _taken(desk)
    line = clean(argument)
    for info in sorted(everybody, key=lambda info: -len(info.name)):
        name = clean(info.name)
        if f"{line} ".lower().startswith(f"{name} ".lower()):
            return info, line[len(name) :].strip()
    word, _, text = line.partition(" ")
    options = [
        Option(number, clean(info.name), clean(info.name), info, (info.seat,))
        for number, info in enumerate(everybody, 1)
    ]
    try:
        return cast(m.SeatInfo, pick(word, options, "player").value), text.strip()
    except Unclear:
        assert desk.told.table is not None
        if any(clean(name).lower().startswith(word.lower()) for name in desk.told.table.watchers):
            raise Unclear("Whispers are for players, not for those who look on.") from None
        raise


def _taken(desk: Desk) -> list[m.SeatInfo]:
    return [info for info in desk.told.table.seats if info.name] if desk.told.table is not None else []


def _others(desk: Desk) -> list[m.SeatInfo]:
    """Those who could be whispered to."""
    return [
        info
        for info in _taken(desk)
        if info.seat != desk.told.you.seat and not info.bot and info.presence in ("here", "away")
    ]
