"""The journal: everything that a host needs to go on after it was killed, on disk before anybody hears of it.

One SQLite file in WAL mode with full synchronisation. Whatever is written between two calls of `commit` is one
transaction: all of it is there after a crash, or nothing. A host sends nothing that it has not committed.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

from protocol import codec

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE players (key BLOB PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, sign_key BLOB NOT NULL)
  WITHOUT ROWID;
CREATE TABLE games (
  number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, setup BLOB NOT NULL, practice INTEGER NOT NULL,
  host_share BLOB NOT NULL, state TEXT NOT NULL, winners BLOB);
CREATE TABLE seats (game TEXT NOT NULL, seat TEXT NOT NULL, player BLOB NOT NULL, share BLOB,
  PRIMARY KEY (game, seat)) WITHOUT ROWID;
CREATE TABLE entries (
  game TEXT NOT NULL, n INTEGER NOT NULL, entry BLOB NOT NULL, opening BLOB NOT NULL,
  player BLOB, session BLOB, request INTEGER, PRIMARY KEY (game, n)) WITHOUT ROWID;
"""
VERSION = 1


class Origin(NamedTuple):
    """The request by which an input came: whose, in which session, with which id."""

    player: bytes
    session: bytes
    request: int


class Line(NamedTuple):
    """One entry of a game's transcript with its opening (b"" if it has none) and where it came from."""

    entry: bytes
    opening: bytes
    origin: Origin | None


class StoredPlayer(NamedTuple):
    """A player as the journal knows him."""

    key: bytes
    name: str
    kind: str
    sign_key: bytes


class StoredGame(NamedTuple):
    """A game as the journal knows it. `state`: seeding, playing, abandoned, won or stopped."""

    id: str
    setup: bytes
    practice: bool
    host_share: bytes
    state: str
    winners: list[str]
    players: dict[str, bytes]
    shares: dict[str, bytes]


class JournalError(Exception):
    """The journal cannot be read or written; the message says why."""


class Journal:
    """An open journal; without a path it lives in memory. Raises JournalError if it cannot be used."""

    def __init__(self, path: Path | None) -> None:
        try:
            self._db = sqlite3.connect(":memory:" if path is None else path, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                self._db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
            elif version != VERSION:
                raise JournalError("the journal was written by another version of cosmic-net")
        except sqlite3.Error as error:
            raise JournalError(str(error)) from error

    def close(self) -> None:
        """Closes the file; what was not committed is lost."""
        self._db.close()

    def commit(self) -> None:
        """Brings everything that was written since the last time onto the disk."""
        if self._db.in_transaction:
            try:
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                raise JournalError(str(error)) from error

    # ---- writing

    def put(self, key: str, value: Any) -> None:
        """Keeps a piece of plain data under a name."""
        self._write("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, codec.pack_value(value))

    def player(self, player: StoredPlayer) -> None:
        """Keeps who a player is."""
        self._write("INSERT OR REPLACE INTO players VALUES (?, ?, ?, ?)", *player)

    def begin(self, game: str, setup: bytes, practice: bool, share: bytes, players: dict[str, bytes]) -> None:
        """A game is being started: its setup, the host's share of the seed, who sits where."""
        self._write(
            "INSERT INTO games (id, setup, practice, host_share, state) VALUES (?, ?, ?, ?, 'seeding')",
            game, setup, practice, share,
        )  # fmt: skip
        for seat, player in players.items():
            self._write("INSERT INTO seats VALUES (?, ?, ?, NULL)", game, seat, player)

    def share(self, game: str, seat: str, share: bytes) -> None:
        """A seat's share of the seed."""
        self._write("UPDATE seats SET share = ? WHERE game = ? AND seat = ?", share, game, seat)

    def state(self, game: str, state: str, winners: list[str] | None = None) -> None:
        """A game has come to another state."""
        packed = codec.pack_value(winners or [])
        self._write("UPDATE games SET state = ?, winners = ? WHERE id = ?", state, packed, game)

    def line(self, game: str, n: int, line: Line) -> None:
        """The n-th entry of a game's transcript, from 0."""
        player, session, request = line.origin or (None, None, None)
        self._write(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)",
            game, n, line.entry, line.opening, player, session, request,
        )  # fmt: skip

    # ---- reading

    def get(self, key: str) -> Any:
        """What is kept under a name; None if nothing is."""
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else codec.unpack_value(row[0])

    def players(self) -> list[StoredPlayer]:
        """Everybody who was ever at the table."""
        return [StoredPlayer(*row) for row in self._db.execute("SELECT * FROM players")]

    def games(self) -> int:
        """How many games were ever begun."""
        return int(self._db.execute("SELECT count(*) FROM games").fetchone()[0])

    def game(self, game: str | None = None) -> StoredGame | None:
        """A game; the newest one if none is named. None if there is no such game."""
        columns = "SELECT id, setup, practice, host_share, state, winners FROM games"
        if game is None:
            row = self._db.execute(f"{columns} ORDER BY number DESC LIMIT 1").fetchone()
        else:
            row = self._db.execute(f"{columns} WHERE id = ?", (game,)).fetchone()
        if row is None:
            return None
        seats = self._db.execute("SELECT seat, player, share FROM seats WHERE game = ?", (row[0],)).fetchall()
        winners = codec.unpack_value(row[5]) if row[5] is not None else []
        return StoredGame(
            row[0], row[1], bool(row[2]), row[3], row[4], winners,
            {seat: player for seat, player, _ in seats},
            {seat: share for seat, _, share in seats if share is not None},
        )  # fmt: skip

    def lines(self, game: str, start: int = 0, count: int = -1) -> list[Line]:
        """The entries of a game from number `start` on, at most `count` (-1: all)."""
        rows = self._db.execute(
            "SELECT entry, opening, player, session, request FROM entries WHERE game = ? AND n >= ? ORDER BY n LIMIT ?",
            (game, start, count),
        )
        return [Line(row[0], row[1], Origin(*row[2:]) if row[2] is not None else None) for row in rows]

    def length(self, game: str) -> int:
        """How many entries a game has."""
        return int(self._db.execute("SELECT count(*) FROM entries WHERE game = ?", (game,)).fetchone()[0])

    def _write(self, statement: str, *values: object) -> None:
        try:
            if not self._db.in_transaction:
                self._db.execute("BEGIN")
            self._db.execute(statement, values)
        except sqlite3.Error as error:
            raise JournalError(str(error)) from error
