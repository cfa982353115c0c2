"""The journal: everything that a host needs to go on after it was killed, on disk before anybody hears of it.

One SQLite file in WAL mode with full synchronisation. Whatever is written between two calls of `commit` is one
transaction: all of it is there after a crash, or nothing. A host sends nothing that it has not committed.

What was damaged must not be taken for a game: every row has a checksum; the newest head of the transcript stands beside
its entries; and a small second file counts the commits, so that a journal which has lost its end is found out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from host.marks import Mark, row_sum
from protocol import codec

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL, sum BLOB) WITHOUT ROWID;
CREATE TABLE players (key BLOB PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, sign_key BLOB NOT NULL, sum BLOB)
  WITHOUT ROWID;
CREATE TABLE games (
  number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, setup BLOB NOT NULL, practice INTEGER NOT NULL,
  host_share BLOB NOT NULL, state TEXT NOT NULL, winners BLOB, sum BLOB);
CREATE TABLE seats (game TEXT NOT NULL, seat TEXT NOT NULL, player BLOB NOT NULL, share BLOB, sum BLOB,
  PRIMARY KEY (game, seat)) WITHOUT ROWID;
CREATE TABLE entries (
  game TEXT NOT NULL, n INTEGER NOT NULL, entry BLOB NOT NULL, opening BLOB NOT NULL,
  player BLOB, session BLOB, request INTEGER, sum BLOB, PRIMARY KEY (game, n)) WITHOUT ROWID;
"""
VERSION = 3
APPLICATION = 0x434F534D
_END = "end"
"""Where the newest commit says its number, and the head of the transcript after it."""


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
    """An open journal; without a path it lives in memory. Raises JournalError if it cannot be used.

    `old`: it has to be there already, and is examined from end to end.
    """

    def __init__(self, path: Path | None, *, old: bool = False) -> None:
        if old and (path is None or not path.exists()):
            raise JournalError("there is none")
        self._mark = Mark(None if path is None else path.with_suffix(".mark"))
        self._end: dict[str, Any] = {"commits": 0, "game": "", "count": 0, "head": b""}
        try:
            self._db = sqlite3.connect(":memory:" if path is None else path, isolation_level=None)
            try:
                self._open(old)
            except BaseException:
                self._db.close()
                raise
        except (sqlite3.Error, OSError, ValueError) as error:  # ValueError: text that is none
            raise JournalError(str(error)) from error

    def _open(self, old: bool) -> None:
        version, application, tables = (
            int(self._db.execute(query).fetchone()[0])
            for query in ("PRAGMA user_version", "PRAGMA application_id", "SELECT count(*) FROM sqlite_master")
        )
        if tables and application != APPLICATION:
            raise JournalError("this is no journal of cosmic-net")
        if tables and version != VERSION:
            raise JournalError("the journal was written by another version of cosmic-net")
        if old and not tables:
            raise JournalError("it is empty")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        if not tables:
            marks = f"PRAGMA user_version = {VERSION}; PRAGMA application_id = {APPLICATION};"
            self._db.executescript(f"BEGIN; {_SCHEMA} {marks} COMMIT;")
        if old:
            self._examine()
        self._end |= self.get(_END) or {}

    def _examine(self) -> None:
        found = self._db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise _damaged(found)
        commits, marked = (self.get(_END) or {}).get("commits", 0), self._mark.read()
        if marked is not None and commits < marked:
            raise _damaged(f"its end is missing: it has {commits} of {marked} steps")

    def close(self) -> None:
        """Closes the file; what was not committed is lost."""
        self._db.close()
        self._mark.close()

    def commit(self) -> None:
        """Brings everything that was written since the last time onto the disk."""
        if not self._db.in_transaction:
            return
        self._end["commits"] += 1
        self.put(_END, self._end)
        try:
            self._db.execute("COMMIT")
            self._mark.write(self._end["commits"])
        except (sqlite3.Error, OSError) as error:
            raise JournalError(str(error)) from error

    # ---- writing

    def put(self, key: str, value: Any) -> None:
        """Keeps a piece of plain data under a name."""
        self._put("meta", key, codec.pack_value(value))

    def player(self, player: StoredPlayer) -> None:
        """Keeps who a player is."""
        self._put("players", *player)

    def begin(self, game: str, setup: bytes, practice: bool, share: bytes, players: dict[str, bytes]) -> None:
        """A game is being started: its setup, the host's share of the seed, who sits where."""
        self._put("games", self.games() + 1, game, setup, int(practice), share, "seeding", None)
        for seat, player in players.items():
            self._put("seats", game, seat, player, None)

    def share(self, game: str, seat: str, share: bytes) -> None:
        """A seat's share of the seed."""
        for row in self._rows("seats", "game = ? AND seat = ?", game, seat):
            self._put("seats", *row[:3], share)

    def state(self, game: str, state: str, winners: list[str] | None = None) -> None:
        """A game has come to another state."""
        for row in self._rows("games", "id = ?", game):
            self._put("games", *row[:5], state, codec.pack_value(winners or []))

    def line(self, game: str, n: int, line: Line, head: bytes) -> None:
        """The n-th entry of a game's transcript, from 0, and the transcript's head after it."""
        self._put("entries", game, n, line.entry, line.opening, *(line.origin or (None, None, None)))
        self._end |= {"game": game, "count": n + 1, "head": head}

    # ---- reading

    def get(self, key: str) -> Any:
        """What is kept under a name; None if nothing is."""
        rows = self._rows("meta", "key = ?", key)
        return codec.unpack_value(rows[0][1]) if rows else None

    def players(self) -> list[StoredPlayer]:
        """Everybody who was ever at the table."""
        return [StoredPlayer(*row) for row in self._rows("players")]

    def games(self) -> int:
        """How many games were ever begun."""
        return self._count("games", "1")

    def game(self, game: str | None = None) -> StoredGame | None:
        """A game; the newest one if none is named. None if there is no such game."""
        where, values = ("number = (SELECT max(number) FROM games)", ()) if game is None else ("id = ?", (game,))
        rows = self._rows("games", where, *values)
        if not rows:
            return None
        _, name, setup, practice, share, state, winners = rows[0]
        seats = self._rows("seats", "game = ?", name)
        return StoredGame(
            name, setup, bool(practice), share, state,
            codec.unpack_value(winners) if winners is not None else [],
            {seat: player for _, seat, player, _ in seats},
            {seat: share for _, seat, _, share in seats if share is not None},
        )  # fmt: skip

    def lines(self, game: str, start: int = 0, count: int = -1) -> list[Line]:
        """The entries of a game from number `start` on, at most `count` (-1: all)."""
        rows = self._rows("entries", "game = ? AND n >= ? ORDER BY n LIMIT ?", game, start, count)
        if [row[1] for row in rows] != list(range(start, start + len(rows))):
            raise _damaged("entries are missing")
        return [Line(row[2], row[3], Origin(*row[4:]) if row[4] is not None else None) for row in rows]

    def length(self, game: str) -> int:
        """How many entries a game has."""
        return self._count("entries", "game = ?", game)

    def check_end(self, game: str, count: int, head: bytes) -> None:
        """Raises JournalError unless this is the head with which the journal ends, if it ends with this game."""
        if self._end["game"] == game and (self._end["count"], self._end["head"]) != (count, head):
            raise _damaged("its entries do not lead to its end")

    # ---- rows

    def _put(self, table: str, *values: Any) -> None:
        marks = ", ".join("?" * (len(values) + 1))
        try:
            if not self._db.in_transaction:
                self._db.execute("BEGIN")
            self._db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", (*values, row_sum(table, values)))
        except sqlite3.Error as error:
            raise JournalError(str(error)) from error

    def _rows(self, table: str, where: str = "1", *values: Any) -> list[Sequence[Any]]:
        """Rows without their checksums. Raises JournalError if one of them does not fit its own."""
        try:
            rows = self._db.execute(f"SELECT * FROM {table} WHERE {where}", values).fetchall()
        except (sqlite3.Error, ValueError) as error:
            raise JournalError(str(error)) from error
        for row in rows:
            if row[-1] != row_sum(table, row[:-1]):
                raise _damaged(f"a row of {table} has changed")
        return [row[:-1] for row in rows]

    def _count(self, table: str, where: str, *values: Any) -> int:
        try:
            return int(self._db.execute(f"SELECT count(*) FROM {table} WHERE {where}", values).fetchone()[0])
        except sqlite3.Error as error:
            raise JournalError(str(error)) from error


def _damaged(how: str) -> JournalError:
    return JournalError(f"it is damaged ({how}); nothing was changed")
