"""The table before and beside the game: seats, options, who is ready, what changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from client.show.status import NO_CONNECTION
from client.show.style import flow, width, wrap
from client.show.words import Cast, alien_name
from protocol import messages as m
from protocol.text import clean

ALIENS = {"flares": "aliens by two flares", "choice": "aliens by choice", "random": "aliens at random"}
FEWEST = 3
"""So many players a game needs."""
VOTE = "   [w] wait on   [b] let a bot play"
"""What can be done about somebody who is gone."""
PRESENCE = {"here": "", "away": "silent", "gone": "gone", "bot": "a bot plays"}


def table(cast: Cast, it: m.Table, you: m.You) -> list[str]:
    """The whole table."""
    taken = sum(bool(seat.name) for seat in it.seats)
    name = f'Table "{clean(it.name)}"' if it.name else "Table"
    head = f"{name} · {taken} of {len(it.seats)} seats · {options_text(it)}"
    columns = cast.style.width
    lines = wrap(head, columns, "  ", "")
    shown = [seat for seat in it.seats if seat.name or it.phase == "lobby"]
    lines += flow([seat_text(cast, seat, you) for seat in shown], columns)
    if it.watchers:
        lines += wrap(f"looking on: {', '.join(clean(name) for name in it.watchers)}", columns, "    ", "  ")
    lines += wrap(clocks_text(it.clocks), columns, "    ", "  ")
    lines += wrap(f"customs: {house_text(it.house)}", columns, "    ", "  ")
    return [cast.style.plain_text(line) for line in lines]


def seat_text(cast: Cast, seat: m.SeatInfo, you: m.You) -> str:
    """One seat: `▲ Ana (host, ready)`."""
    mark = cast.style.mark(seat.seat)
    if not seat.name:
        return f"{mark} open ({seat.seat})"
    notes = []
    if seat.seat == you.seat:
        notes.append("you")
    if seat.owner:
        notes.append("host")
    if seat.bot or seat.ready:
        notes.append("bot" if seat.bot else "ready")
    elif not seat.owner:
        notes.append("choosing")
    if PRESENCE[seat.presence] and not seat.bot:
        notes.append(PRESENCE[seat.presence])
    return f"{mark} {cast.style.paint(clean(seat.name, 24), seat.seat)} ({', '.join(notes)})"


def options_text(it: m.Table) -> str:
    """The options that matter, in words."""
    options = it.options
    parts = []
    if it.practice:
        parts.append("practice")
    planets = options.get("planets", 5)
    goal = options.get("goal") or planets
    parts.append(f"{planets} planets, {goal} foreign colonies win")
    parts.append("flares on" if options.get("flares", True) else "flares off")
    if options.get("single_encounter"):
        parts.append("one encounter a turn")
    parts.append(ALIENS.get(options.get("aliens", "flares"), "aliens fixed"))
    if options.get("alert", "red") != "red":
        parts.append(f"up to {options['alert']} alert")
    if options.get("ask") == "able":
        parts.append("asks only those who can react")
    if options.get("pool"):
        parts.append(f"pool: {', '.join(alien_name(alien) for alien in options['pool'])}")
    return ", ".join(clean(part, 200) for part in parts)


def clocks_text(clocks: m.Clocks) -> str:
    """The clocks in words."""
    decision = f"{clocks.decision_s:g} s" if clocks.decision_s else "no limit"
    return (
        f"clocks: reactions {clocks.reaction_s:g} s, decisions {decision}, "
        f"openings {clocks.opening_s:g} s, deals {clocks.deal_s:g} s"
    )


ABSENT = {
    "wait": "who is gone is waited for, and voted on when the time is over",
    "bot": "a bot plays for who is gone",
    "vote": "the others vote about who is gone",
}


def house_text(house: m.House) -> str:
    """The customs in words."""
    delay = f", who looks on sees the game {house.watch_delay_s:g} s later" if house.watch_delay_s else ""
    return ABSENT[house.absent] + delay + (", players may whisper" if house.whispers else "")


def changes(cast: Cast, old: m.Table | None, new: m.Table) -> list[str]:
    """What is new at the table, in sentences; nothing for what other news tell (presence, the start of a game)."""
    if old is None:
        return []
    before = {seat.seat: seat for seat in old.seats}
    moved = _moves(old, new)
    lines = [
        line
        for seat in new.seats
        if seat.name not in moved and (seat.name or before[seat.seat].name not in moved)
        for line in _seat_changes(cast, before.get(seat.seat), seat, new.phase)
    ]
    lines += [f"{clean(name, 24)} sits at {cast.style.mark(seat)} {seat} now." for name, seat in moved.items()]
    if old.options != new.options:
        lines.append(f"The options are now: {options_text(new)}.")
    if old.clocks != new.clocks:
        lines.append(f"The {clocks_text(new.clocks)}.")
    if new.invites and new.invites[:1] != old.invites[:1]:
        lines.append(f"New address, join with: cosmic-net join {clean(new.invites[0])}")
    lines += away_changes(cast, old, new)
    if old.house != new.house:
        lines.append(f"The customs are now: {house_text(new.house)}.")
    if old.phase == "over" and new.phase == "lobby":
        lines.append("Back in the lobby for another game.")
    if new.phase != "lobby":  # in the lobby everybody looks on for a moment, before sitting down
        lines += [f"{clean(name)} looks on." for name in new.watchers if name not in old.watchers]
    return [cast.style.plain_text(line) for line in lines]


def away_changes(cast: Cast, old: m.Table, new: m.Table) -> list[str]:
    """What is new about players who are gone."""
    before = {one.seat: one for one in old.away}
    lines = []
    for one in new.away:
        was, name = before.get(one.seat), cast.name(one.seat)
        if was is None:
            continue
        lines += [f"{cast.name(seat)} wants to wait for {name}." for seat in one.wait if seat not in was.wait]
        lines += [f"{cast.name(seat)} wants a bot to play for {name}." for seat in one.bot if seat not in was.bot]
        if one.coming and not was.coming:
            lines.append(f"A bot plays for {name} as soon as no card of {name} lies sealed.")
        elif one.left_ms is None and was.left_ms is not None and not one.coming:
            todo = VOTE if new.house.absent == "wait" and cast.me is not None else ""
            lines.append(f"{name} is waited for without a limit now.{todo}")
    return lines


def _moves(old: m.Table, new: m.Table) -> dict[str, str]:
    """Who sits elsewhere than before, and where: names are not given twice at a table."""
    before = {seat.name: seat.seat for seat in old.seats if seat.name}
    return {seat.name: seat.seat for seat in new.seats if before.get(seat.name, seat.seat) != seat.seat}


def _seat_changes(cast: Cast, old: m.SeatInfo | None, new: m.SeatInfo, phase: str) -> list[str]:
    mark = cast.style.mark(new.seat)
    name = cast.style.paint(clean(new.name, 24), new.seat)
    if old is None or old.name != new.name:
        if new.name:
            return [f"{mark} {name} {'(a bot) ' if new.bot else ''}sits down."]
        if old is not None and old.name:
            return [f"{mark} {cast.style.paint(clean(old.name, 24), new.seat)} has left the seat."]
        return []
    lines = []
    if phase == "lobby" and new.name and not new.bot and old.ready != new.ready:
        lines.append(f"{mark} {name} is {'ready' if new.ready else 'not ready any more'}.")
    return lines


def presence(cast: Cast, seat: str, state: str, wait: str = "") -> str:
    """What became of a player's connection, and how long it is waited for."""
    name = cast.name(seat)
    return {
        "here": f"{name} is back.",
        "away": f"{name}'s connection is gone.{wait}",
        "gone": f"{name} has left.{wait}",
        "bot": f"A bot plays for {name} now.",
    }.get(state, "")


def toolbar(cast: Cast, it: m.Table | None, you: m.You, *, connected: bool = True) -> str:
    """The status line in the lobby."""
    if it is None:
        return "connecting"
    if not connected:
        return cast.style.plain_text(f"lobby · {NO_CONNECTION}")
    seats = " ".join(cast.style.mark(seat.seat) + _sign(seat) for seat in it.seats)
    missing = [clean(seat.name, 24) for seat in it.seats if seat.name and not seat.ready and not seat.owner]
    waiting = f"waiting for {', '.join(missing)} to be ready" if missing else "all are ready"
    todo = "`start` starts" if you.owner else "the host starts the game"
    more = FEWEST - sum(bool(seat.name) for seat in it.seats)
    if more > 0:
        waiting = f"{more} more player{'s are' if more > 1 else ' is'} needed"
        todo = "`bot` adds one" if you.owner else "the host can add bots"
    if you.seat is None:
        todo = "`sit` takes a seat"
    line = f"lobby · {seats} · {waiting} · {todo}"
    if width(line) > cast.style.width:
        line = f"lobby · {waiting} · {todo}"
    return cast.style.plain_text(line)


def _sign(seat: m.SeatInfo) -> str:
    return "+" if seat.ready or seat.bot else "-" if seat.name else "."


def result(cast: Cast, view: Mapping[str, Any], outcome: str, winners: tuple[str, ...]) -> list[str]:
    """How the game ended."""
    if outcome != "won" or not winners:
        return ["The game was stopped without a winner."]
    who = " and ".join(_with_aliens(cast, view, seat) for seat in winners)
    return [cast.style.rule("The end"), f"{who} {'wins' if len(winners) == 1 else 'win together'}."]


def _with_aliens(cast: Cast, view: Mapping[str, Any], seat: str) -> str:
    powers = view.get("players", {}).get(seat, {}).get("powers", [])
    aliens = ", ".join(alien_name(power["alien"]) for power in powers)
    return f"{cast.marked(seat)} ({aliens})" if aliens else cast.marked(seat)
