"""Every scenario under tests/scenarios passes; and a scenario that should fail does, at its line."""

from pathlib import Path

import pytest

from cosmic_net.bots.agent import Agent
from cosmic_net.bots.chance import Chance
from cosmic_net.bots.table import step
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Options, Setup
from cosmic_net.scenario import ScenarioError, dump, dump_view, parse, run, run_text, run_texts
from cosmic_net.scenario.conservation import Scales
from cosmic_net.scenario.expectations import SHAPES
from cosmic_net.scenario.parser import TOP_KEYS
from cosmic_net.scenario.positions import PHASES, PLAYER_KEYS, START_KEYS
from cosmic_net.scenario.words import WINDOWS

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.rglob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_scenario(path):
    outcome = run_text(path.read_text(encoding="utf-8"), path.relative_to(FOLDER).as_posix())
    assert outcome.passed, "\n".join(outcome.failures)


# ---- the runner itself: what should fail does, and says where

BASE = """\
title: A base
players:
  red:    {hand: [attack-08, negotiate]}
  blue:   {hand: [attack-10]}
  green:  {hand: [card-zap]}
start: {offense: red, phase: planning, target: blue-1, gate: {red: 2}}
play:
  - red: {select: attack-08}
  - blue: {select: attack-10}
expect:
  winner: defense
  totals: {offense: 10, defense: 14}
"""


def failures(*changes):
    """What fails in the base scenario after replacing texts in it: pairs of old and new."""
    text = BASE
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return run_text(text, "base.yaml").failures


def test_the_base_scenario_passes():
    assert failures() == []


def test_a_wrong_expectation_fails_at_its_line():
    assert failures(("winner: defense", "winner: offense")) == ["base.yaml:11: winner should be offense and is defense"]
    assert failures(("defense: 14", "defense: 13")) == [
        "base.yaml:12: totals should be {offense: 10, defense: 13} and is {offense: 10, defense: 14}"
    ]


@pytest.mark.parametrize(
    ("expectation", "message"),
    [
        ("warp: {red: 3}", "warp: red should be 3 and is 2"),
        ("removed: {red: 1}", "removed: red should be 1 and is 0"),
        ("foreign: {red: 1}", "foreign: red should be 1 and is 0"),
        ("home: {red: 1}", "home: red should be 1 and is 5"),
        ("ships: {red: {red-1: 9}}", "ships: red should be {red-1: 9} and is {red-1: 4}"),
        ("colonies: {blue-1: {}}", "colonies: blue-1 should be {} and is {blue: 4}"),
        ("hand: {red: 2}", "hand: red should be 2 and is 1"),
        ("hand: {red: [morph]}", "hand: red should be [morph] and is [negotiate]"),
        ("hand_has: {red: [morph]}", "hand_has: red should be [morph] and is [negotiate]"),
        ("hand_lacks: {red: [negotiate]}", "hand_lacks: red should be [negotiate] and is []"),
        ("power_lost: [red]", "power_lost should be [red] and is []"),
        ("works: {red: true}", "works: red should be true and is false"),
        ("discards: 3", "discards should be 3 and is 2"),
        ("discards_top: [attack-08]", "discards_top should be [attack-08] and is [attack-10]"),
        ("discards_have: [morph]", "discards_have should be [morph] and is [attack-08, attack-10]"),
        ("discards_lack: [attack-10]", "discards_lack should be [attack-10] and is []"),
        ("deck: {count: 1}", "deck should be {count: 1} and is {count: 68}"),
        ("destiny: {count: 1}", "destiny should be {count: 1} and is {count: 14}"),
        ("next: {offense: red}", "next should be {offense: red} and is {offense: blue}"),
        ("success: true", "success should be true and is false"),
        ("margin: 3", "margin should be 3 and is 4"),
        ("cards: {offense: morph}", "cards should be {offense: morph} and is {offense: attack-08}"),
        ("over: true", "over should be true and is false"),
        ("winners: [red]", "winners should be [red] and is []"),
        ("events: [turn-started, deal-done]", "the event deal-done did not happen (in this order)"),
        ("no_events: [outcome]", "the event outcome happened"),
        ("asked: [{topic: aim}]", "{topic: aim} was asked 0 times"),
        ("asked: [{topic: select, times: 3}]", "{topic: select, times: 3} was asked 2 times"),
        ("not_asked: [{seat: red, topic: select}]", "{seat: red, topic: select} was asked"),
        ("encounters: [{winner: offense}]", "winner should be offense and is defense"),
        ("encounters: [{}, {}]", "encounters: 2 should have been played, and there were 1"),
    ],
)
def test_every_expectation_can_fail(expectation, message):
    assert failures(("winner: defense", expectation)) == [f"base.yaml:11: {message}"]


def test_an_answer_that_is_never_asked_for_fails():
    [failure] = failures(("attack-10}\nexpect", "attack-10}\n  - red: {aim: blue-1}\nexpect"))
    assert failure == "base.yaml:10: red's aim: blue-1 was never asked for"


def test_a_play_that_is_never_possible_fails():
    [failure] = failures(("attack-10}\nexpect", "attack-10}\n  - green: {play: card-zap}\nexpect"))
    assert failure == "base.yaml:10: green's play: card-zap was never possible"


def test_a_play_that_had_to_wait_too_long_says_for_what():
    text = BASE.replace("[card-zap]", "[emotion-control]").replace(
        "{select: attack-10}\n", "{select: attack-10}\n  - red: {aim: blue-1}\n  - green: {play: emotion-control}\n"
    )
    assert run_text(text, "base.yaml").failures == [
        "base.yaml:10: red's aim: blue-1 was never asked for",
        "base.yaml:11: green's play: emotion-control was possible only while it waited for red's aim: blue-1 (line 10)",
    ]


def test_a_question_that_is_not_listed_fails():
    [failure] = failures(("  - blue: {select: attack-10}\n", ""))
    assert failure.startswith("base.yaml:8: blue is asked `select` (Which card do you play?)")


def test_an_illegal_answer_fails_with_the_reason():
    first, *_ = failures(("red: {select: attack-08}", "red: {select: attack-40}"))
    assert first == "base.yaml:8: red's select: attack-40 is refused: attack-40 is not among the cards"


def test_an_answer_that_should_be_refused_and_is_not_fails():
    first, *_ = failures(("{select: attack-08}", "{select: attack-08, refused: true}"))
    assert first == "base.yaml:8: red's select: attack-08 is not refused"


def test_a_refusal_for_another_reason_fails():
    first, *_ = failures(("{select: attack-08}", "{select: attack-40, refused: it is late}"))
    assert first == ("base.yaml:8: red's select: attack-40 is refused, but with: attack-40 is not among the cards")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title:", "titel:", "1: unknown key titel in a scenario"),
        ("  red: ", "  pink: ", "3: pink is no colour"),
        ("negotiate]}", "negotiate], ship: 3}", "3: unknown key ship in the player red"),
        ("negotiate]", "attack-8]", "3: there is no card attack-8; write attack-08"),
        ("[attack-10]", "[attack-40, attack-40]", "4: the deck of this game has attack-40 1 times, not 2"),
        ("[card-zap]", "[card-zap, card-zap, card-zap]", "5: the deck of this game has card-zap 2 times, not 3"),
        ("negotiate]}", "negotiate], alien: zombi}", "3: there is no alien zombi"),
        ("negotiate]}", "negotiate], home: [4, 4]}", "3: home needs 5 numbers"),
        ("negotiate]}", "negotiate], home: [4, 4, 4, 4, 4]}", "3: red has 2 ships too many (of 20)"),
        ("negotiate]}", "negotiate], home: [4, 4, 4, 4, 1], warp: 0}", "3: 1 ships of red are missing (of 20)"),
        ("negotiate]}", "negotiate], colonies: {red-1: 1}}", "3: red-1 is a home planet of red"),
        ("negotiate]}", "negotiate], colonies: {pink-1: 1}}", "3: there is no planet pink-1"),
        ("phase: planning", "phase: lunch", "6: phase is one of start-turn, regroup"),
        (", gate: {red: 2}", "", "6: a start in planning needs gate"),
        ("gate: {red: 2}", "gate: {yellow: 2}", "6: yellow is no player of this game"),
        ("offense: red", "offence: red", "6: unknown key offence in start"),
        ("  - red:", "  - purple:", "8: purple is no player of this game"),
        ("{select: attack-08}", "{play: card-sap}", "8: there is no card card-sap"),
        ("winner: defense", "winner: blue", "11: this is one of offense, defense"),
        ("winner: defense", "wins: defense", "11: unknown key wins in expect"),
        ("winner: defense", "warp: {brown: 1}", "11: brown is no player of this game"),
        ("winner: defense", "hand: {red: [attack-99]}", "11: there is no card attack-99"),
        ("winner: defense", "winner: defense\n  winner: offense", "12: winner is given twice"),
        ("winner: defense", "winner: [", "this is no YAML"),
        ("winner: defense", "winner: !!python/name:os.system x", "this is no YAML"),
        ("title: A base", "title: A base\noptions: {planets: 3}", "2: planets must be 4 or 5"),
        ("title: A base", "title: A base\noptions: {pace: 3}", "2: unknown key pace in options"),
        ("title: A base", "title: A base\nuntil: [1]", "2: a word is needed here, not [1]"),
        ("title: A base\n", "", "1: a scenario needs title"),
    ],
)
def test_a_mistake_in_the_text_is_told_with_its_line(old, new, message):
    [failure] = failures((old, new))
    assert message in failure
    assert failure.startswith("base.yaml:")


def test_the_parser_raises_and_the_report_counts():
    with pytest.raises(ScenarioError, match=r"bad\.yaml:1: a scenario is a map"):
        parse("- a list", "bad.yaml")
    report = run_texts([("base.yaml", BASE), ("bad.yaml", "- a list"), ("empty.yaml", "")])
    assert (report.passed, report.failed) == (1, 2)
    assert next(report.lines()) == "ok     base.yaml: A base"
    assert str(report).endswith("\n1 passed, 2 failed")


def test_a_scenario_can_be_run_twice():
    scenario = parse(BASE, "base.yaml")
    assert run(scenario).passed
    assert run(scenario).passed


@pytest.mark.parametrize(
    ("answer", "result"),
    [("timeout", "defense"), ("forged", "defense"), ("attack-08}\n  - red: {open: wrong", "defense")],
)
def test_a_card_that_is_not_played_honestly_forfeits(answer, result):
    changes = [
        ("red: {select: attack-08}", f"red: {{select: {answer}}}"),
        ("totals: {offense: 10, defense: 14}", "margin: null"),
    ]
    assert failures(*changes) == []


def test_a_topic_that_ends_the_scenario_has_to_come():
    [failure] = failures(("title: A base", "title: A base\nuntil: again"))
    assert failure.startswith("base.yaml:10: blue is asked `aim`")


def test_conservation_notices_what_gets_lost_or_comes_from_nowhere():
    game = Game(parse(BASE, "base.yaml").setup, bytes(32))
    scales = Scales(game)
    assert scales.differences(game) == []
    game.state.players["red"].warp += 1
    game.state.discards.append("plague")
    game.state.deck.remove("morph")
    assert scales.differences(game) == [
        "red had 20 ships and has 21",
        "morph is missing 1 times",
        "plague is there 1 times too often",
    ]


ZAPS = """\
title: Who zaps
players:
  red:    {alien: zombie, hand: [attack-08]}
  blue:   {hand: [attack-40, cosmic-zap]}
  green:  {hand: [cosmic-zap]}
start: {offense: red, phase: planning, target: blue-1, gate: {red: 2}}
play:
  - red: {select: attack-08}
  - blue: {select: attack-40}
PLAY
expect:
  warp: {red: 2}
  events: [{kind: card-played, seat: SEAT, card: cosmic-zap}]
  hand: {blue: BLUE, green: GREEN}
"""


@pytest.mark.parametrize(
    ("play", "seat", "blue", "green"),
    [
        # One after the other, as listed: nothing is left to zap for the second, who is not listed then.
        (["- green: {play: cosmic-zap}"], "green", 1, 0),
        (["- blue: {play: cosmic-zap}"], "blue", 0, 1),
        # At the same moment: the game's order decides, and the other keeps the card.
        (["- {green: {play: cosmic-zap}, blue: {play: cosmic-zap}}"], "blue", 0, 1),
        (["- {blue: {play: cosmic-zap}, green: {play: cosmic-zap}}"], "blue", 0, 1),
    ],
)
def test_the_list_or_the_game_decides_who_comes_first(play, seat, blue, green):
    text = ZAPS.replace("PLAY", "\n".join(f"  {line}" for line in play)).replace("SEAT", seat)
    text = text.replace("BLUE", str(blue)).replace("GREEN", str(green))
    assert run_text(text, "zaps.yaml").failures == []


HANDS = """\
title: Hands at random
players:
  red:    {hand: [attack-08]}
  blue:   {}
  green:
start: {offense: red, phase: regroup}
until: aim
seed: SEED
destiny: [blue]
deck: [morph]
play: []
expect:
  hand: {blue: 8, green: 8}
  deck: {top: [morph], count: 55}
"""


def test_a_hand_that_is_not_given_is_dealt_from_the_rest_of_the_deck():
    hands = []
    for seed in ("0", "1", "1"):
        text = HANDS.replace("SEED", seed)
        assert run_text(text, "hands.yaml").failures == []
        game = Game(parse(text, "hands.yaml").setup, bytes(31) + bytes([int(seed)]))
        hands.append([card.face for card in game.state.players["blue"].hand])
    assert hands[0] != hands[1] == hands[2]


# ---- dumping


def played(inputs, seed=b"\x07" * 32):
    """A game of four chance players after some inputs."""
    seats = ("red", "blue", "green", "yellow")
    game = Game(Setup("dumped", seats, options=Options(aliens="random")), seed)
    agents = {seat: Agent(Chance(seed[:31] + bytes([i])), seat.encode()) for i, seat in enumerate(seats)}
    for _ in range(inputs):
        if not game.over:
            step(game, agents)
    return game


@pytest.mark.parametrize("inputs", [0, 60, 200])
def test_a_dumped_game_runs_and_dumps_the_same_again(inputs):
    text = dump(played(inputs))
    assert run_text(text, "dumped.yaml").failures == []
    assert dump(Game(parse(text, "dumped.yaml").setup, bytes(32))) == text


@pytest.mark.parametrize("inputs", [0, 60, 200])
def test_a_dumped_view_runs_and_names_no_hand_but_ones_own(inputs):
    game = played(inputs)
    text = dump_view(game.view("blue"))
    parse(text, "dumped.yaml")
    assert text.count("hand: ") == 1
    assert "\ndeck:" not in text


# ---- the documentation


def test_the_documentation_names_everything_that_can_be_written():
    text = (Path(__file__).parent.parent / "docs" / "scenarios.md").read_text(encoding="utf-8")
    words = {*TOP_KEYS, *PLAYER_KEYS, *START_KEYS, *PHASES, *SHAPES, *WINDOWS}
    assert [word for word in sorted(words) if f"`{word}`" not in text] == []


def documented():
    """The whole scenarios of the documentation."""
    text = (Path(__file__).parent.parent / "docs" / "scenarios.md").read_text(encoding="utf-8")
    return [block.split("```")[0] for block in text.split("```yaml\n")[1:]]


@pytest.mark.parametrize("text", documented(), ids=lambda text: text.split("\n")[0])
def test_the_examples_of_the_documentation_pass(text):
    outcome = run_text(text, "docs/scenarios.md")
    assert outcome.passed, "\n".join(outcome.failures)
