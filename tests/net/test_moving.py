"""A host whose computer gets another address in mid-game: its players come back, by themselves or by its new code."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
import time

import pytest

from tests.net.lan import Machine
from tests.net.players import Playing, same_ending
from tests.net.test_bad_networks import PORT, SHORT, open_table, sit_down
from tests.net.test_lan import MakeLan, announced, announcement, wait_for

BACK_SECONDS = 30.0
NEW = "10.77.1.91"
IMPOSTOR = """
import asyncio, sys
from host.advert import Announcer
from host.keyservice import KeyService
from protocol.advert import Advert

async def main(key, port):
    await KeyService(key).bind("*", port + 1)
    await asyncio.start_server(lambda reader, writer: print("came", flush=True), None, port)
    Announcer("*", lambda: Advert(key, name="Ours")).start(port)
    await asyncio.Event().wait()

asyncio.run(main(bytes.fromhex(sys.argv[1]), int(sys.argv[2])))
"""
"""Says that it is the host with a key, and is not."""


def move(machine: Machine) -> None:
    """Takes the machine's addresses away, and gives it a new one."""
    machine.ip("addr flush dev lan0 scope global")
    machine.ip(f"addr add {NEW}/24 brd + dev lan0")


class Typing:
    """A person at a plain terminal on one of the machines: the program, what it prints, what is typed."""

    def __init__(self, machine: Machine, *words: str) -> None:
        self.process: subprocess.Popen[str] = machine.start("-m", "client", *words, "--plain", piped=True)
        self.printed: list[str] = []
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def type(self, line: str) -> None:
        """Types a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def reads(self, text: str, seconds: float = BACK_SECONDS) -> str:
        """Waits until a line with this text is printed; returns it."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"{text!r} was not printed in {seconds} s; but {self.printed}") from None
            self.printed.append(line)
            if text in line:
                return line


def hold(machines: list[Machine], address: str, key: bytes) -> list[Playing]:
    """Players on these machines, in a game in which nobody answers for the time being."""
    players = sit_down(machines, address, key, "--pause", "0.1")
    for player in players:
        player.tell("hold")
    return players


@pytest.mark.timeout(120)
def test_all_come_back_by_themselves_when_their_host_has_another_address(make_lan: MakeLan) -> None:
    lan = make_lan(3)
    ann, ben, carl = lan.machines
    key = open_table(ann, reaction_s=1.0)
    folder = ann.home / "tables" / "ours"
    announced(folder)
    players = hold([ann, ben, carl], ann.address, key)
    old = announcement(folder)["codes"]
    move(ann)
    moved = time.monotonic()
    players[1].tell("say in vain")  # into a connection that nobody knows to be dead
    for player in players:
        player.wait("down", BACK_SECONDS)
    for player in players:
        print(f"back after {player.wait('up', BACK_SECONDS)['at'] - moved:.1f} s")
    assert announcement(folder)["codes"] != old
    for player in players:
        player.tell("go")
    for ending in same_ending(players):
        assert (ending["downs"], ending["said"]) == (1, ["in vain"])


@pytest.mark.timeout(120)
def test_all_come_back_though_another_host_has_the_old_address(make_lan: MakeLan) -> None:
    lan = make_lan(3)
    ann, ben, carl = lan.machines
    key = open_table(ann, reaction_s=1.0)
    announced(ann.home / "tables" / "ours")
    players = hold([ben] * 3, ann.address, key)
    move(ann)
    carl.ip(f"addr add {ann.address}/24 brd + dev lan0")
    carl.host("Another", "--port", PORT)
    ben.ip("neigh flush dev lan0")
    for player in players:
        player.wait("down", BACK_SECONDS)
        player.wait("up", BACK_SECONDS)
        player.tell("go")
    same_ending(players)


@pytest.mark.timeout(120)
def test_who_announces_anothers_host_keeps_nobody_from_coming_back_to_it(make_lan: MakeLan) -> None:
    lan = make_lan(3)
    ann, ben, carl = lan.machines
    key = open_table(ann, reaction_s=1.0)
    folder = ann.home / "tables" / "ours"
    players = hold([ben] * 3, ann.address, key)
    impostor = carl.start("-c", IMPOSTOR, key.hex(), PORT)
    pid = json.loads((folder / "table.json").read_text())["pid"]
    os.kill(pid, signal.SIGKILL)
    for player in players:
        player.wait("down", BACK_SECONDS)
    assert impostor.stdout is not None
    for _ in range(3 * len(players)):  # each looks whether somebody is there, and then tries to connect more than once
        assert impostor.stdout.readline() == "came\n"
    ann.start("-m", "host", str(folder), "--resume")
    for player in players:
        player.wait("up", BACK_SECONDS)
        player.tell("go")
    same_ending(players)


def test_an_old_code_and_an_old_invite_lead_to_where_the_host_is_now(make_lan: MakeLan) -> None:
    lan = make_lan(3)
    ann, ben, carl = lan.machines
    folder = ann.host("Ann's table")
    announced(folder)
    old = announcement(folder)
    move(ann)
    wait_for("the new announcement", lambda: (folder / "host.log").read_text().count("announced on") == 2)
    for code in (old["codes"][0], old["invites"][0]):
        status, output = ben.client("join", code, "--plain", lines="quit\n")
        assert status == 0, output
        assert 'Table "Ann\'s table"' in output
        assert "must show the same words" not in output
    carl.ip(f"addr add {ann.address}/24 brd + dev lan0")
    carl.host("Another", "--port", PORT)
    ben.ip("neigh flush dev lan0")
    status, output = ben.client("join", old["codes"][0], "--plain", lines="quit\n")
    assert (status, 'Table "Ann\'s table"' in output) == (0, True), output


@pytest.mark.timeout(120)
def test_where_nothing_can_be_found_the_new_code_leads_back_to_the_old_seat(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    for machine in lan.machines:
        lan.port(machine, "mcast_flood off")
    folder = ann.host("Ours", "--bots", "2", "--options", json.dumps(SHORT), "--clocks", '{"reaction_s": 100}')
    [code] = announcement(folder)["codes"]
    player = Typing(ben, "join", code, "--name", "Ben")
    player.reads("Ben (you")
    wait_for("the bots", lambda: "sits down at yellow" in (folder / "host.log").read_text())
    player.type("start")
    player.reads("Encounter 1")
    move(ann)
    player.reads("Type `join CODE` here")
    wait_for("the new code", lambda: announcement(folder)["codes"] != [code])
    other = ben.host("Another", "--port", "0")
    player.type(f"join {announcement(other)['codes'][0]}")
    player.reads("That is another table.")
    [new] = announcement(folder)["codes"]
    player.type(f"join {new}")
    player.reads("Connected again.")
    assert new in player.reads("New address, join with: cosmic-net join")
    player.type("who")
    player.reads("Ben (you")
    assert player.process.poll() is None
