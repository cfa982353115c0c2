"""What stands in the way is named: by `join` within five seconds, and by `doctor` with what to do."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

from protocol import limits
from tests.net.lan import Machine
from tests.net.test_lan import MakeLan, announced, announcement, wait_for

IN_FIVE_SECONDS = 5.0
CAUSES = ("the host is not running", "firewall", "not in the same network")
FIND = """
import asyncio, sys, time
from client.errors import Trouble
from client.wire import discovery, reaching, seeking
from protocol.joincode import parse

async def find(text):
    if text != "by name":
        return await seeking.find(text)
    [offer] = (await discovery.search(10, enough=bool)).offers
    return await reaching.reach(offer.addresses, offer.port, offer.advert.key)

began = time.monotonic()
try:
    print(asyncio.run(find(sys.argv[1])))
except Trouble as trouble:
    print(trouble.message)
print(f"took {time.monotonic() - began:.2f}")
"""

CONNECT = """
import asyncio, sys, time
from client.wire.link import Link
from protocol.identity import Identity
from protocol.joincode import parse

async def connect(invite):
    told = asyncio.get_running_loop().create_future()
    nothing = lambda *_: None
    link = Link(invite.address, invite.key, Identity(bytes(32)),
                on_frame=nothing, on_up=nothing, on_down=nothing, on_trouble=told.set_result)
    link.open()
    try:
        return await told
    finally:
        await link.close()

began = time.monotonic()
print(asyncio.run(connect(parse(sys.argv[1]))), "after", time.monotonic() - began)
"""


def drop(ann: Machine, ben: Machine) -> None:
    """As if a firewall dropped what comes from the other machine: it is heard, and never answered."""
    for address in (ben.address, ben.address6, ben.link_local):
        ann.ip(f"neigh replace {address} lladdr 02:00:00:00:00:99 nud permanent dev lan0")


def doctor(machine: Machine, *words: str) -> tuple[int, list[str]]:
    """The exit code, and the lines that are not ok, each with its advice."""
    code, output = machine.client("doctor", *words)
    assert "Traceback" not in output
    lines = re.findall(r"^(?:problem|note) .*(?:\n +-> .*)*", output, re.M)
    return code, lines


def problems(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("problem")]


def test_a_host_that_cannot_be_reached_is_given_up_within_five_seconds(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    folder = ann.host("Ann's table")
    announced(folder)
    told = announcement(folder)
    drop(ann, ben)
    with ThreadPoolExecutor() as pool:
        runs = [pool.submit(ben.run, "-c", FIND, text) for text in (told["codes"][0], "10.77.1.1:21977", "by name")]
        outputs = [run.result()[1] for run in runs]
    for output in outputs:
        assert output.startswith("No answer from 10.77.1.1:21977")
        assert all(cause in output for cause in CAUSES)
        assert float(re.findall(r"took (.*)", output)[0]) < IN_FIVE_SECONDS


def test_with_the_whole_key_an_unreachable_host_is_given_up_as_soon(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    invite = announcement(ann.host("Ann's table"))["invites"][0]
    drop(ann, ben)
    with ThreadPoolExecutor() as pool:
        joining = pool.submit(ben.client, "join", invite, "--plain")
        connecting = pool.submit(ben.run, "-c", CONNECT, invite)
    code, output = joining.result()
    assert code == 1
    assert output.count("No answer from 10.77.1.1:21977") == 1
    assert all(cause in output for cause in CAUSES)
    code, output = connecting.result()
    assert output.startswith("no-answer after ")
    assert float(output.split()[-1]) < IN_FIVE_SECONDS


def test_doctor_finds_nothing_wrong_where_nothing_is(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    folder = ann.host("Ann's table")
    announced(folder)
    [code] = announcement(folder)["codes"]
    status, output = ben.client("doctor", code)
    assert status == 0, output
    for line in (
        'ok       "Ann\'s table" is announced at 10.77.1.1:21977 and answers (in the lobby, 5 of 5 seats free)',
        "ok       it is the host that the code names",
        f"ok       both speak protocol {limits.VERSION}",
        "ok       an encrypted connection was made (CURVE)",
        f"ok       all is well: cosmic-net join {code}",
        "No problem was found.",
    ):
        assert line in output
    status, output = ann.client("doctor")
    assert status == 0, output
    assert 'ok       the host of "Ann\'s table" (port 21977) answers at 10.77.1.1' in output
    assert 'ok       the search finds the own table "Ann\'s table"' in output


def test_doctor_tells_a_firewall(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    folder = ann.host("Ann's table")
    announced(folder)
    drop(ann, ben)
    status, lines = doctor(ben, announcement(folder)["codes"][0])
    heard, silent = problems(lines)
    assert status == 1
    assert '"Ann\'s table" is announced at 10.77.1.1:21977 but does not answer' in heard
    assert "firewall" in heard
    assert "no answer from 10.77.1.1:21977 (nothing came back in 4 s): most likely a firewall" in silent
    assert "-> on that computer: let Python through the firewall (TCP 21977 and 21978)" in silent


def test_doctor_tells_client_isolation_and_a_computer_without_host(make_lan: MakeLan) -> None:
    lan = make_lan(3)
    ann, ben, carl = lan.machines
    folder = ann.host("Ann's table")
    [code] = announcement(folder)["codes"]
    for machine in (ann, ben):
        lan.port(machine, "isolated on")
    with ThreadPoolExecutor() as pool:
        isolated = pool.submit(doctor, ben, code)
        no_host = pool.submit(doctor, carl, "10.77.1.2:21977")
        elsewhere = pool.submit(doctor, carl, "10.88.1.2")
        nobody = pool.submit(doctor, carl, "nobody.example")
    status, lines = isolated.result()
    [problem] = problems(lines)
    assert status == 1
    assert "no computer with the address 10.77.1.1 can be found" in problem
    assert "client isolation" in problem
    assert "-> try another network" in problem

    status, lines = no_host.result()
    [problem] = problems(lines)
    assert status == 1
    assert "the computer 10.77.1.2 answers, but no host is there: nothing listens on port 21977" in problem

    status, lines = elsewhere.result()
    [problem] = problems(lines)
    assert status == 1
    assert "in no network from which there is a way to 10.88.1.2" in problem
    assert "no computer is called nobody.example here" in problems(nobody.result()[1])[0]
    assert any("10.88.1.2 is in none of this computer's networks" in line for line in lines)


def test_doctor_tells_a_network_without_multicast(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    for machine in lan.machines:
        lan.port(machine, "mcast_flood off")
    [code] = announcement(ann.host("Ann's table"))["codes"]
    status, lines = doctor(ben, code)
    assert status == 0
    assert any("this network does not carry the search" in line for line in lines)
    assert any("the search does not find it; the code works all the same" in line for line in lines)


def test_doctor_tells_a_pulled_cable_and_no_network_at_all(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    ann.ip("link set lan0 down")
    ben.ip("link set lan0 down")
    ben.ip("addr flush dev lan0")
    with ThreadPoolExecutor() as pool:
        pulled = pool.submit(doctor, ann, "10.77.1.2")
        nothing = pool.submit(doctor, ben)
    status, lines = pulled.result()
    assert status == 1
    assert "multicast does not work on lan0" in problems(lines)[0]
    assert "in no network from which there is a way to 10.77.1.2" in problems(lines)[1]
    status, lines = nothing.result()
    assert status == 1
    assert "this computer is in no network" in problems(lines)[0]


def test_doctor_tells_another_host_at_the_address_of_the_code(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    folder = ann.host("Ann's table")
    [code] = announcement(folder)["codes"]
    assert ann.client("tables", "--stop", "Ann's table")[0] == 0
    ann.host("Another table")
    status, lines = doctor(ben, code)
    assert status == 1
    assert "another host answers than the one that the code names" in problems(lines)[-1]


def test_doctor_tells_clocks_that_disagree_and_nothing_of_those_that_agree(make_lan: MakeLan) -> None:
    lan = make_lan(3)
    ann, ben, carl = lan.machines
    [code] = announcement(ann.host("Ann's table", odd="clock=-300"))["codes"]
    [right] = announcement(carl.host("Carl's table"))["codes"]
    status, lines = doctor(ben, code)
    [told] = [line for line in lines if "the clock of the host's computer" in line]
    assert status == 0
    assert told.startswith(
        "note     the clock of the host's computer is 5 minutes behind the one here: times in the logs"
    )
    assert "a game does not mind" in told
    assert "the clock of the host" not in "".join(doctor(ben, right)[1])


def test_doctor_tells_another_version(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    folder = ann.host("Ann's table", odd="version=7")
    announced(folder)
    status, lines = doctor(ben, announcement(folder)["codes"][0])
    listed, reached = problems(lines)
    assert status == 1
    another = f"speaks another version of the protocol (7) than this program ({limits.VERSION})"
    assert f'"Ann\'s table" at 10.77.1.1:21977 {another}' in listed
    assert f"the host speaks protocol 7, this program {limits.VERSION}" in reached
    assert "-> everybody needs the same version of cosmic-net" in reached


def test_doctor_tells_an_old_code_and_where_the_host_is_now(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    folder = ann.host("Ann's table")
    announced(folder)
    [code] = announcement(folder)["codes"]
    ann.ip("addr flush dev lan0 scope global")
    ann.ip("addr add 10.77.1.91/24 brd + dev lan0")
    wait_for("the new code", lambda: announcement(folder)["codes"] != [code])
    wait_for("the new announcement", lambda: (folder / "host.log").read_text().count("announced on") == 2)
    status, lines = doctor(ben, code)
    assert status == 1
    assert "no computer with the address 10.77.1.1 can be found" in problems(lines)[-1]
    assert "the search finds this very host at 10.77.1.91:21977: its computer has another address now" in lines[-1]
    joined = re.findall(r"cosmic-net join (\S+)", lines[-1])
    assert ben.client("join", *joined, "--plain", lines="quit\n")[0] == 0


def test_doctor_tells_an_interface_that_is_not_there_or_leads_elsewhere(make_lan: MakeLan) -> None:
    lan = make_lan(2)
    ann, ben = lan.machines
    announced(ann.host("Ann's table"))
    ben.dead_card(default=False)
    ben.interfaces = "eth9"
    status, lines = doctor(ben)
    assert status == 1
    assert "COSMIC_NET_INTERFACES is set to eth9, and no interface here has that name" in problems(lines)[0]
    assert "-> unset COSMIC_NET_INTERFACES, or name one of these: lo, lan0, " in problems(lines)[0]
    ben.interfaces = "vm0"
    status, lines = doctor(ben)
    assert "tables are announced and looked for on vm0 only\n" in "".join(lines)
    assert any("no table on another computer is announced here" in line for line in lines)
    ben.interfaces = "lan0"
    assert not any("no table on another computer" in line for line in doctor(ben)[1])
