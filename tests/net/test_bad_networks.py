"""Games in networks that are slow, lose packets, are cut for a while, or hand out other addresses meanwhile.

The clients are real ones. At the end each has checked that the record is sound, that its own answers are in it once,
and that it was told of everything that happened, once and in order.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from protocol import z85
from tests.net.lan import IP, ROOT, Lan, Machine
from tests.net.players import Playing, same_ending
from tests.net.test_lan import MakeLan, wait_for
from tests.support import bad_link

SHORT = {"goal": 1, "planets": 4, "aliens": "random", "ask": "able"}
PORT = "21977"
TEXTS = ("one", "two", "three")
BACK_SECONDS = 10.0
LONG_CUT_SECONDS = float(os.environ.get("SOAK_CUT", "30"))


def open_table(machine: Machine, *options: str, **clocks: float) -> bytes:
    """Opens a table on this machine, with more options of a host; returns its key."""
    folder = machine.host(
        "Ours",
        "--port",
        PORT,
        *options,
        "--options",
        json.dumps(SHORT),
        "--clocks",
        json.dumps(clocks | {"away_s": 0.0}),
    )
    return z85.decode(json.loads((folder / "table.json").read_text())["key"])


def sit_down(machines: list[Machine], address: str, key: bytes, *options: str) -> list[Playing]:
    """A player on each of these machines (one may be named more than once), in a game that begins."""
    players: list[Playing] = []
    for number, machine in enumerate(machines, 1):
        more = ("--start", str(len(machines))) if number == 1 else ()
        players.append(Playing(machine, number, f"{address}:{PORT}", key, *options, *more))
        if number == 1:
            players[0].wait("up")  # the first who comes is the owner
    for player in players:
        player.wait("encounter")
    return players


@contextmanager
def bad_network(lan: Lan, *options: str) -> Iterator[None]:
    """A second, bad connection between the first two machines: 10.78.1.1 and 10.78.1.2."""
    one, two = lan.machines[:2]
    words = ("tests.support.bad_link", one.space, "10.78.1.1", two.space, "10.78.1.2", *options)
    assert IP is not None
    process = subprocess.Popen(
        [IP, "netns", "exec", lan.switch, sys.executable, "-m", *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert (said := process.stdout.readline()) == "ready\n", said + process.stdout.read()
        yield
        process.stdin.close()
        print(process.stdout.read())
        assert process.wait(5) == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdin.close()
        process.stdout.close()


@pytest.fixture
def may_use_tun(may_make_networks: None) -> None:
    """Skips where there are no TUN devices."""
    if not Path(bad_link.TUN).exists():
        pytest.skip(f"{bad_link.TUN} is missing")
    try:
        os.close(os.open(bad_link.TUN, os.O_RDWR))
    except OSError as error:
        pytest.skip(f"{bad_link.TUN} cannot be used: {error.strerror}")


@pytest.mark.timeout(120)
def test_a_game_over_a_slow_network_that_loses_packets(make_lan: MakeLan, may_use_tun: None) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    with bad_network(lan, "--delay-ms", "200", "--loss", "0.05", "--seed", "7"):
        players = sit_down([ben] * 3, "10.78.1.1", open_table(ann, "--unlisted", reaction_s=0.5, deal_s=10.0))
        same_ending(players, 90.0)


def pull_cable(lan: Lan, machine: Machine, up: bool) -> None:
    """The port at the switch goes down, and up again."""
    assert IP is not None
    state = "up" if up else "down"
    subprocess.run([IP, "-n", lan.switch, "link", "set", machine.port, state], check=True)


def switch_off(_: Lan, machine: Machine, up: bool) -> None:
    """The interface itself is switched off, and on again."""
    machine.ip(f"link set lan0 {'up' if up else 'down'}")


def stuck(players: list[Playing], seat: str) -> bool:
    """Whether all know the same and wait for this seat alone."""
    states = [player.state() for player in players]
    return {*states[0]["waiting"]} == {seat} and len({state["head"] for state in states}) == 1


@pytest.mark.parametrize(
    ("cut", "seconds"),
    [
        (pull_cable, 10.0),
        pytest.param(switch_off, 10.0, marks=pytest.mark.soak),
        pytest.param(pull_cable, LONG_CUT_SECONDS, marks=pytest.mark.soak),
    ],
)
def test_who_was_cut_off_is_back_with_all_that_was_missed(
    make_lan: MakeLan, cut: Callable[[Lan, Machine, bool], None], seconds: float
) -> None:
    lan = make_lan(3)
    ann, ben, carl = lan.machines
    players = sit_down([ann, carl, ben], ann.address, open_table(ann, "--unlisted", reaction_s=1.0), "--pause", "0.1")
    # Not the one who is asked first: the others shall go on for a while.
    lost, machine = players[2], ben
    if players[0].state()["waiting"] == [lost.seat]:
        lost, machine = players[1], carl
    first, second = (player for player in players if player is not lost)
    lost.tell("hold")
    cut(lan, machine, False)
    began = time.monotonic()
    lost.tell("say in vain")  # into a connection that nobody knows to be dead
    lost.wait("down")
    for text in TEXTS:
        first.tell(f"say {text}")
    time.sleep(max(0.0, seconds - (time.monotonic() - began)))
    # Meanwhile the others have gone on until nothing could be done without the one who is missing.
    wait_for("the others", lambda: stuck([first, second], lost.seat))
    cut(lan, machine, True)
    back = time.monotonic()
    assert lost.wait("up", BACK_SECONDS)["at"] - back < BACK_SECONDS
    wait_for("all that was missed", lambda: stuck(players, lost.seat), BACK_SECONDS - (time.monotonic() - back))
    state = lost.state()
    assert state["prompts"]
    assert set(TEXTS) <= set(state["said"])
    lost.tell("go")
    endings = same_ending(players)
    assert endings[players.index(lost)]["downs"] > 0
    for ending in endings:
        assert sorted(ending["said"]) == sorted([*TEXTS, "in vain"])


def test_who_gets_another_address_is_back_in_play(make_lan: MakeLan) -> None:
    lan = make_lan(3)
    ann, ben, carl = lan.machines
    players = sit_down([ann, carl, ben], ann.address, open_table(ann, "--unlisted", reaction_s=1.0), "--pause", "0.1")
    moved = players[2]
    moved.tell("hold")
    ben.ip(f"addr del {ben.address}/24 dev lan0")
    ben.ip("addr add 10.77.1.22/24 brd + dev lan0")
    changed = time.monotonic()
    moved.wait("down", BACK_SECONDS)
    assert moved.wait("up", BACK_SECONDS)["at"] - changed < BACK_SECONDS
    moved.tell("go")
    same_ending(players)


def test_frozen_clients_thaw_and_play_on(make_lan: MakeLan) -> None:
    lan = make_lan(3)
    ann, ben, carl = lan.machines
    players = sit_down([ann, ben, carl], ann.address, open_table(ann, "--unlisted", reaction_s=1.0), "--pause", "0.1")
    first, *frozen = players
    for player in frozen:
        player.freeze()
    time.sleep(8.0)
    first.tell("say still here")
    assert {first.wait("presence")["state"] for _ in frozen} == {"away"}
    began = time.monotonic()
    for player in frozen:
        player.thaw()
    assert {first.wait("presence", BACK_SECONDS)["state"] for _ in frozen} == {"here"}
    assert time.monotonic() - began < BACK_SECONDS
    for ending in same_ending(players):
        assert ending["said"] == ["still here"]
