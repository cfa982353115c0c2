"""Tables are found and played at in a real LAN: machines of their own on a bridge."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.net.lan import Lan, Machine
from tests.support import lan_player

MakeLan = Callable[[int], Lan]
SHORT = ("--options", json.dumps({"goal": 1, "planets": 4}))
LOOK = """
import asyncio, sys, time
from client.wire import discovery
began = time.monotonic()
wanted = set(sys.argv[1:])
found = asyncio.run(discovery.search(10, lambda offers: wanted <= {offer.advert.name for offer in offers}))
print(*(f"{offer.advert.name} at {offer.addresses[0]}" for offer in found.offers), sep="; ")
print(f"took {time.monotonic() - began:.2f}")
"""
GAME_PATIENCE = 50


def announcement(folder: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads((folder / "table.json").read_text())
    return found


def wait_for(what: str, condition: Callable[[], bool], seconds: float = 15.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.05)


def announced(folder: Path) -> None:
    """Waits until a host says that it has announced its table."""
    wait_for("the announcement", lambda: "announced on" in (folder / "host.log").read_text())


def no_card(_: Machine) -> None:
    pass


def dead_card(machine: Machine) -> None:
    machine.dead_card(default=False)


def dead_card_with_the_default_route(machine: Machine) -> None:
    machine.dead_card(default=True)


@pytest.mark.parametrize("second", [no_card, dead_card, dead_card_with_the_default_route])
def test_all_tables_are_found_within_two_seconds(make_lan: MakeLan, second: Callable[[Machine], None]) -> None:
    lan = make_lan(3)
    ann, ben, carl = lan.machines
    for machine in lan.machines:
        second(machine)
    for folder in (ann.host("Ann's table"), carl.host("Carl's table")):
        announced(folder)
    code, output = ben.run("-c", LOOK, "Ann's table", "Carl's table")
    assert code == 0, output
    assert output.startswith("Ann's table at 10.77.1.1; Carl's table at 10.77.1.3\n")
    assert float(re.findall(r"took (.*)", output)[0]) < 2.0


def test_a_table_is_joined_without_a_code(make_lan: MakeLan) -> None:
    lan = make_lan(3)
    ann, ben, carl = lan.machines
    announced(ann.host("Ann's table"))
    code, output = ben.client("join", "--plain", "--name", "Ben", lines="quit\n")
    assert code == 0, output
    assert "Ann's table, at 10.77.1.1:21977.\n" in output
    assert "Ben (you" in output

    announced(carl.host("Carl's table"))
    code, output = ben.client("join", "--plain", "--name", "Ben", lines="2\nquit\n")
    assert code == 0, output
    assert re.search(r"1  Ann's table .*\n +2  Carl's table .*5 of 5 seats free", output)
    assert "Carl's table, at 10.77.1.3:21977.\n" in output

    code, output = ben.client("join", "ann", "--plain", "--name", "Ben", lines="quit\n")
    assert code == 0, output
    assert "Ann's table, at 10.77.1.1:21977.\n" in output


def test_a_table_is_reached_by_ipv6_where_ipv4_is_dead(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    announced(ann.host("Ann's table"))
    ann.ip(f"neigh replace {ben.address} lladdr 02:00:00:00:00:99 nud permanent dev lan0")
    code, output = ben.client("join", "--plain", lines="quit\n")
    assert code == 0, output
    assert "Ann's table, at [fd77::1]:21977.\n" in output
    ann.ip(f"neigh replace {ben.address6} lladdr 02:00:00:00:00:99 nud permanent dev lan0")
    code, output = ben.client("join", "--plain", lines="quit\n")
    assert code == 0, output
    assert re.search(r"Ann's table, at \[fe80::.*\]:21977\.\n", output)


def test_who_sits_down_is_announced_and_who_stops_is_forgotten(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    announced(ann.host("Ann's table", "--bots", "2"))

    def listed() -> str:
        code, output = ben.client("tables")
        assert code == 0, output
        return output

    wait_for("the bots", lambda: "3 of 5 seats free: 2 bots" in listed())
    assert "Ann's table" in ann.client("tables")[1]
    code, output = ann.client("tables", "--stop", "Ann's table")
    assert code == 0, output
    assert "No table was found in the network" in listed()
    code, output = ben.client("tables", "--stop", "Ann's table")
    assert (code, "No table here has that name" in output) == (1, True)


def test_an_unlisted_table_is_joined_by_its_code_only(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    folder = ann.host("Ann's table", "--unlisted")
    assert "No table was found in the network" in ben.client("tables")[1]
    code, output = ben.client("join", announcement(folder)["codes"][0], "--plain", lines="quit\n")
    assert code == 0, output
    assert "announced" not in (folder / "host.log").read_text()


def test_without_multicast_a_code_works_and_join_says_so(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    for machine in lan.machines:
        lan.port(machine, "mcast_flood off")
    folder = ann.host("Ann's table")
    code, output = ben.client("join", "--plain")
    assert code == 1
    assert "No table was found in this network" in output
    assert "cosmic-net join CODE" in output
    code, output = ben.client("join", announcement(folder)["codes"][0], "--plain", lines="quit\n")
    assert code == 0, output
    assert 'Table "Ann\'s table"' in output


def test_five_machines_find_a_table_and_play_a_game(make_lan: MakeLan) -> None:
    lan = make_lan(5)
    ann = lan.machines[0]
    announced(ann.host("Five", "--owner", lan_player.key(1).hex(), *SHORT))
    players = []
    for machine in lan.machines:
        start = ("--start", "5") if machine is ann else ()
        players.append(machine.start("-m", "tests.support.lan_player", str(machine.number), "Five", *start))
    endings = set()
    for player in players:
        output, _ = player.communicate(timeout=GAME_PATIENCE)
        assert player.returncode == 0, output
        assert "errors []" in output
        endings |= set(re.findall(r"winners: .+; head [0-9a-f]+", output))
    # All have been told of the same game, with a winner.
    assert len(endings) == 1
