"""The text of a scenario becomes a `Scenario`: everything checked that can be checked before it runs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from cosmic_net.engine.options import SEATS, BadSetup, Options, Setup
from cosmic_net.scenario import positions
from cosmic_net.scenario.expectations import check_shape
from cosmic_net.scenario.lines import Map, Source, known, load
from cosmic_net.scenario.words import FACES, Words

TOP_KEYS = {
    "title", "source", "options", "players", "deck", "discards", "destiny", "destiny_discards", "start", "play",
    "expect", "until", "defaults", "seed",
}  # fmt: skip
NEEDED = ("title", "players", "play", "expect")
#: Options of a table that a position settles in another way.
NOT_HERE = {"aliens", "fixed", "alert"}
#: Variants that a scenario may switch off although this game does not have them yet.
OFF_ANYWAY = {"tech"}
WINDOW_KEYS = ("play", "use", "pass")
MODIFIERS = {"refused", "in"}


@dataclass(eq=False)
class Answer:
    """One answer of the list `play`.

    index: its place among all answers; key: the topic, or play, use, pass; window: the window named with `in`;
    refused: None, or what the refusal must say ("" for any); together: the line of the item if several seats act in
    it at once.
    """

    index: int
    line: int
    seat: str
    key: str
    value: Any
    window: str | None = None
    refused: str | None = None
    together: int | None = None
    used: bool = False

    @property
    def acts(self) -> bool:
        """Whether this is something done in a window."""
        return self.key in WINDOW_KEYS

    def __str__(self) -> str:
        return f"{self.seat}'s {self.key}: {plain(self.value)}"


@dataclass
class Scenario:
    """A scenario that can be run."""

    name: str
    title: str
    source: list[str]
    setup: Setup
    seed: int
    answers: list[Answer]
    expect: Map
    until: str = "encounter"
    defaults: frozenset[str] = frozenset()
    words: Words = field(default_factory=lambda: Words(Source("")))

    @property
    def shuffle(self) -> bytes:
        """The seed of the game: the same in every run."""
        return hashlib.sha256(f"scenario {self.seed}".encode()).digest()


def parse(text: str, name: str) -> Scenario:
    """The scenario in a text. Raises ScenarioError ("name:line: message") if it cannot be run."""
    source = Source(name)
    top = load(text, source)
    known(source, top, TOP_KEYS, "a scenario")
    for key in NEEDED:
        if key not in top:
            source.fail(1, f"a scenario needs {key}")
    seats = _seats(source, top)
    options = _options(source, top, seats)
    words = Words(source, seats, options.planets)
    position = positions.read(words, options, top)
    try:
        setup = Setup("scenario", seats, options=options, position=position)
    except BadSetup as error:
        source.fail(top.at("players"), str(error))
    expect = words.map(top["expect"], top.at("expect"))
    check_shape(words, expect)
    return Scenario(
        name=name,
        title=words.text(top["title"], top.at("title")),
        source=[str(item) for item in words.items(top.get("source"), top.at("source"))],
        setup=setup,
        seed=words.number(top.get("seed", 0), top.at("seed")),
        answers=_answers(words, top),
        expect=expect,
        until=words.text(top.get("until", "encounter"), top.at("until")),
        defaults=frozenset(str(item) for item in words.items(top.get("defaults"), top.at("defaults"))),
        words=words,
    )


def _seats(source: Source, top: Map) -> tuple[str, ...]:
    players = Words(source).map(top["players"], top.at("players"))
    for seat in players:
        if seat not in SEATS:
            source.fail(players.at(seat), f"{seat} is no colour; players are {', '.join(SEATS)}")
        if players[seat] is None:
            players[seat] = Map(players.at(seat))
        Words(source).map(players[seat], players.at(seat))
    if not 3 <= len(players) <= 5:
        source.fail(top.at("players"), f"a game needs 3 to 5 players, not {len(players)}")
    return tuple(players)


def _options(source: Source, top: Map, seats: tuple[str, ...]) -> Options:
    words = Words(source)
    given = words.map(top.get("options", Map(top.line)), top.at("options"))
    names = {f.name for f in fields(Options)} - NOT_HERE
    known(source, given, names | OFF_ANYWAY, "options")
    for name in OFF_ANYWAY - names:
        if given.get(name):
            source.fail(given.at(name), f"this game has no {name}")
    values: dict[str, Any] = {name: value for name, value in given.items() if name in names}
    if "pool" in values:
        pool = words.items(given["pool"], given.at("pool"))
        values["pool"] = [words.alien(item, at) for item, at in zip(pool, pool.lines, strict=True)]
    players = top["players"]
    values["flares"] = given.get("flares", _mentions_flares(top))
    values["aliens"] = "fixed"
    values["fixed"] = {
        seat: words.alien(players[seat].get("alien", "none"), players[seat].at("alien"), none=True) for seat in seats
    }
    try:
        return Options.from_data(values)
    except (BadSetup, TypeError) as error:
        source.fail(top.at("options"), str(error))


def _mentions_flares(top: Map) -> bool:
    """Flares are in the game if the position or the play names one."""
    named = positions.faces_named(top) + [str(item) for item in _words_in(top["play"])]
    return any(word.startswith("flare-") for word in named)


def _words_in(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [word for item in value.values() for word in _words_in(item)]
    if isinstance(value, list):
        return [word for item in value for word in _words_in(item)]
    return [value]


# ---- play


def _answers(words: Words, top: Map) -> list[Answer]:
    answers: list[Answer] = []
    items = words.items(top["play"], top.at("play"))
    for item, line in zip(items, items.lines, strict=True):
        entry = words.map(item, line)
        together = line if len(entry) > 1 else None
        if not entry:
            words.source.fail(line, "an answer is written `- red: {aim: blue-1}`")
        for seat in entry:
            words.seat(seat, entry.at(seat))
            given = words.map(entry[seat], entry.at(seat))
            for answer in _entry(words, seat, given, together):
                answer.index = len(answers)
                answers.append(answer)
    return answers


def _entry(words: Words, seat: str, given: Map, together: int | None) -> list[Answer]:
    """The answers of one player in one item, in order."""
    keys = [key for key in given if key not in MODIFIERS]
    refused = _refused(given.get("refused", False))
    if not keys:
        words.source.fail(given.line, f"{seat} answers nothing here")
    if (refused is not None or together is not None) and len(keys) > 1:
        words.source.fail(given.line, "a refused answer, or one given together with others, stands alone")
    found = []
    for key in keys:
        line, value = given.at(key), given[key]
        acts = key in WINDOW_KEYS
        if together is not None and not acts:
            words.source.fail(line, "together players can only play, use or pass")
        window = words.window(given["in"], given.at("in")) if "in" in given and acts else None
        for part in _parts(words, key, value, line):
            found.append(Answer(0, line, seat, key, part, window, refused, together if acts else None))
    if "in" in given and not any(answer.acts for answer in found):
        words.source.fail(given.at("in"), "`in` names the window of a play, use or pass")
    return found


def _parts(words: Words, key: str, value: Any, line: int) -> list[Any]:
    """The value of an answer; a card selected from a sheet is two answers, the sheet and the card."""
    if key == "play":
        face, _, sheet = str(value).partition("@")
        words.face(face.partition(":")[0], line)
        if sheet:
            words.alien(sheet.partition(":")[0], line)
    elif key == "use":
        words.alien(str(value).partition(":")[0], line)
    elif key == "pass" and value not in ("any", None):
        words.window(value, line)
    elif key == "select" and isinstance(value, str) and "/" in value:
        sheet, face = value.split("/", 1)
        return [words.alien(sheet, line), words.face(face, line)]
    elif key == "select" and value in FACES:
        return [words.face(value, line)]
    return [value]


def _refused(value: Any) -> str | None:
    if value is False or value is None:
        return None
    return "" if value is True else str(value)


def plain(value: Any) -> str:
    """A value as it is written in a scenario."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {plain(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(plain(item) for item in value) + "]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
