"""What is saved where nothing, or little, has changed, and what two processes save.

    PYTHONPATH=. python benchmarks/rebuild.py [MEMBERS]

The examples are built with an empty cache, once more with nothing changed, and with one file changed. The processor
time of each command is counted without that of a command that only says its version: the ratio to the first build is
what to compare. Then so many members of a family (1000) are built by one process and by two. There it is the time that
passes which counts; on a machine that has other things to do its ratio says nothing, and the processor time does: the
command's own is what only one process can do, and the rest is shared by the workers.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.families import FAMILY

ROOT = Path(__file__).resolve().parents[1]
MEMBERS = 1000

APART = """
import sys
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from cwkc.cli import main

try:
    main()
finally:
    used = map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN))
    print("\\n", *(each.ru_utime + each.ru_stime for each in used), file=sys.stderr)
"""
"""Runs the compiler with the arguments that follow, and then writes what it and its processes took."""


def run(*arguments: str, cwd: Path) -> tuple[float, float]:
    """Processor seconds, those of its processes included, and the seconds that passed."""
    path = os.pathsep.join(str(each) for each in (ROOT, ROOT / "compiler"))
    before, start = getrusage(RUSAGE_CHILDREN), perf_counter()
    command = [sys.executable, "-m", "cwkc", *arguments]
    subprocess.run(command, cwd=cwd, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.DEVNULL, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, perf_counter() - start


def again(folder: Path) -> None:
    shutil.copytree(ROOT / "examples", folder / "examples")

    def build() -> float:
        return run("build", "examples", "-o", "pack", "--cache", "cache", cwd=folder)[0] - start

    run("--version", cwd=folder)
    start = run("--version", cwd=folder)[0]
    first, unchanged = build(), build()
    changed = folder / "examples" / "support" / "thank_reporter.cwk"
    changed.write_text(changed.read_text(encoding="utf-8") + "# one line more\n", encoding="utf-8")
    touched = build()
    print(f"{'examples':24}{'CPU s':>8}{'faster':>8}")
    for words, seconds in (("first", first), ("one file changed", touched), ("nothing changed", unchanged)):
        print(f"{words:24}{seconds:8.2f}{first / seconds:7.1f}x")


def apart(*arguments: str, cwd: Path) -> tuple[float, float, float]:
    """The processor seconds of the command itself and of its workers, and the seconds that passed."""
    path = os.pathsep.join(str(each) for each in (ROOT, ROOT / "compiler"))
    start = perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", APART, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    own, workers = map(float, done.stderr.splitlines()[-1].split())
    return own, workers, perf_counter() - start


def beside(folder: Path, count: int) -> None:
    (folder / "stale.cwk").write_text(FAMILY, encoding="utf-8")
    command = ("build", "stale.cwk", "-o", "pack", "--no-cache", "--members", str(count), "--jobs")
    costs = {jobs: apart(*command, jobs, cwd=folder) for jobs in ("1", "2")}
    print(f"{f'{count} members':24}{'CPU s':>8}{'workers':>9}{'tasks/s':>9}{'faster':>8}")
    for jobs, (own, workers, passed) in costs.items():
        faster = costs["1"][-1] / passed
        print(f"{f'--jobs {jobs}':24}{own:8.1f}{workers:9.1f}{count / passed:9.1f}{faster:7.2f}x")


def main(count: int) -> None:
    with TemporaryDirectory() as name:
        again(Path(name))
        beside(Path(name), count)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MEMBERS)
