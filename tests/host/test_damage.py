"""What the disk can do to a table: a host says it and stops, and never goes on with another game than it had."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from host.errors import EXIT_NO_TABLE, CannotStart
from host.folder import EXIT_DISK
from host.journal import Journal, JournalError
from protocol.messages import Closing
from tests.host.conftest import Hall
from tests.host.hosts import restored

FLIPS = 24


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table whose host was killed in the middle of a game."""
    path = tmp_path_factory.mktemp("damage")

    async def play() -> Path:
        hall = Hall(path)
        try:
            host = hall.host("--practice-seed", "05" * 32, reaction_s=60.0)
            clients = await hall.table(host)
            for client in clients:
                client.stops_at = lambda decision: decision["kind"] == "ships"
            await hall.start(clients)
            await clients[0].until(lambda: any(client.left_to_me() for client in clients))
            host.kill()
            return host.folder
        finally:
            await hall.close()

    return asyncio.run(play())


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return shutil.copytree(folder, tmp_path / "table")


def resume(folder: Path) -> tuple[int, str]:
    """Starts a host that should not start: its exit status, and what it says."""
    command = [sys.executable, "-m", "host", str(folder), "--resume", "--bind", "127.0.0.1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    return done.returncode, done.stderr


def text_instead(path: Path) -> None:
    path.write_bytes(b"Dear diary, this is no journal.\n" * 200)


def other_database(path: Path) -> None:
    path.unlink()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE shopping (what TEXT)")


def other_version(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 77")


def half(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    os.truncate(path, path.stat().st_size // 8192 * 4096)


def without_its_end(path: Path) -> None:
    log = path.with_name(path.name + "-wal")
    os.truncate(log, log.stat().st_size // 2)


@pytest.mark.parametrize(
    ("damage", "status", "says"),
    [
        (text_instead, EXIT_DISK, "not a database"),
        (other_database, EXIT_DISK, "no journal of cosmic-net"),
        (other_version, EXIT_DISK, "another version"),
        (half, EXIT_DISK, "malformed"),
        (without_its_end, EXIT_DISK, "its end is missing"),
        (lambda path: path.with_name("host.secret").unlink(), 1, "host.secret is missing"),
        (lambda path: path.with_name("host.secret").write_bytes(b"x" * 32), 1, "not the one of its table"),
        (lambda path: path.unlink(), EXIT_NO_TABLE, "no table in this folder"),
    ],
)
def test_a_host_says_what_is_wrong_with_its_folder(copy: Path, damage: Callable[[Path], None], status: int, says: str):
    for log in copy.glob("journal.sqlite-*"):
        if damage in (text_instead, other_database):
            log.unlink()
    damage(copy / "journal.sqlite")
    code, text = resume(copy)
    assert says in text
    assert code == status
    assert "Traceback" not in text
    assert not (copy / "table.json").exists()


def load(folder: Path) -> bytes:
    """The head of the game that a host would go on with."""
    journal = Journal(folder / "journal.sqlite", old=True)
    try:
        return restored(folder, journal).chain.head
    finally:
        journal.close()


@pytest.mark.parametrize("file", ["journal.sqlite-wal", "journal.sqlite"])
def test_a_flipped_byte_is_found_or_does_no_harm(copy: Path, tmp_path: Path, file: str):
    right = load(shutil.copytree(copy, tmp_path / "right"))
    if file == "journal.sqlite":
        load(copy)  # brings everything into the one file
    found = 0
    for number in range(FLIPS):
        folder = shutil.copytree(copy, tmp_path / f"flip-{number}")
        data = bytearray((folder / file).read_bytes())
        data[len(data) * (2 * number + 1) // (2 * FLIPS)] ^= 1 << number % 8
        (folder / file).write_bytes(data)
        try:
            assert load(folder) == right
        except (JournalError, CannotStart):
            found += 1
        shutil.rmtree(folder)
    assert found >= 2  # most of a file is room to grow


# ---- disks


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    path = tmp_path / "disk"
    path.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(path)], check=False)
    if mounted.returncode != 0:
        pytest.skip("no disk can be mounted here")
    yield path
    subprocess.run(["umount", "-l", str(path)], check=True)


def fill(disk: Path) -> Path:
    """Leaves no room on a disk."""
    path = disk / "filler"
    with open(path, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(512))
    return path


async def test_a_full_disk_stops_the_host_and_everybody_is_told(disk: Path):
    hall = Hall(disk)
    try:
        host = hall.host(reaction_s=60.0)
        clients = await hall.table(host)
        for client in clients:
            client.stops_at = lambda decision: decision["kind"] != "react"
        await hall.start(clients)
        one = await clients[0].until(lambda: next((client for client in clients if client.left_to_me()), None))
        filler = fill(disk)
        decision = one.left_to_me()
        assert decision is not None
        answer = one.number(one.answer_message(decision, one.decide(decision)))
        lost = asyncio.ensure_future(one.repeat(answer))
        for client in clients:
            await client.until(lambda c=client: c.closed)  # type: ignore[misc]
            assert isinstance(client.closed, Closing)
            assert (client.closed.reason, "full" in client.closed.text) == ("host-stops", True)
        assert await host.ended() == EXIT_DISK
        assert not lost.done(), "an answer that is not on the disk must not be taken"
        lost.cancel()
        assert resume(host.folder)[0] == EXIT_DISK

        filler.unlink()
        host.start("--resume")
        for client in clients:
            await client.close()
            await client.connect(host.address, host.key)
        assert (await one.repeat(answer)).ok
        for client in clients:
            client.stops_at = lambda decision: False
            await client.play_on()
        await hall.to_the_end(clients)
    finally:
        await hall.close()


def test_a_disk_that_cannot_be_written_is_said(disk: Path, copy: Path):
    folder = shutil.copytree(copy, disk / "table")
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    code, text = resume(folder)
    assert code == EXIT_DISK
    assert "Read-only file system" in text
    assert "Traceback" not in text
