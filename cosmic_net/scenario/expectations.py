"""Expectations: what must have come of a scenario. Each key has a shape, checked when it is read, and a test.

`facts.py` says what came of it; here it is compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cosmic_net.engine.state import RESULTS, SIDES
from cosmic_net.scenario import facts
from cosmic_net.scenario.lines import List, Map, known
from cosmic_net.scenario.words import Words

if TYPE_CHECKING:
    from cosmic_net.scenario.runner import Run

Shape = Callable[[Words, Any, int], object]


def check_shape(words: Words, expect: Map) -> None:
    """Fails with file and line if an expectation is unknown, or not of the form that it must have."""
    known(words.source, expect, SHAPES, "expect")
    for key, value in expect.items():
        SHAPES[key](words, value, expect.at(key))


def check(run: Run, expect: Map) -> list[tuple[int, str]]:
    """What is not as expected, with lines."""
    found = []
    for key, value in expect.items():
        for line, message in _compare(run, key, value, expect.at(key)):
            found.append((line, message))
    return found


def _compare(run: Run, key: str, value: Any, line: int) -> list[tuple[int, str]]:
    if key in EVENTS:
        return EVENTS[key](run, value)
    if key == "encounters":
        return _encounters(run, value)
    if key in ENCOUNTER:
        return _encounter(run, key, value, line, max(run.encounters, default=0))
    if isinstance(value, Map) and key in facts.BY_NAME:
        fact = facts.BY_NAME[key]
        return [
            (value.at(name), f"{key}: {name} should be {_plain(wanted)} and is {_plain(got)}")
            for name, wanted in value.items()
            if not _same(key, wanted, got := fact(run, name, wanted))
        ]
    got = facts.WHOLE[key](run, value)
    return [] if _same(key, value, got) else [(line, f"{key} should be {_plain(value)} and is {_plain(got)}")]


def _same(key: str, wanted: Any, got: Any) -> bool:
    if key in UNORDERED and isinstance(wanted, list) and isinstance(got, list):
        return Counter(map(str, wanted)) == Counter(map(str, got))
    return bool(wanted == got and isinstance(wanted, bool) == isinstance(got, bool))


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_plain(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_plain(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "nothing" if value is None else str(value)


# ---- encounters


def _encounters(run: Run, value: List) -> list[tuple[int, str]]:
    found = []
    numbers = sorted(run.encounters)
    if len(value) > len(numbers):
        return [(value.line, f"encounters: {len(value)} should have been played, and there were {len(numbers)}")]
    for number, item in zip(numbers, value, strict=False):
        for key, wanted in item.items():
            found += _encounter(run, key, wanted, item.at(key), number)
    return found


def _encounter(run: Run, key: str, value: Any, line: int, number: int) -> list[tuple[int, str]]:
    got = facts.ENCOUNTER[key](run, run.encounters[number])
    if isinstance(value, Map) and isinstance(got, Mapping):
        got = {name: got.get(name) for name in value} if key in PARTIAL else dict(got)
    return [] if _same(key, value, got) else [(line, f"{key} should be {_plain(value)} and is {_plain(got)}")]


# ---- events and questions


def _events(run: Run, value: List) -> list[tuple[int, str]]:
    """All of these, in this order; anything may come between."""
    log = iter(run.game.events)
    for wanted, line in zip(value, value.lines, strict=True):
        if not any(facts.is_event(event, wanted) for event in log):
            kind = wanted if isinstance(wanted, str) else wanted.get("kind")
            near = [facts.event_fields(event) for event in run.game.events if event.kind == kind]
            there = f"; there were {_plain(near)}" if near else ""
            return [(line, f"the event {_plain(wanted)} did not happen (in this order){there}")]
    return []


def _no_events(run: Run, value: List) -> list[tuple[int, str]]:
    return [
        (line, f"the event {_plain(unwanted)} happened")
        for unwanted, line in zip(value, value.lines, strict=True)
        if any(facts.is_event(event, unwanted) for event in run.game.events)
    ]


def _asked(run: Run, value: List) -> list[tuple[int, str]]:
    found = []
    for wanted, line in zip(value, value.lines, strict=True):
        times = sum(facts.is_asked(asked, wanted) for asked in run.asked)
        if times != wanted.get("times", times) or not times:
            found.append((line, f"{_plain(wanted)} was asked {times} times"))
    return found


def _not_asked(run: Run, value: List) -> list[tuple[int, str]]:
    return [
        (line, f"{_plain(unwanted)} was asked")
        for unwanted, line in zip(value, value.lines, strict=True)
        if any(facts.is_asked(asked, unwanted) for asked in run.asked)
    ]


EVENTS: dict[str, Callable[[Run, Any], list[tuple[int, str]]]] = {
    "events": _events,
    "no_events": _no_events,
    "asked": _asked,
    "not_asked": _not_asked,
}


# ---- shapes


def _one_of(*allowed: Any) -> Shape:
    def shape(words: Words, value: Any, line: int) -> None:
        if value not in allowed:
            words.source.fail(line, f"this is one of {', '.join(map(str, allowed))}, not {value}")

    return shape


def _number(words: Words, value: Any, line: int) -> None:
    words.number(value, line, least=None)


def _flag(words: Words, value: Any, line: int) -> None:
    if not isinstance(value, bool):
        words.source.fail(line, f"this is true or false, not {value}")


def _faces(words: Words, value: Any, line: int) -> None:
    _list(words, value, line)
    words.faces(value, line)


def _count_or_faces(words: Words, value: Any, line: int) -> None:
    if isinstance(value, List):
        words.faces(value, line)
    else:
        words.number(value, line)


def _map_of(key: Shape, value_shape: Shape) -> Shape:
    def shape(words: Words, value: Any, line: int) -> None:
        items = words.map(value, line)
        for name, item in items.items():
            key(words, name, items.at(name))
            value_shape(words, item, items.at(name))

    return shape


def _list_of(item: Shape) -> Shape:
    def shape(words: Words, value: Any, line: int) -> None:
        _list(words, value, line)
        for each, at in zip(value, value.lines, strict=True):
            item(words, each, at)

    return shape


def _list(words: Words, value: Any, line: int) -> None:
    if not isinstance(value, List):
        words.source.fail(line, "a list is needed here")


def _place(words: Words, value: Any, line: int) -> None:
    if value not in ("gate", "side", "warp"):
        words.planet(value, line)


def _seat_or_alien(words: Words, value: Any, line: int) -> None:
    if value not in words.seats:
        words.alien(value, line)


def _keys(**shapes: Shape) -> Shape:
    def shape(words: Words, value: Any, line: int) -> None:
        items = words.map(value, line)
        known(words.source, items, shapes, "this")
        for name, item in items.items():
            shapes[name](words, item, items.at(name))

    return shape


def _event(words: Words, value: Any, line: int) -> None:
    words.event(value.get("kind") if isinstance(value, Map) else value, line)


_SEAT, _PLANET, _ALIEN = Words.seat, Words.planet, Words.alien
_QUESTION = _keys(seat=_SEAT, topic=Words.text, window=Words.window, kind=Words.text, encounter=_number, times=_number)

ENCOUNTER: dict[str, Shape] = {
    "winner": _one_of(*RESULTS, None),
    "totals": _map_of(_one_of(*SIDES), _number),
    "cards": _map_of(_one_of(*SIDES), Words.face),
    "margin": lambda words, value, line: None if value is None else _number(words, value, line),
    "success": _flag,
    "zapped": _list_of(_ALIEN),
    "offense": _SEAT,
    "defense": _SEAT,
    "target": _PLANET,
    "allies": _map_of(_SEAT, _one_of(*SIDES)),
}
PARTIAL = {"totals", "cards"}
UNORDERED = {"hand", "hoard", "zapped", "power_lost", "winners", "aliens"}

SHAPES: dict[str, Shape] = ENCOUNTER | {
    "encounters": _list_of(_keys(**ENCOUNTER)),
    "warp": _map_of(_SEAT, _number),
    "removed": _map_of(_SEAT, _number),
    "foreign": _map_of(_SEAT, _number),
    "home": _map_of(_SEAT, _number),
    "ships": _map_of(_SEAT, _map_of(_place, _number)),
    "colonies": _map_of(_PLANET, _map_of(_SEAT, _number)),
    "hand": _map_of(_SEAT, _count_or_faces),
    "hand_has": _map_of(_SEAT, _faces),
    "hand_lacks": _map_of(_SEAT, _faces),
    "hoard": _map_of(_SEAT, _count_or_faces),
    "tokens": _map_of(_ALIEN, _number),
    "aliens": _map_of(_SEAT, _list_of(_ALIEN)),
    "power_lost": _list_of(_SEAT),
    "works": _map_of(_seat_or_alien, _flag),
    "discards": _count_or_faces,
    "discards_top": _faces,
    "discards_have": _faces,
    "discards_lack": _faces,
    "deck": _keys(count=_number, top=_faces, bottom=_faces),
    "destiny": _keys(count=_number, discards=_list_of(Words.destiny)),
    "next": _keys(offense=_SEAT, nth=_number),
    "phase": Words.text,
    "over": _flag,
    "winners": _list_of(_SEAT),
    "events": _list_of(_event),
    "no_events": _list_of(_event),
    "asked": _list_of(_QUESTION),
    "not_asked": _list_of(_QUESTION),
}
