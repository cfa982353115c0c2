"""The program from outside: exit codes, what it prints, what it leaves behind."""

from __future__ import annotations

import os
import re
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.home import Home
from client.wire.hosting import Running
from host.journal import Journal

pytestmark = pytest.mark.timeout(180)

HEAVY = (
    "zmq",
    "msgspec",
    "msgpack",
    "cryptography",
    "prompt_toolkit",
    "yaml",
    "asyncio",
    "cosmic_net.engine",
    "protocol",
)


def cosmic(
    *arguments: str, home: Path, seconds: float = 60, typed: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "COSMIC_NET_HOME": str(home), "COLUMNS": "80", **environment}
    return subprocess.run(
        [sys.executable, "-m", "client", *arguments],
        env=variables,
        input=typed,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    for folder in (tmp_path / "tables").glob("*"):
        if (running := Running.read(folder)) is not None:
            os.kill(running.pid, 15)


def test_help_loads_nothing_heavy_and_names_every_command() -> None:
    code = (
        "import sys, client.main\n"
        "try: client.main.main(['--help'])\n"
        "except SystemExit: pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout.splitlines()[-1] == "[]"
    for command in ("play", "host", "join", "tables", "scenario", "aliens"):
        assert re.search(rf"^ +{command} ", done.stdout, re.M)


@pytest.mark.parametrize("command", ["play", "host", "join", "watch", "resume", "tables", "scenario", "aliens"])
def test_every_command_has_help(command: str, tmp_path: Path) -> None:
    done = cosmic(command, "--help", home=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("usage: cosmic-net")
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "usage"),
        (["dance"], 2, "invalid choice"),
        (["join", "4K7Q-9MZT-2HXC-8888-8888-8888-8888"], 2, "no join code"),
        (["join", "127.0.0.1:1"], 1, "No answer from 127.0.0.1:1"),
        (["join", "127.0.0.1:1", "--profile", "../x"], 2, "profile"),
        (["aliens", "nobody at all"], 1, "Nothing is called"),
        (["scenario", "run", "nowhere.yaml"], 2, "no file nowhere.yaml"),
        (["play", "--bots", "9"], 2, "3 to 5 players"),
        (["play", "--bots", "2", "--players", "4"], 2, "not both"),
        (["play", "--auto", "--players", "4", "--reaction-s", "9999"], 2, "--reaction-s takes"),
        (["resume"], 1, "no table"),
    ],
)
def test_what_goes_wrong_is_said_and_shown_in_the_exit_code(
    arguments: list[str], code: int, says: str, tmp_path: Path
) -> None:
    done = cosmic(*arguments, home=tmp_path)
    assert done.returncode == code
    assert says in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk here that is always full")
def test_a_log_on_a_full_disk_is_no_matter_for_the_screen() -> None:
    code = (
        "import logging, pathlib, client.logfile\n"
        "client.logfile.start(pathlib.Path('/dev/full'))\n"
        "logging.error('something to keep')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_defect_of_the_program_is_one_sentence_and_a_log(tmp_path: Path) -> None:
    code = (
        "import client.main, client.commands.aliens as a, client.logfile, client.home\n"
        "client.logfile.start(client.home.Home.find().log)\n"
        "def run(args): raise RuntimeError('a defect')\n"
        "a.run = run\n"
        "raise SystemExit(client.main.main(['aliens']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "COSMIC_NET_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert str(tmp_path / "client.log") in done.stderr
    assert "a defect" in (tmp_path / "client.log").read_text()


def test_aliens_are_looked_up_without_colours_in_a_pipe(tmp_path: Path) -> None:
    done = cosmic("aliens", "zombie", home=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("Zombie")
    assert "\x1b" not in done.stdout
    every = cosmic("aliens", home=tmp_path)
    assert "Zombie" in every.stdout
    assert max(map(len, every.stdout.splitlines())) <= 80


def test_an_encoding_without_shapes_gets_letters(tmp_path: Path) -> None:
    done = cosmic("aliens", "zombie", home=tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()


def test_scenarios_are_run_and_failures_named_with_their_file(tmp_path: Path) -> None:
    folder = tmp_path / "scenarios"
    folder.mkdir()
    good = next(iter(sorted((Path(__file__).parents[1] / "scenarios" / "rules").glob("*.yaml")))).read_text()
    (folder / "good.yaml").write_text(good)
    done = cosmic("scenario", "run", str(folder), home=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 passed, 0 failed")
    (folder / "bad.yaml").write_text("title: no such key\nplayerz: {}\n")
    done = cosmic("scenario", "run", str(folder), home=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "1 passed, 1 failed")
    assert re.search(r"bad\.yaml:2\b.*playerz", done.stdout)


def test_the_players_secret_is_made_once_and_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COSMIC_NET_HOME", str(tmp_path))
    home = Home.find()
    first = home.profile("ana").secret()
    assert home.profile("ana").secret() == first
    assert home.profile("ben").secret() != first
    path = tmp_path / "profiles" / "ana" / "secret"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(first) == 32


def test_a_game_of_bots_is_told_to_its_end_without_a_terminal(place: Path) -> None:
    done = cosmic("play", "--auto", "--players", "3", "--seed", "7", "--short", home=place, seconds=110)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "practice" in lines[0].lower()
    assert re.fullmatch(r"winners?: (red|blue|green|yellow|purple) \([A-Z][\w, -]+\)(, \w+ \([\w, -]+\))*", lines[-1])
    assert [line for line in lines if line.startswith("── Encounter 2")]
    assert not [line for line in lines if line.startswith("!!")]
    assert max(map(len, lines)) <= 80
    assert not list((place / "tables").glob("*/table.json")), "the host has ended with the game"


def test_tables_are_listed_and_stopped(place: Path) -> None:
    host = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "client",
            "host",
            "--plain",
            "--here",
            "--port",
            "0",
            "--table",
            "Friday",
        ],
        env={**os.environ, "COSMIC_NET_HOME": str(place)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert host.stdout is not None
        while "Friday" not in (line := host.stdout.readline()):
            assert line, "the host ended"
        listed = cosmic("tables", "--here", home=place)
        assert "Friday" in listed.stdout
        stopped = cosmic("tables", "--stop", "Friday", home=place)
        assert stopped.returncode == 0
        assert "is stopped" in stopped.stdout
        assert "Friday" not in cosmic("tables", "--here", home=place).stdout
        assert cosmic("tables", "--stop", "Friday", home=place).returncode == 1
    finally:
        host.communicate(timeout=30)


def test_a_table_that_could_not_be_opened_is_no_table_to_go_on_with(place: Path) -> None:
    def hosting(port: int) -> subprocess.CompletedProcess[str]:
        return cosmic("host", "--plain", "--here", "--port", str(port), "--table", "Friday", home=place, typed="quit\n")

    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        failed = hosting(taken)
    assert (failed.returncode, list((place / "tables").iterdir())) == (1, [])
    assert f"the port {taken} or {taken + 1} is in use" in failed.stderr
    assert hosting(0).returncode == 0  # its player leaves again, and so it is closed
    [kept] = (place / "tables").iterdir()
    empty = place / "tables" / "99990101-000000-abcdef"  # as a power cut during a start would leave it
    empty.mkdir()
    (empty / "host.secret").write_bytes(bytes(32))
    Journal(empty / "journal.sqlite").close()
    resumed = cosmic("resume", "--plain", home=place, typed="quit\n")
    assert resumed.returncode == 0, resumed.stderr
    assert 'Table "Friday"' in resumed.stdout
    shutil.rmtree(kept)
    alone = cosmic("resume", home=place)
    assert (alone.returncode, "There is no table to go on with" in alone.stderr) == (1, True)
