"""The store of runs: added to and never changed, locked, and damaged."""

import sqlite3
from pathlib import Path

import pytest
from attrs import evolve

from cwktrain.runs import RunsError
from cwktrain.store import Making, Progress, RunStore, read_runs

from .records import run

MAKING = Making("default", "a pack", "somebody", "{}")


def test_progress_counts_attempts(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "runs.sqlite"
    with RunStore(path) as store:
        assert store.begin(MAKING) == {}
        store.add(run("one", None))
        store.add(run("one", 0.0, attempt=1))
        store.add(run("two", None))
    with RunStore(path) as store:
        assert store.begin(MAKING) == {("one", 0): Progress(2, True), ("two", 0): Progress(1, False)}
        assert store.begin(MAKING._replace(agent="another")) == {}
    assert read_runs(path).runs == (run("one", None), run("one", 0.0, attempt=1), run("two", None))


def test_nothing_is_changed_or_added_twice(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with RunStore(path) as store:
        store.begin(MAKING)
        store.add(run())
        with pytest.raises(RunsError, match="UNIQUE"):
            store.add(run(reward=0.5))
    with sqlite3.connect(path) as connection:
        for statement in ("DELETE FROM runs", "UPDATE runs SET status = 'invalid'"):
            with pytest.raises(sqlite3.IntegrityError, match="runs are only added"):
                connection.execute(statement)
    connection.close()
    assert read_runs(path).runs == (run(),)


def test_other_settings_are_another_collection(tmp_path: Path) -> None:
    with RunStore(tmp_path / "runs.sqlite") as store:
        store.begin(MAKING)
        with pytest.raises(RunsError, match="other settings"):
            store.begin(MAKING._replace(settings='{"temperature": 1}'))
        with pytest.raises(RunsError, match="other settings"):
            store.begin(MAKING._replace(supersedes="older"))
        store.begin(MAKING._replace(collection="newer", settings='{"temperature": 1}', supersedes="default"))
    assert read_runs(tmp_path / "runs.sqlite").supersedes == {"newer": "default"}


def test_a_store_has_one_writer(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with RunStore(path) as store:
        store.begin(MAKING)
        for open in (RunStore, read_runs):
            with pytest.raises(RunsError, match="being written to"):
                open(path)
        store.add(run())
    assert read_runs(path).runs == (run(),)


def test_what_is_no_store_is_told(tmp_path: Path) -> None:
    text, other, empty = tmp_path / "text", tmp_path / "other", tmp_path / "empty"
    text.write_text("not a database, but long enough to be looked at" * 50, encoding="utf-8")
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE tasks (id)")
    connection.close()
    empty.touch()
    for path in (text, other):
        for open in (RunStore, read_runs):
            with pytest.raises(RunsError):
                open(path)
    with pytest.raises(RunsError, match="holds no runs"):
        read_runs(empty)
    with pytest.raises(RunsError, match="no file"):
        read_runs(tmp_path / "absent")


@pytest.mark.parametrize("document", ["{", "[]", '{"costs": 3}', '{"costs": {}, "task": {}}'])
def test_a_damaged_run_is_named(document: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with RunStore(path) as store:
        store.begin(MAKING)
        store.add(run())
    with sqlite3.connect(path) as connection:
        row = ("default", "a pack", "somebody", "two", 0, 0, "scored", document)
        connection.execute("INSERT INTO runs VALUES (7, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    connection.close()
    with pytest.raises(RunsError, match="run 7 cannot be read"):
        read_runs(path)


def test_a_truncated_store_is_told(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with RunStore(path) as store:
        store.begin(MAKING)
        for seed in range(50):
            store.add(evolve(run(), seed=seed))
    path.write_bytes(path.read_bytes()[:9000])
    with pytest.raises(RunsError):
        read_runs(path)
