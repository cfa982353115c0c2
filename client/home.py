"""Where this program keeps things: secrets, tables, logs, settings.

`COSMIC_NET_HOME` puts all of it into one folder; without it the places are those of the platform. A *profile* is one
player of this computer: a secret (which is the player), settings, and what it needs to open sealed cards.
"""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client.errors import Trouble

APP = "cosmic-net"
VARIABLE = "COSMIC_NET_HOME"
DEFAULT_PROFILE = "default"
SECRET_BYTES = 32
NAME_LENGTH = 24
_PROFILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}\Z")


@dataclass(frozen=True)
class Home:
    """The folders: `data` for what must not be lost, `state` for logs and histories."""

    data: Path
    state: Path

    @classmethod
    def find(cls) -> Home:
        """The home of this user; nothing is created yet."""
        if given := os.environ.get(VARIABLE):
            return cls(Path(given), Path(given))
        import platformdirs

        return cls(Path(platformdirs.user_data_path(APP)), Path(platformdirs.user_state_path(APP)))

    @property
    def tables(self) -> Path:
        """The data folders of the hosts that were started here, one a table."""
        return self.data / "tables"

    @property
    def log(self) -> Path:
        """The log file of the client."""
        return self.state / "client.log"

    def profile(self, name: str = DEFAULT_PROFILE) -> Profile:
        """A player of this computer, made on first use. Raises Trouble for a name that no folder can have."""
        if not _PROFILE.match(name):
            raise Trouble(f"A profile is named with letters, digits, - and _; {name!r} is not.", 2)
        return Profile(name, self.data / "profiles" / name, self.state / "profiles" / name)


@dataclass(frozen=True)
class Profile:
    """One player: a secret of 32 bytes, and what this program remembers for it."""

    name: str
    folder: Path
    state: Path

    def secret(self) -> bytes:
        """The secret, drawn on first use; nobody else may read its file. Raises Trouble if it cannot be kept."""
        path = self.folder / "secret"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                write_private(path, secrets.token_bytes(SECRET_BYTES), fresh=True)
            secret = path.read_bytes()
        except FileExistsError:  # another client of this profile was quicker
            secret = path.read_bytes()
        except OSError as error:
            raise Trouble(f"The player's secret cannot be kept in {path}: {error.strerror}.") from error
        if len(secret) != SECRET_BYTES:
            raise Trouble(f"{path} is damaged. Move it away to start as a new player.")
        return secret

    @property
    def games(self) -> Path:
        """Where the salts and sealed cards of games are kept."""
        return self.folder / "games"

    @property
    def history(self) -> Path:
        """The typed lines of earlier runs."""
        return self.state / "history"

    def settings(self) -> dict[str, Any]:
        """What was remembered; empty if there is nothing, or nothing readable."""
        try:
            found = json.loads((self.folder / "settings.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def remember(self, **changes: Any) -> None:
        """Changes settings; a disk that refuses is no reason to stop a game."""
        settings = self.settings() | changes
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_private(self.folder / "settings.json", json.dumps(settings, indent=1).encode())

    def player_name(self) -> str:
        """The name used last, or the user's name on this computer."""
        known = self.settings().get("name")
        if isinstance(known, str) and (name := shown_name(known)):
            return name
        with contextlib.suppress(Exception):  # no user database, no environment: anything may be missing
            if name := shown_name(getpass.getuser().title()):
                return name
        return "Player"


def shown_name(text: str) -> str:
    """A name as the table will show it: clean, trimmed and not too long; "" if nothing is left."""
    from protocol.text import clean

    return clean(text)[:NAME_LENGTH].strip()


def write_private(path: Path, data: bytes, *, fresh: bool = False) -> None:
    """Writes a file that only this user can read, so that after a crash it is there whole or not at all.

    With `fresh` the file must not exist yet (FileExistsError).
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if fresh:
            _put_once(temporary, path)
        else:
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _put_once(temporary: Path, path: Path) -> None:
    """Gives a file its name unless that is taken, also where the file system knows no links."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except (OSError, AttributeError):
        if path.exists():
            raise FileExistsError(path) from None
        os.replace(temporary, path)
