"""The desk: answers and commands, choices that wait, windows beside questions, leaving."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.desk import commands
from client.errors import Unclear
from client.notes import Connection, Happened
from client.show.style import width
from client.wire.session import Refused
from protocol import messages as m
from tests.client import decisions as d
from tests.client.desks import Table

ZAP = "cosmic-zap"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


async def test_an_answer_is_sent(table: Table) -> None:
    table.ask(d.aim())
    await table.enter("blue-3")
    assert table.sent == [("aim", ["blue-3"])]
    assert table.desk.question() is None


async def test_a_wrong_answer_is_refused_with_the_reason_and_changes_nothing(table: Table) -> None:
    table.ask(d.aim())
    for line in ("red-1", "7", ""):
        with pytest.raises(Unclear):
            table.desk.check(line)
        with pytest.raises(Unclear):
            table.desk.enter(line)
    assert table.sent == []
    assert table.desk.question() is not None


async def test_what_the_host_refuses_is_said_and_asked_again(table: Table) -> None:
    table.player.refuse = Refused("illegal-answer", "not that planet")
    table.ask(d.aim())
    await table.enter("3")
    assert table.printed == ["Not possible: not that planet"]
    assert table.desk.question() is not None


async def test_a_card_waits_to_be_sent_and_can_be_taken_back(table: Table) -> None:
    table.ask(d.seal())
    await table.enter("15")
    assert table.sent == []
    assert "not even the host" in table.printed[0]
    await table.enter("u")
    assert table.printed[-1] == "Taken back; choose anew."
    await table.enter("30")
    await table.enter("")
    assert table.sent == [("select", 3)]


async def test_another_choice_replaces_the_one_that_waits(table: Table) -> None:
    table.ask(d.seal())
    await table.enter("15")
    await table.enter("negotiate")
    await table.enter("y")
    assert table.sent == [("select", 2)]


async def test_commands_leave_a_choice_that_waits_alone(table: Table) -> None:
    table.ask(d.seal())
    await table.enter("15")
    await table.enter("hand")
    assert any("Attack 08" in line for line in table.printed)
    await table.enter("undo")
    assert table.desk.draft is None
    with pytest.raises(Unclear, match="no choice to take back"):
        table.desk.enter("undo")


async def test_a_choice_whose_question_was_closed_is_dropped(table: Table) -> None:
    table.ask(d.seal())
    await table.enter("15")
    table.ask()
    assert table.desk.draft is None
    assert "not sent" in table.printed[-1]


async def test_confirming_can_be_switched_off(table: Table) -> None:
    table.ask(d.seal())
    await table.enter("confirm off")
    await table.enter("15")
    assert table.sent == [("select", 4)]


async def test_a_word_of_the_question_counts_before_a_command(table: Table) -> None:
    options = [d.option("hand", "from the hand"), d.option("board", "from the board")]
    table.ask(d.decision("choose", "which", "Which?", ["hand"], options=options, min=1, max=1))
    await table.enter("board")
    assert table.sent == [("which", ["board"])]
    table.ask(d.decision("choose", "which", "Which?", ["hand"], options=options, min=1, max=1))
    await table.enter("/board")
    assert any("foreign colonies win" in line for line in table.printed)


async def test_without_a_question_the_reason_is_what_is_awaited(table: Table) -> None:
    table.ask()
    with pytest.raises(Unclear, match="Nothing is asked of you now; waiting for nobody"):
        table.desk.enter("3")
    table.desk.enter("")


async def test_a_window_passes_with_enter_and_acts_with_a_number(table: Table) -> None:
    zap = d.option("cosmic-zap", "play {card}", card="cosmic-zap")
    table.ask(d.react(zap))
    await table.enter("")
    table.ask(d.react(zap))
    table.player.answered.clear()
    await table.enter("1")
    assert table.sent == [("window", None), ("window", "cosmic-zap")]


async def test_a_window_beside_a_question_is_a_line_and_passes_with_the_answer(table: Table) -> None:
    zap = d.option("cosmic-zap", "play {card}", card="cosmic-zap")
    table.ask(d.react(zap, window="before-aim"), d.aim())
    lines = table.desk.asking.lines()
    assert lines[0].startswith("Which planet")
    assert lines[-1] == "  meanwhile, before the aim: act? [w] pass · [w1] play Cosmic Zap"
    await table.enter("3")
    assert table.sent == [("aim", ["blue-3"]), ("window", None)]


@pytest.mark.parametrize(
    ("line", "answer"), [("w", None), ("pass", None), ("w1", "cosmic-zap"), ("cosmic-zap", "cosmic-zap")]
)
async def test_a_window_beside_a_question_is_answered_by_itself(table: Table, line: str, answer: str | None) -> None:
    table.ask(d.react(d.option("cosmic-zap", "play {card}", card="cosmic-zap")), d.aim())
    await table.enter(line)
    assert table.sent == [("window", answer)]
    assert table.desk.question() is not None
    assert table.desk.asking.window() is None


async def test_standing_passes(table: Table) -> None:
    table.ask(d.react())
    await table.enter("pass turn")
    await table.enter("pass enc but before:power-used")
    await table.enter("pass off")
    assert table.sent == [
        ("pass", ("turn", ())),
        ("pass", ("encounter", ("before:power-used",))),
        ("pass", ("off", ())),
    ]
    with pytest.raises(Unclear, match="Until when"):
        table.desk.enter("/pass")
    with pytest.raises(Unclear, match="There is no time 'for ever'"):
        table.desk.enter("pass for ever")


async def test_looking_up_by_name_and_by_the_place_in_the_hand(table: Table) -> None:
    table.ask()
    await table.enter("? zombie")
    assert table.printed[0].startswith("Zombie")
    table.printed.clear()
    await table.enter("?6")
    assert table.printed[0].startswith("Card Zap")
    with pytest.raises(Unclear, match="You have 6 cards"):
        table.desk.enter("? 9")


async def test_help_lists_what_is_possible_now(table: Table) -> None:
    table.ask()
    await table.enter("help")
    text = "\n".join(table.printed)
    assert "board" in text
    assert "kick" not in text, "only for who hosts the table"
    table.printed.clear()
    await table.enter("help pass")
    assert table.printed[0].startswith("pass turn | encounter")


def test_every_command_says_what_it_does_and_names_are_unique() -> None:
    names = [name for command in commands.COMMANDS for name in command.names]
    assert len(names) == len(set(names))
    assert all(command.help and len(command.help) < 70 for command in commands.COMMANDS)


async def test_commands_of_the_lobby_send_their_requests(table: Table) -> None:
    await table.enter("ready")
    await table.enter("ready off")
    await table.enter("sit green")
    await table.enter("say hello there")
    assert table.sent == [
        ("Ready", {"ready": True}),
        ("Ready", {"ready": False}),
        ("Sit", {"seat": "green"}),
        ("Say", {"text": "hello there"}),
    ]
    with pytest.raises(Unclear, match="hosts the table"):
        table.desk.enter("start")


def several(*, whispers: bool = True) -> m.Table:
    """Ana's table: Ben, a namesake, a bot, one who is gone, and Zoe who looks on."""
    names = {"red": "Ana", "blue": "Ben", "green": "Ben (2)", "yellow": "Robo", "purple": "Gus"}
    gone: dict[str, m.Presence] = {"purple": "away"}
    seats = [
        m.SeatInfo(seat=seat, name=name, bot=name == "Robo", presence=gone.get(seat, "here"))  # type: ignore[arg-type]
        for seat, name in names.items()
    ]
    house = m.House(whispers=whispers)
    return m.Table(
        name="", phase="lobby", seats=seats, watchers=["Zoe"], options={}, clocks=m.Clocks(), house=house
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "to"),
    [
        ("whisper blue hi", "blue"),
        ("whisper ben hi", "blue"),
        ("whisper Ben (2) hi", "green"),
        ("whisper gre hi", "green"),
        ("/whisper BEN hi", "blue"),
    ],
)
async def test_a_whisper_goes_to_a_name_or_colour(table: Table, line: str, to: str) -> None:
    table.player.told.table, table.player.told.you = several(), m.You(seat="red")
    await table.enter(line)
    assert table.sent == [("whisper", (to, "hi"))]
    assert table.printed[0].startswith("You whisper to ")
    assert table.printed[0].endswith(": hi")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("whisper", "To whom, and what"),
        ("whisper ben", "Whisper what to Ben"),
        ("whisper ana hi", "That is you"),
        ("whisper robo hi", "Robo is a bot"),
        ("whisper gus hi", "Gus is not there now, and whispers do not wait"),
        ("whisper zoe hi", "not for those who look on"),
        ("whisper nobody hi", "There is no player 'nobody'"),
        ("whisper b hi", "could be Ben or Ben"),
        ("whisper ben " + "x" * 501, "at most 500 characters"),
    ],
)
async def test_what_cannot_be_whispered_is_refused_with_the_reason(table: Table, line: str, why: str) -> None:
    table.player.told.table, table.player.told.you = several(), m.You(seat="red")
    with pytest.raises(Unclear, match=why):
        table.desk.enter(line)
    assert table.sent == []


async def test_whispers_are_there_only_where_the_table_allows_them_and_for_those_with_a_seat(table: Table) -> None:
    table.player.told.table = several()
    with pytest.raises(Unclear, match="You look on; only players can whisper"):
        table.desk.enter("whisper ben hi")
    table.player.told.table, table.player.told.you = several(whispers=False), m.You(seat="red")
    with pytest.raises(Unclear, match="only at a table that allows it; its owner can before a game"):
        table.desk.enter("whisper ben hi")
    await table.enter("help")
    assert not any("whisper" in line for line in table.printed)
    assert table.desk.complete("whis") == []
    assert table.sent == []


async def test_tab_offers_to_whom_one_can_whisper(table: Table) -> None:
    table.player.told.table, table.player.told.you = several(), m.You(seat="red")
    table.ask(d.aim())
    assert [step.word for step in table.desk.complete("whis")] == ["whisper"]
    assert [step.word for step in table.desk.complete("whisper ")] == ["Ben ", "Ben (2) ", "Gus "]
    assert [(step.word, step.replaces) for step in table.desk.complete("/whisper bl")] == [("Ben ", 2)]
    assert table.desk.complete("whisper ben hi") == []


async def test_leaving_a_running_game_is_asked_back(table: Table) -> None:
    table.ask(d.aim())
    await table.enter("quit")
    assert not table.desk.over
    await table.enter("")
    assert table.printed[-1] == "You stay."
    await table.enter("quit")
    await table.enter("y")
    assert table.desk.over


async def test_a_connection_that_is_over_closes_the_desk(table: Table) -> None:
    table.take(Connection("down"))
    assert table.printed == ["The connection is gone; trying again …"]
    table.take(Connection("up"))
    assert table.printed[-1] == "Connected again."
    assert table.desk.is_open
    table.take(Connection("over", "The host has been stopped."))
    assert table.desk.over == "The host has been stopped."


async def test_tab_offers_answers_first_and_commands_where_none_fits(table: Table) -> None:
    table.ask(d.aim())
    assert [step.word for step in table.desk.complete("")] == ["blue-2", "blue-3", "blue-5"]
    assert [step.word for step in table.desk.complete("boa")] == ["board"]
    assert [step.word for step in table.desk.complete("/h")] == ["hand", "help"]
    table.ask()
    assert "board" in [step.word for step in table.desk.complete("")]


async def test_the_position_is_dumped_as_a_scenario(table: Table, tmp_path: Path) -> None:
    import json

    from tests.client.golden import FOLDER

    table.player.told.view = json.loads((FOLDER / "view.json").read_text())
    path = tmp_path / "position.yaml"
    await table.enter(f"dump {path}")
    assert "players:" in path.read_text()
    with pytest.raises(Unclear, match="is there already"):
        table.desk.enter(f"dump {path}")


def shown_at(table: Table, columns: int) -> list[str]:
    """What is printed when an encounter begins on a screen of this width."""
    table.printed.clear()
    table.desk.resize(table.desk.style.at(columns))
    table.take(Happened({"n": 1, "kind": "encounter-started", "number": 3, "offense": "blue", "nth": 1}))
    return list(table.printed)


async def test_a_wide_screen_shows_board_and_hand_once_in_an_encounter_unless_that_is_switched_off(
    table: Table,
) -> None:
    table.ask()
    assert not any("planet 1" in line for line in shown_at(table, 100))
    lines = shown_at(table, 130)
    assert sum("planet 1" in line and line.endswith("your hand") for line in lines) == 1
    assert any("Attack 15" in line for line in lines)
    assert all(width(line) <= 130 for line in lines)
    await table.enter("board off")
    assert not any("planet 1" in line for line in shown_at(table, 130))
    await table.enter("board")
    assert any("planet 1" in line for line in table.printed)


async def test_help_lists_in_a_game_nothing_that_belongs_to_the_lobby(table: Table) -> None:
    table.ask()
    await table.enter("help")
    listed = {line.split()[0] for line in table.printed if line.startswith("  ")}
    assert {"board", "hand", "pass", "say", "quit"} <= listed
    assert not {"start", "ready", "sit", "options", "kick", "rematch", "wait", "bot"} & listed


async def test_the_first_window_says_once_how_to_be_asked_less(table: Table) -> None:
    table.ask(d.react(d.option(ZAP, "play {card}", card=ZAP)))
    assert any("`pass encounter`" in line for line in table.desk.asking.lines())
    assert any("`pass encounter`" in line for line in table.desk.asking.lines()), "as long as it is open"
    table.ask(d.aim(), d.react())
    table.player.answered.add(10)
    assert not any("`pass encounter`" in line for line in table.desk.asking.lines())
