"""What is saved where nothing, or little, has changed, and what two processes save.

    PYTHONPATH=. python benchmarks/rebuild.py [MEMBERS]

The examples are built with an empty cache, once more with nothing changed, and with one file changed. The processor
time of each command is counted without that of a command that only says its version: the ratio to the first build is
what to compare. Then so many members of a family (1000) are built by one process and by two: there it is the time that
passes which counts, and its ratio says nothing on a machine that has other things to do.
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


def beside(folder: Path, count: int) -> None:
    (folder / "stale.cwk").write_text(FAMILY, encoding="utf-8")
    command = ("build", "stale.cwk", "-o", "pack", "--no-cache", "--members", str(count), "--jobs")
    costs = {jobs: run(*command, jobs, cwd=folder) for jobs in ("1", "2")}
    print(f"{f'{count} members':24}{'CPU s':>8}{'tasks/s':>9}{'faster':>8}")
    for jobs, (spent, passed) in costs.items():
        print(f"{f'--jobs {jobs}':24}{spent:8.1f}{count / passed:9.1f}{costs['1'][1] / passed:7.2f}x")


def main(count: int) -> None:
    with TemporaryDirectory() as name:
        again(Path(name))
        beside(Path(name), count)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MEMBERS)
