"""The store of runs: one SQLite file, to which runs are only ever added.

Each run is a transaction of its own, so that whatever ends the process costs the runs that were under way and no
other. A store that is being written to is locked.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from cwktrain.runs import RunRecord, RunsError

FORMAT = 1

_APPLICATION = 0x63776B72
_TABLES = """
CREATE TABLE collections (name TEXT PRIMARY KEY, supersedes TEXT);
CREATE TABLE makings (
  collection TEXT NOT NULL REFERENCES collections, pack TEXT NOT NULL, agent TEXT NOT NULL, settings TEXT NOT NULL,
  PRIMARY KEY (collection, pack, agent)
);
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  collection TEXT NOT NULL REFERENCES collections, pack TEXT NOT NULL, agent TEXT NOT NULL, task TEXT NOT NULL,
  seed INTEGER NOT NULL, attempt INTEGER NOT NULL, status TEXT NOT NULL, document TEXT NOT NULL,
  UNIQUE (collection, pack, agent, task, seed, attempt)
);
CREATE TRIGGER no_change BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'runs are only added'); END;
CREATE TRIGGER no_loss BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'runs are only added'); END;
"""


class Making(NamedTuple):
    """What a set of runs has in common. `settings`: all else that its runs depend on, as JSON."""

    collection: str
    pack: str
    agent: str
    settings: str
    supersedes: str | None = None


class Progress(NamedTuple):
    """`attempts` at one task with one seed, and whether one of them came to a valid end."""

    attempts: int
    is_done: bool


class RunStore:
    """A store that is open for adding to. Use it as a context manager."""

    def __init__(self, path: Path) -> None:
        """Opens the file, or makes it. Raises RunsError: also where another process adds to it."""
        self._path = path
        try:
            self._connection = _opened(path)
        except (sqlite3.Error, OSError) as error:
            raise _damage(path, error) from error

    def __enter__(self) -> RunStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def begin(self, making: Making) -> dict[tuple[str, int], Progress]:
        """Announces runs, and gives how far they are, by task and seed. Raises RunsError when runs of that collection,
        pack and agent are there that were made with other settings."""
        collection, pack, agent, settings, supersedes = making
        with self._transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO collections VALUES (?, ?)", (collection, supersedes))
            connection.execute("INSERT OR IGNORE INTO makings VALUES (?, ?, ?, ?)", (collection, pack, agent, settings))
            query = "SELECT settings FROM makings WHERE (collection, pack, agent) = (?, ?, ?)"
            (kept,) = connection.execute(query, (collection, pack, agent)).fetchone()
            query = "SELECT supersedes FROM collections WHERE name = ?"
            (replaced,) = connection.execute(query, (collection,)).fetchone()
        if kept != settings or replaced != supersedes:
            raise RunsError(
                f"`{self._path}`: the runs of `{agent}` in the collection `{collection}` were made with other "
                "settings; give the new ones a collection of their own"
            )
        return self._progress(collection, pack, agent)

    def _progress(self, collection: str, pack: str, agent: str) -> dict[tuple[str, int], Progress]:
        query = (
            "SELECT task, seed, count(*), max(status <> 'invalid') FROM runs "
            "WHERE (collection, pack, agent) = (?, ?, ?) GROUP BY task, seed"
        )
        rows = self._connection.execute(query, (collection, pack, agent))
        return {(task, seed): Progress(attempts, bool(done)) for task, seed, attempts, done in rows}

    def add(self, run: RunRecord) -> None:
        """Raises RunsError."""
        key = (run.collection, run.pack, run.agent, run.task.id, run.seed, run.attempt)
        document = json.dumps(run.to_json())
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO runs (collection, pack, agent, task, seed, attempt, status, document) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*key, run.status, document),
            )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._connection:
                yield self._connection
        except sqlite3.Error as error:
            raise _damage(self._path, error) from error


def _opened(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=1)
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        if _format(connection) == (0, 0) and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            for statement in _statements():
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.commit()
        _check(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _statements() -> Iterator[str]:
    statement = ""
    for line in _TABLES.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _format(connection: sqlite3.Connection) -> tuple[int, int]:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return application, version


def _check(connection: sqlite3.Connection, path: Path) -> None:
    application, version = _format(connection)
    if application != _APPLICATION:
        raise RunsError(f"`{path}` holds no runs: it is another program's database")
    if version != FORMAT:
        raise RunsError(f"`{path}` has the format {version}; this version reads format {FORMAT}")


def _damage(path: Path, error: Exception) -> RunsError:
    if getattr(error, "sqlite_errorname", "") == "SQLITE_BUSY":
        return RunsError(f"`{path}` is being written to by another process")
    return RunsError(f"`{path}` cannot be used as a store of runs: {error}")


# ---------------------------------------------------------------------------- reading


class Kept(NamedTuple):
    """`supersedes`: by collection, the one that it replaces."""

    runs: tuple[RunRecord, ...]
    supersedes: dict[str, str]


def read_runs(path: Path) -> Kept:
    """All runs of a store, in the order in which they were added. Raises RunsError."""
    if not path.is_file():
        raise RunsError(f"`{path}` is no file")
    try:
        with closing(sqlite3.connect(path, timeout=1)) as connection:
            _check(connection, path)
            rows = connection.execute("SELECT id, document FROM runs ORDER BY id").fetchall()
            replaced = connection.execute("SELECT name, supersedes FROM collections WHERE supersedes IS NOT NULL")
            return Kept(tuple(_read(path, *row) for row in rows), dict(replaced.fetchall()))
    except sqlite3.Error as error:
        raise _damage(path, error) from error


def _read(path: Path, id: int, document: str) -> RunRecord:
    try:
        return RunRecord.from_json(json.loads(document))
    except (ValueError, RunsError) as error:
        raise RunsError(f"`{path}`: run {id} cannot be read: {error}") from error
