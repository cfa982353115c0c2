"""Starting a host as a process of its own, and finding the hosts that run here.

A host outlives the client that started it: it has no terminal, a session of its own, and a folder in which it says
where it is (`table.json`). The client knows it by that file and through the protocol only.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from client.errors import Trouble
from client.wire.finding import ask
from protocol import z85
from protocol.joincode import Invite

START_SECONDS = 20.0
STOP_SECONDS = 10.0
CHECK_SECONDS = 2.0
FILE = "table.json"
WRONG_ARGUMENTS, NO_PORT, NO_TABLE = 2, 3, 6
"""Exit statuses of a host."""


class NotStarted(Trouble):
    """A host that has ended before its table was open; `status` is its exit status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Running:
    """A table's host, as its folder announces it."""

    folder: Path
    pid: int
    name: str
    port: int
    address: str
    key: bytes
    practice: bool = False
    passphrase: bool = False
    """Whether strangers are asked for one."""
    codes: tuple[str, ...] = ()
    invites: tuple[str, ...] = ()

    @property
    def local_address(self) -> str:
        """HOST:PORT for clients on this computer."""
        return Invite(self.address, self.port).address

    @classmethod
    def read(cls, folder: Path) -> Running | None:
        """The host of a folder; None if it announces none (any more)."""
        try:
            data = json.loads((folder / FILE).read_text(encoding="utf-8"))
            return cls(
                folder=folder,
                pid=int(data["pid"]),
                name=str(data["name"]),
                port=int(data["port"]),
                address=str(data["address"]),
                key=z85.decode(data["key"]),
                practice=bool(data.get("practice")),
                passphrase=bool(data.get("passphrase")),
                codes=tuple(map(str, data.get("codes", ()))),
                invites=tuple(map(str, data.get("invites", ()))),
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None

    async def answers(self) -> bool:
        """Whether this very host answers at its port (its file may be left over, its pid another's)."""
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                return (await ask(self.address, self.port)).key == self.key
        except (OSError, ValueError):
            return False


@dataclass(frozen=True)
class Wanted:
    """A table that is to be opened."""

    name: str
    owner: bytes
    port: int | None = None
    bots: int = 0
    seed: bytes | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    clocks: Mapping[str, float] = field(default_factory=dict)
    house: Mapping[str, Any] = field(default_factory=dict)
    """What is done about players who are gone, and about those who look on."""
    passphrase: str = ""
    """What strangers have to know to be let in."""
    here_only: bool = False
    """Listen on this computer alone: a table without guests."""
    unlisted: bool = False
    """Do not announce the table in the LAN: who joins needs the code."""

    def arguments(self) -> list[str]:
        """The host's command line, without its folder."""
        words = ["--name", self.name, "--owner", self.owner.hex(), "--bots", str(self.bots)]
        if self.port is not None:
            words += ["--port", str(self.port)]
        if self.here_only:
            words += ["--bind", "127.0.0.1"]
        if self.unlisted:
            words += ["--unlisted"]
        if self.seed is not None:
            words += ["--practice-seed", self.seed.hex()]
        if self.options:
            words += ["--options", json.dumps(dict(self.options))]
        if self.clocks:
            words += ["--clocks", json.dumps(dict(self.clocks))]
        if self.house:
            words += ["--house", json.dumps(dict(self.house))]
        return words


async def start(tables: Path, wanted: Wanted) -> Running:
    """Starts a host for a new table and waits until it is open. Raises Trouble that says why it is not."""
    folder = tables / f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
    try:
        return await _launch(folder, wanted.arguments(), wanted.passphrase)
    except NotStarted as trouble:
        if trouble.status in (WRONG_ARGUMENTS, NO_PORT):  # it has said all there is to say
            shutil.rmtree(folder, ignore_errors=True)
        raise


async def resume(folder: Path) -> Running:
    """Starts the host of a folder again, with the table as it was. Raises Trouble; NotStarted if there is none."""
    return await _launch(folder, ["--resume"])


async def _launch(folder: Path, arguments: list[str], passphrase: str = "") -> Running:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        output = open(folder / "start.log", "ab")  # noqa: SIM115 - handed to the process
    except OSError as error:
        raise Trouble(f"The table's folder {folder} cannot be made: {error.strerror}.") from error
    with output:
        process = subprocess.Popen(
            [sys.executable, "-m", "host", str(folder), *arguments],
            env=os.environ | ({"COSMIC_NET_PASSPHRASE": passphrase} if passphrase else {}),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            **_detached(),
        )
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        running = Running.read(folder)
        if running is not None and running.pid == process.pid and await running.answers():
            process.returncode = 0  # it is on its own from here on: nobody waits for its end
            return running
        if process.poll() is not None:
            raise NotStarted(f"The host did not start: {_last_words(folder)}", process.returncode)
        await asyncio.sleep(0.05)
    process.kill()
    raise Trouble(f"The host did not open its table in {START_SECONDS:.0f} seconds; {folder / 'host.log'} says more.")


def _detached() -> dict[str, Any]:
    """So that neither Ctrl-C nor a closed window at this terminal reaches the host."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def _last_words(folder: Path) -> str:
    try:
        text = (folder / "start.log").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        text = ""
    return text.splitlines()[-1] if text else f"{folder / 'host.log'} may say why."


async def running_here(tables: Path) -> list[Running]:
    """The hosts that run on this computer, oldest first; leftovers of others are passed over."""
    try:
        folders = sorted(path for path in tables.iterdir() if path.is_dir())
    except OSError:
        return []
    found = [running for folder in folders if (running := Running.read(folder)) is not None]
    answering = await asyncio.gather(*(running.answers() for running in found))
    return [running for running, is_there in zip(found, answering, strict=True) if is_there]


async def stop(running: Running) -> bool:
    """Asks a host to stop and waits for it; its game is kept. False if it still runs after a while."""
    import signal

    try:
        os.kill(running.pid, signal.SIGTERM)
    except ProcessLookupError:
        return True
    except PermissionError as error:
        raise Trouble(f"The host of {running.name!r} belongs to another user of this computer.") from error
    deadline = time.monotonic() + STOP_SECONDS
    while time.monotonic() < deadline:
        if Running.read(running.folder) is None or not await running.answers():
            return True
        await asyncio.sleep(0.1)
    return False


def codes_to_tell(running: Running) -> list[str]:
    """What is read out or pasted to others, likeliest first; an invite where no short code is possible."""
    return list(running.codes) or list(running.invites)
