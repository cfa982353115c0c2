"""The prompt at a real terminal: it keeps the line, survives resizing, asks before leaving, needs no colour."""

from __future__ import annotations

import re

import pytest

from tests.terminal.conftest import Open
from tests.terminal.screen import Terminal

pytestmark = pytest.mark.timeout(180)

BOTS = ("play", "--bots", "2", "--name", "Ana", "--port", "0", "--seed", "5", "--short", "--aliens", "flares")


@pytest.fixture
def ana(open_terminal: Open) -> Terminal:
    """Ana in a game with two bots, before her first choice."""
    terminal = open_terminal(*BOTS)
    terminal.wait("Which of your two aliens")
    terminal.wait("waiting for you")
    return terminal


def first_word(terminal: Terminal) -> str:
    """The first answer on the screen."""
    found = re.search(r"^ +1 (\w+)", terminal.text, re.M)
    assert found is not None
    return found[1].lower()


def test_what_is_awaited_and_of_whom_is_always_on_the_screen(ana: Terminal) -> None:
    assert ana.has(r"▲ Ana 0/3 .* warp ▲0")
    assert ana.has(r"^setup · waiting for you.* \(an alien\) · [a-z]+ [a-z]+ [a-z]+$")


def test_a_wrong_answer_says_why_and_keeps_the_line(ana: Terminal) -> None:
    ana.enter("nonsense")
    ana.wait("There is no answer 'nonsense'")
    assert ana.has(r"Ana> nonsense")


def test_tab_completes_the_legal_answers(ana: Terminal) -> None:
    word = first_word(ana)
    ana.type(f"{word[:2]}\t")
    ana.wait(rf"Ana> {word}")


def test_a_half_typed_line_survives_resizing_and_news(ana: Terminal) -> None:
    ana.type("say hel")
    ana.wait(r"Ana> say hel")
    for columns in (60, 120, 80):
        ana.resize(24, columns)
        ana.wait(lambda: any(line.startswith("Ana> say hel") for line in ana.lines))
    ana.enter("lo")
    ana.wait(r"▲ Ana: hello")
    ana.wait(lambda: [line for line in ana.lines if line.startswith("Ana>")] == ["Ana>"])


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_leaving_a_game_is_asked_back_and_then_done(ana: Terminal, key: str) -> None:
    ana.type(key)
    ana.wait(r"Leave the game\? Your seat is kept")
    ana.enter()
    ana.wait(r"You stay\.")
    ana.wait(r"Which of your two aliens")
    ana.type(key)
    ana.wait(r"Leave the game\?")
    ana.enter("y")
    assert ana.wait_end() == 0
    assert ana.told(r"Good-bye\.")
    assert ana.told(r"The table stays open")


def test_board_hand_help_and_lookup_are_one_word_away(ana: Terminal) -> None:
    ana.enter("1")
    ana.wait(lambda: ana.told("Ana is the"))
    ana.enter("board")
    ana.wait(r"planet 1 ")
    ana.wait(r"3 foreign colonies win")
    ana.enter("/hand")
    ana.wait(r"1 (Attack|Negotiate)")
    ana.enter("? zap")
    ana.wait(r"Zap")
    ana.enter("help board")
    ana.wait(r"a wide screen does not show it by itself")
    assert not ana.told(r"Traceback")


def test_no_color_is_respected_and_letters_stand_for_shapes(open_terminal: Open) -> None:
    terminal = open_terminal(*BOTS, NO_COLOR="1", COSMIC_NET_ASCII="1")
    terminal.wait("Which of your two aliens")
    terminal.wait(r"R Ana 0/3")
    colours = {cell.fg for row in terminal._screen.buffer.values() for cell in row.values()}
    assert colours <= {"default"}
    assert not re.search("[▲●■◆★─·]", terminal.everything)


def test_a_dumb_terminal_gets_the_plain_mode(open_terminal: Open) -> None:
    terminal = open_terminal(*BOTS, TERM="dumb")
    terminal.wait("Which of your two aliens")
    terminal.wait(r"^ +1 ")
    assert not terminal.has("Ana>")
    terminal.enter("1")
    terminal.wait(lambda: terminal.told(r"Ana is the"))


def test_a_narrow_and_a_wide_terminal_are_used(open_terminal: Open) -> None:
    narrow = open_terminal(*BOTS, columns=50)
    narrow.wait("Which of your two aliens")
    narrow.wait("waiting for you")
    assert all(len(line) <= 50 for line in narrow.lines)
    narrow.type("\x03")
    narrow.wait("Leave the game")
    narrow.enter("y")
    narrow.wait_end()
    wide = open_terminal(*BOTS, columns=150, rows=40)
    wide.wait("Which of your two aliens")
    wide.enter("1")
    wide.wait(r"── Encounter 1 · .* ─{90,}")
