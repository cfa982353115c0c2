"""An evening of two people at two terminals on which everything breaks once: a client, then the host; and a rematch.

Everything they do they do because of what their screens show, and everything is asserted from what those show.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from client.wire.hosting import Running
from tests.terminal.conftest import Open
from tests.terminal.people import Habits, Person, play_until
from tests.terminal.screen import Terminal, wait_all

TABLE = ("--here", "--port", "0", "--bots", "1", "--seed", "62", "--short", "--no-flares", "--reaction-s", "0.5")
"""Ben has the first turn, against Ana, and neither alien meddles with the cards."""
STORY = re.compile(r"── .*|[a-z][a-z ]{9} [^·]*| {11}\S.*| {4}[▲●■◆★] .*")
TOLD_ONCE = r"turns up|The defense is|aims at|sends \d|invites|has committed a card|to the warp|wins the encounter"
AIM, CARD = "At which planet do you meet Ana", "Which card do you play"
WRONG = r"Traceback|\^\[|\x1b|!!|went wrong"


def best(question: str) -> str:
    """The highest attack, by its number; without one the first card."""
    attacks = re.findall(r"(\d+) Attack (\d+)", question)
    return f"#{max(attacks, key=lambda attack: int(attack[1]))[0]}" if attacks else "#1"


def most(question: str) -> str:
    """As many ships as there may be."""
    bounds = re.search(r"^  (?:\d to )?(\d) ships: ", question, re.M)
    assert bounds is not None
    return bounds[1]


HABITS: Habits = [
    (r"\[Enter\] send it", ""),
    (r"Which card do you play", best),
    (r"Make a deal with", "refuse"),
    (r"Whom do you invite", "all"),
    (r"Whom do you join", "1"),
    (r"^  (\d to )?\d ships: ", most),
    (r"own colour", "redraw"),
    (r"\[Enter\] pass", ""),
    (r"^  1 ", "1"),
    (r"\[Enter\]", ""),
    (r"a number, (\d)", "0"),
]


def story(*texts: str) -> str:
    """What the screens told of the game: without questions, talk and the cards that only one of them may see."""
    lines = [line for text in texts for line in text.splitlines() if STORY.fullmatch(line)]
    return re.sub(r"(cards?|compensation) \([A-Z][^)]*\)", r"\1", " ".join(" ".join(lines).replace("─", "").split()))


def after(mark: str, text: str) -> str:
    """What stands behind the last mark."""
    assert mark in text
    return text.rsplit(mark, 1)[1]


def words(terminal: Terminal) -> str:
    """The words of the record, below the prompt; "" while the screen is being drawn."""
    found = re.search(r" · ([a-z]+ [a-z]+ [a-z]+)\Z", terminal.text)
    return found[1] if found is not None else ""


def sit_down(open_terminal: Open) -> tuple[Person, Person, str]:
    """Ana hosts, Ben joins by the code; they talk, Ben changes his seat, Ana the options; all is seen by both."""
    ana = open_terminal("host", "--name", "Ana", *TABLE)
    ana.wait(r"Join with: cosmic-net join \S+")
    code = re.search(r"cosmic-net join (\S+)", ana.text)
    assert code is not None
    ben = open_terminal("join", code[1], "--name", "Ben", "--profile", "ben", rows=45, columns=140)
    ben.wait(r"● Ben \(you, choosing\)")
    ana.wait(r"● Ben sits down")
    ana.wait(r"\(a bot\) sits down")
    ben.enter("say hello, Ana")
    ana.wait(r"● Ben: hello, Ana")
    ana.enter("say hello, Ben")
    ben.wait(r"▲ Ana: hello, Ben")
    ben.enter("sit green")
    ana.enter("options goal 2")
    for each in (ana, ben):
        each.wait(r"Ben sits at ■ green now")
        each.wait(r"The options are now: practice, 4 planets, 2 foreign colonies win")
        each.enter("explain off")
        each.wait(r"Explanations are off")
    ana.enter("start")
    ana.wait(r"not ready yet: Ben")
    ben.enter("ready")
    ana.wait(r"■ Ben is ready")
    ana.enter("start")
    return Person("Ana", ana, HABITS), Person("Ben", ben, HABITS), code[1]


def asked(person: Person, pattern: str) -> str:
    """The open question and its answers, if it matches."""
    found = re.search(rf"^{pattern}.*", person.question, re.M | re.S)
    return found[0] if found is not None and person.terminal.quiet else ""


def play_until_asked(people: Sequence[Person], whom: Sequence[Person], pattern: str) -> list[str]:
    """Lets both answer until these are asked something that matches, all of them at once; returns the questions."""

    def step() -> bool:
        waiting = [person for person in whom if asked(person, pattern)]
        if len(waiting) == len(whom):
            return True
        for person in people:
            if person not in waiting:
                person.act()
        return False

    wait_all([person.terminal for person in people], step, pattern)
    return [asked(person, pattern) for person in whom]


def ben_is_killed(open_terminal: Open, ana: Person, ben: Person, code: str) -> Person:
    """Ben's program is killed while he is asked something, and started again: the same seat, the same question."""
    (question,) = play_until_asked([ana, ben], [ben], AIM)
    before, record = ana.terminal.everything, words(ben.terminal)
    assert record
    assert story(ben.terminal.everything) == story(before)
    ben.terminal.kill()
    back = Person("Ben", open_terminal("join", code, "--profile", "ben", rows=45, columns=140), HABITS)
    back.terminal.wait(lambda: asked(back, AIM) == question)
    assert back.terminal.has("The game goes on")
    assert back.terminal.has("■ Ben 0/2")
    back.terminal.wait(lambda: words(back.terminal) == record)
    back.terminal.enter("say I am back")
    ana.terminal.wait("■ Ben: I am back")
    (said,) = re.findall(r"^■ Ben: I am back$", ana.terminal.everything, re.M)
    seen = ana.terminal.everything.partition(said)[0].splitlines()
    new = [line for line in seen[len(before.splitlines()) - 3 :] if line]  # the prompt and the status are 3 lines
    assert len(new) <= 1, new
    return back


def host_is_killed(open_terminal: Open, people: Sequence[Person], folder: Path, code: str) -> None:
    """The host is killed while both are asked something; Ana resumes it, and both go on by themselves."""
    questions = play_until_asked(people, people, CARD)
    running = Running.read(folder)
    assert running is not None
    os.kill(running.pid, signal.SIGKILL)
    terminals = [person.terminal for person in people]
    for each in terminals:
        each.wait("The connection is gone; trying again")
        each.wait(r"cosmic-net resume")
        each.wait("no connection; trying again")
    second = open_terminal("resume")
    assert second.wait_end() == 0
    assert f"cosmic-net join {code}" in second.text
    assert "The table is open again, with the same game" in " ".join(second.text.split())
    again = Running.read(folder)
    assert again is not None
    assert (again.port, again.key, again.codes) == (running.port, running.key, running.codes)
    wait_all(terminals, lambda: all(each.has("Connected again") for each in terminals), "the connection")
    wait_all(terminals, lambda: [asked(person, CARD) for person in people] == questions, "the open questions")


def all_events(terminal: Terminal) -> str:
    """What `log` tells of the whole game."""
    terminal.enter("log 500")
    terminal.wait(lambda: story(terminal.everything).count("The game is over") == 1)
    return story(after("> log 500", terminal.everything))


def check_stories(ana: Person, ben: Person) -> None:
    """Both have told the whole game, each line of it once, though Ben came to it late."""
    everything = [person.terminal.everything for person in (ana, ben)]
    whole, from_his_return = story(everything[0]), story(everything[1])
    assert from_his_return == whole[whole.index("Encounter 1") :]
    for number, headline in enumerate(re.findall(r"Encounter (\d+) ·", whole), 1):
        assert int(headline) == number
    for person in (ana, ben):
        again = all_events(person.terminal)
        assert len(re.findall(TOLD_ONCE, again)) == len(re.findall(TOLD_ONCE, whole))


def play_again(ana: Person, ben: Person) -> None:
    """A rematch: both are in the lobby with their seats, get ready, start, and play an encounter."""
    ana.terminal.enter("rematch")
    for person in (ana, ben):
        person.terminal.wait("Back in the lobby for another game")
        person.terminal.wait(r"lobby ·")
        person.terminal.enter("who")
    ana.terminal.wait(r"▲ Ana \(you, host\)   ● open \(blue\)   ■ Ben \(choosing\)")
    ben.terminal.wait(r"▲ Ana \(host\)   ● open \(blue\)   ■ Ben \(you, choosing\)")
    ben.terminal.enter("ready")
    ana.terminal.wait(r"lobby .* all are ready")
    ana.terminal.enter("start")

    def told(person: Person, pattern: str) -> bool:
        return re.search(pattern, after("Back in the lobby", person.terminal.everything), re.S) is not None

    def played() -> bool:
        return all(told(each, r"Encounter 1 ·.*(Encounter 2 ·|The end)") for each in (ana, ben))

    play_until([ana, ben], played, "an encounter of the new game", 120)
    assert all(told(each, r"both openings check out \(2 of 2\)") for each in (ana, ben))


@pytest.mark.timeout(400)
def test_an_evening_goes_on_through_a_killed_client_and_a_killed_host_to_the_end_and_a_rematch(
    open_terminal: Open, tmp_path: Path
) -> None:
    ana, ben, code = sit_down(open_terminal)
    (folder,) = (tmp_path / "tables").iterdir()
    ben = ben_is_killed(open_terminal, ana, ben, code)
    host_is_killed(open_terminal, [ana, ben], folder, code)

    people = [ana, ben]
    ended = r"── The end ─+\n(.*) win"
    play_until(people, lambda: all(each.terminal.told(ended) for each in people), "the end of the game", 180)
    for person in people:
        person.terminal.wait(r"Checked here: all \d+ entries of the record, every draw and every signature\.")
    wait_all([ana.terminal, ben.terminal], lambda: words(ana.terminal) == words(ben.terminal) != "", "the same words")
    check_stories(ana, ben)

    play_again(ana, ben)
    for person in people:
        assert not re.search(WRONG, person.terminal.everything)
