"""The same sources give the same bytes, and an interrupted build leaves no half of a pack."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TASKS = ("escalate_stale_enterprise.cwk", "thank_reporter.cwk")


def cwkc(*arguments: str, cwd: Path, seed: str = "0", apart: bool = False) -> subprocess.Popen[bytes]:
    """`apart`: in a session of its own, with its output in a pipe."""
    path = os.pathsep.join(str(folder) for folder in (ROOT, ROOT / "compiler"))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed}
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} if apart else {}
    command = [sys.executable, "-m", "cwkc", *arguments]
    return subprocess.Popen(command, cwd=cwd, env=environment, start_new_session=apart, **output)


def digest(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    folder = tmp_path / "tasks"
    folder.mkdir()
    for name in TASKS:
        shutil.copy(ROOT / "examples/support" / name, folder)
    return folder


def test_neither_hash_seed_nor_folder_nor_spelling_of_paths_changes_a_byte(tasks: Path, tmp_path: Path) -> None:
    builds = [
        cwkc("build", "tasks", "-o", "one", cwd=tmp_path, seed="1"),
        cwkc("build", ".", "-o", "../two", cwd=tasks, seed="2"),
        cwkc("build", str(tasks), "-o", str(tmp_path / "three"), cwd=ROOT, seed="3"),
    ]
    assert [build.wait() for build in builds] == [0, 0, 0]
    one, two, three = (digest(tmp_path / name) for name in ("one", "two", "three"))
    assert one == two == three
    assert "pack.json" in one


def test_neither_memory_nor_processes_change_a_byte(tasks: Path, tmp_path: Path) -> None:
    ways = {"plain": ["--no-cache"], "jobs": ["--no-cache", "--jobs", "2"], "cold": [], "cold too": ["--jobs", "2"]}
    shared = ["--cache", "shared"]
    builds = [cwkc("build", "tasks", "-o", name, *shared, *arguments, cwd=tmp_path) for name, arguments in ways.items()]
    assert [build.wait() for build in builds] == [0, 0, 0, 0]
    assert cwkc("build", "tasks", "-o", "warm", *shared, cwd=tmp_path).wait() == 0
    plain, *others = (digest(tmp_path / name) for name in (*ways, "warm"))
    assert [other == plain for other in others] == [True] * 4


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("after", [0.2, 0.6, 1.0])
def test_an_interrupted_build_leaves_nothing_half_done(tasks: Path, tmp_path: Path, stop: int, after: float) -> None:
    build = cwkc("build", "tasks", "-o", "pack", cwd=tmp_path)
    time.sleep(after)
    build.send_signal(stop)
    build.wait()
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left in (["tasks"], ["pack", "tasks"])
    if "pack" in left:
        assert (tmp_path / "pack" / "pack.json").is_file()
        assert (tmp_path / "pack" / "tasks" / "thank_reporter" / "proof.json").is_file()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("after", [0.3, 1.0, 2.0])
def test_an_interrupted_build_takes_its_processes_along(tasks: Path, tmp_path: Path, stop: int, after: float) -> None:
    """The output ends when nobody is left that could write to it. An interrupt at the terminal goes to all of them."""
    build = cwkc("build", "tasks", "-o", "pack", "--no-cache", "--jobs", "2", cwd=tmp_path, apart=True)
    time.sleep(after)
    if stop == signal.SIGINT:
        os.killpg(build.pid, stop)
    else:
        build.send_signal(stop)
    said, _ = build.communicate(timeout=60)
    assert said.strip() == b""
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith(".")) in (
        ["tasks"],
        ["pack", "tasks"],
    )


def test_a_folder_that_is_no_pack_is_left_alone(tasks: Path, tmp_path: Path) -> None:
    kept = tmp_path / "precious"
    kept.mkdir()
    (kept / "thesis.txt").write_text("years of work")
    assert cwkc("build", "tasks", "-o", "precious", cwd=tmp_path).wait() == 2
    assert [path.name for path in kept.iterdir()] == ["thesis.txt"]


def test_a_failed_build_keeps_the_pack_that_was_there(tasks: Path, tmp_path: Path) -> None:
    assert cwkc("build", "tasks", "-o", "pack", cwd=tmp_path).wait() == 0
    before = digest(tmp_path / "pack")
    (tasks / "thank_reporter.cwk").write_text("cwk 1\ntask")
    assert cwkc("build", "tasks", "-o", "pack", cwd=tmp_path).wait() == 1
    assert digest(tmp_path / "pack") == before
