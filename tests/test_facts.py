"""The code against the fact files: decks, sheets, flares, artifacts and hooks; and what the README says of them."""

from __future__ import annotations

import importlib
import inspect
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from cosmic_net.cards import decks, faces
from cosmic_net.engine import verbs
from cosmic_net.engine.catalog import CATALOG
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import SEATS, Options, Setup
from tests.facts.hooks import EVENTS, EXTRA, INSIDE, MOVED, NOT_HERE, WINDOWS
from tests.facts.load import TWENTY, aliens, census, read, role
from tests.facts.source import engine_numbers, engine_windows

ROOT = Path(__file__).parents[1]
FACTS = read("cards")


# ---- decks


def printed(*kinds: str) -> Counter[str]:
    """The cards of these kinds by the fact file: face and how many."""
    cards: Counter[str] = Counter()
    for kind in kinds:
        for card in FACTS[kind]:
            cards.update(card.get("ids") or {card["id"]: card["count"]})
    return cards


def test_the_cosmic_deck_is_the_printed_one() -> None:
    assert Counter(decks.cosmic()) == printed("encounter", "reinforcement", "artifact")
    assert len(decks.cosmic()) == FACTS["meta"]["cosmic_deck_without_flares"] == 72


def test_the_encounter_cards_are_39_attacks_15_negotiates_and_a_morph() -> None:
    kinds = Counter(map(faces.type_of, decks.cosmic()))
    assert [kinds[kind] for kind in (faces.ATTACK, faces.NEGOTIATE, faces.MORPH)] == [39, 15, 1]
    assert [kinds[kind] for kind in (faces.REINFORCEMENT, faces.ARTIFACT)] == [6, 11]
    assert sum(map(faces.is_encounter, decks.cosmic())) == FACTS["meta"]["totals"]["encounter"] == 55


def test_without_artifacts_only_they_are_missing() -> None:
    assert Counter(decks.cosmic(artifacts=False)) == printed("encounter", "reinforcement")


def test_the_destiny_deck_is_the_printed_one() -> None:
    assert Counter(decks.destiny(SEATS)) == printed("destiny")
    assert len(decks.destiny(SEATS)) == FACTS["meta"]["totals"]["destiny"] == 20


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_game_has_three_destiny_cards_a_player_and_five(players: int) -> None:
    deck = decks.destiny(SEATS[:players])
    assert len(deck) == 3 * players + 5
    colours = {face.removeprefix("destiny-") for face in deck} & set(SEATS)
    assert colours == set(SEATS[:players])


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("flares", [True, False])
def test_a_game_has_82_cards_with_ten_flares_and_72_without(players: int, flares: bool) -> None:
    setup = Setup("facts", SEATS[:players], {}, Options(aliens="random", flares=flares))
    state = Game(setup, bytes(32)).state
    held = [card.face for player in state.players.values() for card in player.hand]
    on_sheets = [card.face for p in state.players.values() for power in p.powers for card in power.cards]
    cards = Counter(state.deck + held + on_sheets)
    others = Counter({face: n for face, n in cards.items() if faces.type_of(face) != faces.FLARE})
    assert others == Counter(decks.cosmic())
    assert sum(cards.values()) == (FACTS["meta"]["cosmic_deck_with_ten_flares"] if flares else 72)
    assert max(n for face, n in cards.items() if face not in others) == 1 if flares else cards == others
    assert {faces.flare_of(power.id) for p in state.players.values() for power in p.powers} <= set(cards) or not flares


# ---- aliens


def test_the_aliens_are_these_twenty() -> None:
    assert set(CATALOG.aliens) == set(TWENTY)


@pytest.mark.parametrize("alien", TWENTY)
def test_a_sheet_says_what_is_printed(alien: str) -> None:
    fact, sheet = aliens()[alien], CATALOG.aliens[alien].sheet
    said = {
        "id": sheet.id,
        "name": sheet.name,
        "power": sheet.power,
        "alert": sheet.alert,
        "mandatory": sheet.mandatory,
        "who": sheet.who,
        "when": list(sheet.when),
        "excludes": sorted(sheet.excludes),
        "has Game Setup": bool(sheet.setup),
    }
    assert said == {
        "id": alien,
        "name": fact["name"],
        "power": fact["power"]["name"],
        "alert": fact["skill"],
        "mandatory": fact["power"]["mandatory"],
        "who": role(fact["power"]["who"]),
        "when": fact["power"]["timing"],
        "excludes": sorted(fact["excludes"]),
        "has Game Setup": fact["setup"] is not None,
    }


@pytest.mark.parametrize("alien", TWENTY)
@pytest.mark.parametrize("half", ["wild", "super"])
def test_a_half_of_a_flare_says_what_is_printed(alien: str, half: str) -> None:
    fact, sheet = aliens()[alien][half], CATALOG.aliens[alien].sheet
    said = sheet.wild if half == "wild" else sheet.super_
    assert (said.who, list(said.when)) == (role(fact["who"]), fact["timing"])


#: Flares that go somewhere before they come back to the hand.
LATER_BACK = {
    "machine.wild": "lies aside while its player takes a new hand",
    "miser.wild": "lies aside with the two cards that it saves",
}


@pytest.mark.parametrize("alien", TWENTY)
@pytest.mark.parametrize("half", ["wild", "super"])
def test_a_flare_goes_where_it_should_after_use(alien: str, half: str) -> None:
    goes = {hook.goes for hook in CATALOG.aliens[alien].hooks if hook.half == half}
    if aliens()[alien][half]["after"] == "hand" and f"{alien}.{half}" not in LATER_BACK:
        assert goes == {"hand"}
    else:  # to a player, or aside: scenarios show where
        assert goes != {"hand"}


@pytest.mark.parametrize("alien", TWENTY)
def test_an_alien_has_a_power_and_both_halves_of_its_flare(alien: str) -> None:
    """Each of the three has an effect that hangs somewhere."""
    halves = {mark.half for mark in marks() if mark.owner == alien}
    assert halves == {verbs.POWER, verbs.WILD, verbs.SUPER}


@pytest.mark.parametrize("alien", TWENTY)
def test_a_sheet_explains_itself(alien: str) -> None:
    sheet = CATALOG.aliens[alien].sheet
    for text in (sheet.text, sheet.wild.text, sheet.super_.text):
        assert len(text) >= 20
        assert text.endswith(".")
    assert sheet.short
    assert not sheet.short.endswith(".")


# ---- artifacts


ARTIFACTS = {card["id"]: card for card in FACTS["artifact"]}


def test_the_artifacts_are_the_printed_ones() -> None:
    assert set(CATALOG.artifacts) == set(faces.ARTIFACTS) == set(decks.ARTIFACT_COPIES) == set(ARTIFACTS)
    assert len(ARTIFACTS) == 8


@pytest.mark.parametrize("artifact", ARTIFACTS)
def test_an_artifact_says_what_is_printed(artifact: str) -> None:
    fact, card = ARTIFACTS[artifact], CATALOG.artifacts[artifact]
    assert (card.who, list(card.when)) == (role(fact["who"]), fact["timing"])
    assert decks.ARTIFACT_COPIES[artifact] == fact["count"]
    assert card.hooks
    assert {hook.goes for hook in card.hooks} == {"discard"}


def test_the_reinforcements_are_the_printed_ones() -> None:
    (fact,) = FACTS["reinforcement"]
    assert {f"reinforcement-{number}": n for number, n in decks.REINFORCEMENTS.items()} == fact["ids"]
    for card in CATALOG.others.values():
        assert (card.who, list(card.when)) == (role(fact["who"]), fact["timing"])


# ---- hooks


class Mark(NamedTuple):
    """Something in the code that hangs at a place."""

    owner: str
    method: str
    half: str
    place: str
    who: str
    must: bool
    use: bool | None  # None: the engine makes it a use, or the question does not arise
    is_value: bool = False

    def __str__(self) -> str:
        return f"{self.owner}.{self.method}@{self.place}"


class Fact(NamedTuple):
    """A hook of the fact files at one of its windows."""

    hook: dict[str, Any]
    at: str

    @property
    def owner(self) -> str:
        """The alien, artifact or kind of card."""
        first, second = self.hook["id"].split(".")[:2]
        return str(second if first in ("artifact", "card", "destiny") else first)

    @property
    def half(self) -> str:
        """The half of the mark that answers it."""
        part = self.hook["id"].split(".")[1]
        return part if part in (verbs.POWER, verbs.WILD, verbs.SUPER) else verbs.CARD

    def __str__(self) -> str:
        return f"{self.hook['id']}@{self.at}"


def marks() -> Iterator[Mark]:
    """All marks of aliens, artifacts and reinforcements."""
    for alien in CATALOG.aliens.values():
        owner = alien.sheet.id
        for hook in alien.hooks:
            use = hook.announced if hook.half == verbs.POWER else None
            for place in hook.at:
                yield Mark(owner, hook.name.split(".")[1], hook.half, place, hook.who, hook.must, use)
        for value in alien.values:
            place, method = f"{value.verb}:{value.name}", value.effect.__name__
            # What simply holds needs no decision; an offer or a term of a deal is up to somebody.
            yield Mark(owner, method, verbs.POWER, place, value.who, value.verb in ("modifies", "setup"), None, True)
        if alien.plays_from_sheet:
            yield Mark(owner, "plays_from_sheet", verbs.POWER, "source", verbs.ANY, False, None, True)
    for card in (*CATALOG.artifacts.values(), CATALOG.others["reinforcement-2"]):
        owner = card.id.removesuffix("-2")
        for hook in card.hooks:
            for place in hook.at:
                yield Mark(owner, hook.name.split(".")[1], verbs.CARD, place, hook.who, hook.must, None)


def facts() -> Iterator[Fact]:
    """All hooks of what this game has."""
    for hook in census():
        owner = hook["id"].split(".")[0]
        if owner in TWENTY or owner in ("artifact", "card", "destiny"):
            at = hook["at"] if isinstance(hook["at"], list) else [hook["at"]]
            yield from (Fact(hook, name) for name in at if name not in NOT_HERE)


def places(fact: Fact) -> set[str]:
    """The places at which a hook can hang by the rule."""
    if fact.at in WINDOWS:
        return set(WINDOWS[fact.at])
    event = EVENTS[fact.at]
    verb = fact.hook["verb"]
    found = set(event.numbers)
    if verb != "react":
        found.add(event.before)
    if verb != "replace":
        found.add(event.after)
    return found - {""}


def differences(fact: Fact, mark: Mark) -> list[str]:
    """In what a mark at the right place is unlike the hook."""
    found = []
    who = role(fact.hook["who"])
    if mark.place.startswith(("before:", "after:")) and mark.who in (verbs.OWN, verbs.OTHERS):
        who = mark.who  # an event says by itself whom it concerns
    if not mark.is_value and mark.who != who:
        found.append(f"who is {mark.who}, not {who}")
    if mark.half == verbs.POWER and mark.must != fact.hook["mandatory"]:
        found.append(f"must is {mark.must}")
    if mark.half != verbs.POWER and fact.hook["mandatory"]:
        found.append("what follows from a play by itself has no mark of its own")
    if mark.half != verbs.POWER and mark.must:
        found.append("flares and artifacts are never a must")
    if mark.use is not None and mark.use != fact.hook["use"]:
        found.append(f"announced is {mark.use}")
    return found


def answers(fact: Fact, mark: Mark) -> bool:
    """Whether the mark is the hook's counterpart by the rule."""
    return (fact.owner, fact.half) == (mark.owner, mark.half) and mark.place in places(fact)


ALL_MARKS = {str(mark): mark for mark in marks()}
ALL_FACTS = {str(fact): fact for fact in facts()}


@pytest.mark.parametrize("name", ALL_FACTS)
def test_every_hook_of_the_facts_is_in_the_code(name: str) -> None:
    fact = ALL_FACTS[name]
    found = [mark for mark in ALL_MARKS.values() if answers(fact, mark)]
    if name in MOVED:
        assert not found, "it hangs where the rule says, so it needs no explanation"
        found = [ALL_MARKS[MOVED[name].mark]]
        assert (found[0].owner, found[0].half) == (fact.owner, fact.half)
    if name in INSIDE:
        assert INSIDE[name].piece in inspect.getsource(resolve(INSIDE[name].where))
        found = [mark for mark in found if not differences(fact, mark)]
        assert not found, "it hangs where the rule says, so it needs no explanation"
        return
    unlike = {str(mark): differences(fact, mark) for mark in found}
    assert found, f"{fact.owner} has nothing at {' or '.join(sorted(places(fact)))}"
    assert [] in unlike.values(), unlike


@pytest.mark.parametrize("name", ALL_MARKS)
def test_every_mark_in_the_code_is_a_hook_of_the_facts(name: str) -> None:
    mark = ALL_MARKS[name]
    by_rule = [str(fact) for fact in ALL_FACTS.values() if answers(fact, mark) and not differences(fact, mark)]
    moved = [fact for fact, to in MOVED.items() if to.mark == name]
    explained = [name] if name in EXTRA else []
    assert bool(by_rule) + bool(moved) + bool(explained) == 1, (by_rule, moved, explained)


def test_every_explanation_is_of_something_there_is() -> None:
    assert set(MOVED) | set(INSIDE) <= set(ALL_FACTS)
    assert set(EXTRA) <= set(ALL_MARKS)
    assert not set(MOVED) & set(INSIDE)


def test_every_name_of_the_timing_page_is_mapped() -> None:
    page = (ROOT / "tests" / "facts" / "timing.md").read_text(encoding="utf-8")
    named: dict[str, str] = {}
    for names, kind in re.findall(r"^\| [a-z-]* *\| ([a-z, -]+) \| ([WE]) \|", page, re.M):
        named |= dict.fromkeys(names.split(", "), kind)
    for name, kind in named.items():
        assert name in NOT_HERE or name in WINDOWS or (kind == "E" and name in EVENTS), name
    assert set(WINDOWS) <= {name for name, kind in named.items() if kind == "W"}
    assert set(EVENTS) <= set(named)


def test_the_windows_named_here_are_windows_of_the_engine() -> None:
    opened = engine_windows()
    for names in WINDOWS.values():
        assert set(names) <= opened | {"any-window"}
    for event in EVENTS.values():
        assert {event.before, event.after} - {""} <= opened
        numbers = {name.removeprefix("modifies:") for name in event.numbers if name.startswith("modifies:")}
        assert numbers <= engine_numbers()


def resolve(where: str) -> Any:
    """The function or method `module:name`."""
    module, _, name = where.partition(":")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


# ---- what scenarios cite


def citable() -> set[str]:
    """All that a scenario may name as its source: rules, rulings, source tags, entries of fact files, their parts."""
    rules = (ROOT / "tests" / "facts" / "rules.md").read_text(encoding="utf-8")
    names = set(re.findall(r"`([A-Z]{1,2}\d\d)`", rules)) | {ruling["id"] for ruling in read("rulings")}
    names |= set(re.findall(r"\bS00\d\b", rules))
    for alien, fact in aliens().items():
        parts = [f"{alien}.{part}" for part in (*fact, *fact["power"])]
        flares = [f"flare-{alien}.{half}" for half in ("wild", "super")]
        names |= {alien, f"aliens {alien}", f"flare-{alien}", *parts, *flares}
    for kind in ("encounter", "reinforcement", "artifact", "destiny"):
        for card in FACTS[kind]:
            names |= {card["id"], f"cards {card['id']}", *(f"{card['id']}.{part}" for part in card)}
    return names


def cases(entry: str) -> set[str]:
    """The cases and points below `ALIEN.rulings` or `ALIEN.decisions`."""
    alien, _, part = entry.partition(".")
    return {item.get("case") or item.get("point") for item in aliens().get(alien, {}).get(part, [])}


def test_scenarios_cite_facts_that_there_are() -> None:
    known, unknown = citable(), []
    for path in sorted((ROOT / "tests" / "scenarios").rglob("*.yaml")):
        found = re.search(r"^source:.*$", path.read_text(encoding="utf-8"), re.M)
        named = yaml.safe_load(found[0])["source"] if found else []
        for name in named if isinstance(named, list) else [named]:
            entry, _, case = str(name).partition(": ")  # `will.decisions: N11 and own colour` names a single case
            if entry not in known or (case and case not in cases(entry)):
                unknown.append(f"{path.relative_to(ROOT)}: {name}")
    assert not unknown, "\n".join(unknown)


# ---- the sources


#: Names of aliens that are English words besides; the engine may use the words.
WORDS = {"chosen", "human", "loser", "machine", "mind", "reserve", "shadow", "void", "will"}


def named_aliens(source: str) -> list[tuple[int, str]]:
    """Line and name of every alien that a source names: in its code, its texts and its comments."""
    texts = {text for alien in aliens() for text in (alien, f"flare-{alien}")}
    names = [re.escape(alien).replace(r"\-", "[-_ ]?") for alien in aliens() if alien not in WORDS]
    inside = re.compile(rf"(?<![a-z-])({'|'.join(names)})(?![a-z-])", re.I)
    found = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.STRING and token.string.lstrip("rbfu").strip("\"'") in texts:
            found.append((token.start[0], token.string))
        elif token.type in (tokenize.NAME, tokenize.STRING, tokenize.COMMENT):
            found += [(token.start[0], name) for name in inside.findall(token.string)]
    return found


@pytest.mark.parametrize(
    "source",
    [
        'power = "zombie"',
        "if alien == 'will': pass",
        '"flare-void"',
        "# as for Tick-Tock",
        "tick_tock = 1",
        "class Zombie: ...",
    ],
)
def test_a_named_alien_is_found(source: str) -> None:
    assert len(named_aliens(source)) == 1


def test_no_file_of_the_engine_names_an_alien() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {alien}"
        for path in sorted((ROOT / "cosmic_net" / "engine").rglob("*.py"))
        for line, alien in named_aliens(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("package", ["cosmic_net", "protocol", "host", "client"])
def test_no_source_file_has_more_than_400_lines(package: str) -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in sorted((ROOT / package).rglob("*.py"))
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert not long


# ---- the README


CLAIM = re.compile(r"^(\d+) aliens, each with both halves of its flare, and (\d+) kinds of artifact", re.M)


def test_the_readme_counts_what_there_is() -> None:
    (claim,) = CLAIM.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    working = [
        alien
        for alien in CATALOG.aliens
        if {mark.half for mark in marks() if mark.owner == alien} == {verbs.POWER, verbs.WILD, verbs.SUPER}
    ]
    artifacts = [card for card in CATALOG.artifacts.values() if card.hooks]
    assert claim == (str(len(working)), str(len(artifacts)))
