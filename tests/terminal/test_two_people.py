"""Two people at two terminals: host, join by the code, talk, start, and an encounter with allies, a reveal and a deal.

Everything they do they do because of what their screens show.
"""

from __future__ import annotations

import re

import pytest

from tests.terminal.conftest import Open
from tests.terminal.people import Habits, Person, play_until
from tests.terminal.screen import Terminal

PRACTICE = ("--seed", "2", "--ask", "all", "--short", "--goal", "5", "--no-flares", "--aliens", "random")
FAST = ("--reaction-s", "0.5")

OFFER = "offer 1 card at random for 1 card at random"


def card(question: str) -> str:
    """Peaceful people: they negotiate whenever they can."""
    return "negotiate" if "Negotiate" in question else "#1"


def bargain(question: str) -> str:
    return "accept" if "accept:" in question else OFFER


HABITS: Habits = [
    (r"\[Enter\] send it", ""),
    (r"Make a deal with", bargain),
    (r"Which card do you play", card),
    (r"Whom do you invite", "all"),
    (r"Whom do you join", "1"),
    (r"How many ships", "2"),
    (r"own colour", "redraw"),
    (r"\[Enter\] pass", ""),
    (r"^  1 ", "1"),
    (r"\[Enter\]", ""),
    (r"a number, (\d)", "0"),
]


def at_one_table(open_terminal: Open) -> tuple[Terminal, Terminal]:
    """Ana hosts with a bot; Ben joins with the code that stands on her screen."""
    ana = open_terminal(
        "host", "--name", "Ana", "--here", "--port", "0", "--bots", "1", "--reaction-s", "0.5", *PRACTICE
    )
    ana.wait(r"Join with: cosmic-net join \S+")
    code = re.search(r"cosmic-net join (\S+)", ana.text)
    assert code is not None
    ben = open_terminal("join", code[1], "--name", "Ben", "--profile", "ben")
    ben.wait(r"● Ben \(you, choosing\)")
    ana.wait(r"● Ben sits down")
    ana.wait(r"\(a bot\) sits down")
    return ana, ben


def seen(terminal: Terminal) -> bool:
    """Whether this screen has shown an alliance, and a deal between the two people from its reveal to its end."""
    return terminal.told(r"\w+ joins \w+ with \d ships?") and terminal.told("The deal is carried out")


@pytest.mark.timeout(300)
def test_two_people_play_from_the_lobby_to_a_deal(open_terminal: Open) -> None:
    ana, ben = at_one_table(open_terminal)

    ben.enter("say hello, Ana")
    ana.wait(r"● Ben: hello, Ana")
    ana.enter("start")
    ana.wait(r"not ready yet: Ben")
    ben.enter("ready")
    ana.wait(r"● Ben is ready")
    ana.enter("start")
    people = [Person("Ana", ana, HABITS), Person("Ben", ben, HABITS)]
    play_until(people, lambda: all(seen(each.terminal) for each in people), "an alliance and a deal", 240)

    for mine, other in ((ana, "Ben"), (ben, "Ana")):
        story = mine.everything
        assert "This is a practice table" in story
        assert re.search(rf"{other} has committed a card\. \([0-9a-f]{{4}} [0-9a-f]{{4}}\)", story)
        assert re.search(r"── Reveal ─+\n +[▲●] (Ana|Ben)  Negotiate\n +[▲●] (Ana|Ben)  Negotiate", story)
        assert "both openings check out (2 of 2)" in story
        assert re.search(r"── Deal · (Ben and Ana|Ana and Ben) talk ─", story)
        assert re.search(r"(Ana|Ben) offers: \w+ gives 1 card at random;\s+\w+ gives 1 card at random", story)
        assert not re.search(r"Traceback|\^\[|!!", story)
        assert all(len(line) <= 80 for line in mine.lines)
    assert any("Which card do you play" in question for question in people[0].answered)
    assert any("not even the host, can see it" in question for question in people[0].answered)

    for terminal in (ana, ben):
        terminal.wait(r"· [a-z]+ [a-z]+ [a-z]+$")  # the words of the record, below the prompt


@pytest.mark.timeout(300)
def test_a_reveal_of_two_attacks_is_shown_as_sums(open_terminal: Open) -> None:
    ana, ben = at_one_table(open_terminal)
    ben.enter("ready")
    ana.wait(r"● Ben is ready")
    ana.enter("start")
    fighting: Habits = [(r"Which card do you play", "#1"), *HABITS]
    people = [Person("Ana", ana, fighting), Person("Ben", ben, fighting)]
    sums = r"── Reveal ─+\n( +[▲●■◆★] .* = \d+( so far)?\n){2}"
    play_until(people, lambda: ana.told(sums) and ben.told(sums), "two sums", 240)
    for terminal in (ana, ben):
        for line in re.findall(r"^ +[▲●■◆★] (.*) = (-?\d+)", terminal.everything, re.M):
            check_sum(*line)


def check_sum(terms: str, total: str) -> None:
    """A sum on the screen is right."""
    counts = re.search(r"counts (-?\d+)", terms)
    attack = int(counts[1]) if counts else int(re.search(r"Attack (\d+)", terms)[1])  # type: ignore[index]
    others = re.findall(r"([+-]) (\d+) ", terms)
    assert attack + sum(int(number) if sign == "+" else -int(number) for sign, number in others) == int(total), terms
