"""The status below the prompt: colonies, what is awaited and of whom, the clock, the words of the record."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

from client.game.told import Told
from client.show.style import cut, width
from client.show.words import PHASES, TOPICS, Cast, window_name

BAR = 5
NO_CONNECTION = "no connection; trying again"
PASSING = {
    "turn": "passing until your turn",
    "encounter": "passing this encounter",
    "phase": "passing this phase",
}


def colonies(cast: Cast, view: Mapping[str, Any]) -> str:
    """`▲ Ana 3/5  ● Ben 1/5 …   warp ▲0 ●5`: foreign colonies of the goal, whose power is off, ships in the warp."""
    goal = view["options"].get("goal") or view["options"].get("planets", 5)
    warp = "warp " + " ".join(f"{cast.style.mark(seat)}{view['players'][seat]['warp']}" for seat in view["seats"])
    seats = view["seats"]
    for longest in (24, 12, 8, 5, 3, 1):
        parts = [_player(cast, view, seat, goal, longest) for seat in seats]
        left = "  ".join(parts)
        if width(left) + 2 + width(warp) <= cast.style.width:
            return left + " " * (cast.style.width - width(left) - width(warp)) + warp
    return left


def _player(cast: Cast, view: Mapping[str, Any], seat: str, goal: int, longest: int) -> str:
    player = view["players"][seat]
    lost = "!" if player.get("lost") else ""
    name = cast.style.paint(cut(cast.plain.get(seat, seat), longest), seat)
    return f"{cast.style.mark(seat)} {name} {player['foreign']}/{goal}{lost}"


def awaited(cast: Cast, told: Told, *, connected: bool = True) -> str:
    """`planning · waiting for Ben (an encounter card) 12 s · cedar lamp otter`."""
    view = told.view or {}
    encounter = view.get("encounter") or {}
    phase = "" if view.get("over") else PHASES.get(str(encounter.get("phase", "")), "setup")
    words = told.chain.words if told.chain is not None else ""
    waiting = waiting_text(cast, told) if connected else NO_CONNECTION
    passing, mine = standing_text(told), role(cast, told)
    choices = [[phase, waiting, passing, mine, words], [phase, waiting, passing, words], [waiting, passing, words]]
    for parts in [*choices, [waiting, words], [waiting]]:
        text = " · ".join(part for part in parts if part)
        if width(text) <= cast.style.width:
            break
    return cast.style.plain_text(text)


def waiting_text(cast: Cast, told: Told) -> str:
    """Who is waited for, for what, and for how long."""
    if told.fatal:
        return "stopped: the record does not fit"
    view = told.view or {}
    if view.get("over"):
        return "the game is over"
    waiting = told.waiting
    if not waiting:
        return "waiting for nobody"
    seats = list(dict.fromkeys(decision["seat"] for decision in waiting))
    names = ["you" if seat == cast.me else cast.name(seat) for seat in sorted(seats, key=lambda seat: seat != cast.me)]
    if gone := [seat for seat in seats if seat in told.away]:
        return (
            f"waiting for {_some([cast.name(seat) for seat in gone])} to come back {away_clock(told, gone[0])}".rstrip()
        )
    if waiting[0]["kind"] == "react":
        window = window_name(str(waiting[0].get("window", "")))
        return f"{window}: {_some(names)} {clock(told, waiting[0]['timer'])}".rstrip()
    topic = TOPICS.get(str(waiting[0]["topic"]), str(waiting[0]["topic"]).replace("-", " "))
    return f"waiting for {_some(names)} ({topic}) {clock(told, waiting[0]['timer'])}".rstrip()


def _some(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 3 else f"{len(names)} players"


def clock(told: Told, timer: int) -> str:
    """`12 s`; "" if no clock runs."""
    left = told.seconds_left(timer)
    return "" if left is None else f"{math.ceil(left)} s"


def away_clock(told: Told, seat: str) -> str:
    """`1:32`: how long somebody who is gone is still waited for; "" if without end."""
    end = told.away.get(seat)
    left = 0 if end is None else max(0, math.ceil(end - time.monotonic()))
    return "" if end is None else f"{left // 60}:{left % 60:02}"


def bar(told: Told, timer: int, whole: float) -> str:
    """`[###..]  2 s`: how much of a clock is left."""
    left = told.seconds_left(timer)
    if left is None or whole <= 0:
        return ""
    full = min(BAR, math.ceil(BAR * left / whole))
    return f"[{'#' * full}{'.' * (BAR - full)}] {math.ceil(left)} s"


def standing_text(told: Told) -> str:
    """One's own standing pass."""
    mine = told.passes.get(told.seat or "")
    return "" if mine is None else PASSING.get(mine.until, "")


def role(cast: Cast, told: Told) -> str:
    """What this player is in the encounter: `you are an ally of Ana`."""
    view, me = told.view or {}, told.seat
    encounter = view.get("encounter") or {}
    if me is None or not encounter:
        return "you look on" if me is None else ""
    if view.get("over"):
        return ""
    if encounter.get("offense") == me:
        return "you are the offense"
    if encounter.get("defense") == me:
        return "you are the defense"
    side = encounter.get("allies", {}).get(me)
    return f"you are an ally of {cast.name(encounter[side])}" if side in encounter else ""
