"""How long the proofs of a task take, beside the start of a process.

    python benchmarks/proofs.py

Every theorem of each example task, with the runs that are executed for it in its emitted environment; the first task of
a process, which also loads the solver, counts for itself. CPU time, medians of several passes.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import process_time

from cwkc import driver
from cwkc.meaning import typed
from cwkc.prove import Execute, prove
from cwkc.prove.conditions import conditions, encode
from cwkc.prove.pool import Pool
from cwkc.prove.reach import Reach
from cwkc.prove.search import search
from cwkc.prove.solver import BUDGET
from cwkc.rehearse.execute import executor

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").rglob("*.cwk"))
PASSES = 9


def seconds(work: Callable[[], object], passes: int = PASSES) -> float:
    """Median CPU seconds."""
    times = []
    for _ in range(passes):
        start = process_time()
        work()
        times.append(process_time() - start)
    return median(times)


def process_start() -> float:
    """CPU seconds of a Python that does nothing."""

    def start() -> float:
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", ""], check=True)
        after = getrusage(RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return median(start() for _ in range(PASSES))


def measured(task: typed.Task, execute: Execute) -> tuple[float, float, float]:
    """Of one task: its first encoding, the search for a run or a conflict, all theorems."""
    wanted = conditions(task)
    return (
        seconds(lambda: encode(task, wanted, Reach(task), Pool(task.events.values()))),
        seconds(lambda: search(task, execute, BUDGET, wanted)),
        seconds(lambda: prove(task, execute)),
    )


def main() -> None:
    program, _ = driver.understand(EXAMPLES)
    executors = {task.name: executor(task) for task in program.tasks}
    first = program.tasks[0]
    cold = seconds(lambda: prove(first, executors[first.name]), passes=1)
    print(f"process start {process_start() * 1000:.1f} ms, first proof of a process {cold * 1000:.1f} ms")
    print(f"{'ms of CPU':28}{'encode':>10}{'search':>10}{'prove':>10}")
    rows = {task.name: measured(task, executors[task.name]) for task in program.tasks}
    for name, row in (*rows.items(), ("median", map(median, zip(*rows.values(), strict=True)))):
        print(f"{name:28}" + "".join(f"{each * 1000:10.1f}" for each in row))


if __name__ == "__main__":
    main()
