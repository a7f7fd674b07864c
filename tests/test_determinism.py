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


def cwkc(*arguments: str, cwd: Path, seed: str = "0") -> subprocess.Popen[bytes]:
    path = os.pathsep.join(str(folder) for folder in (ROOT, ROOT / "compiler"))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed}
    return subprocess.Popen([sys.executable, "-m", "cwkc", *arguments], cwd=cwd, env=environment)


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
