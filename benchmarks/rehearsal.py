"""What the rehearsal of a task costs: its runs, and the processor time of all of them.

    python benchmarks/rehearsal.py

The examples are checked once; then each is rehearsed several times in its loaded pack, and the median of its passes is
printed in milliseconds, beside a fixed piece of work in plain Python by which machines, and moments of a busy one, can
be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

from cwkc import driver
from cwkc.diagnostics import has_errors
from cwkc.rehearse import rehearse

EXAMPLES = Path(__file__).parent.parent / "examples"
PASSES = 7


def milliseconds(work: Callable[[], object]) -> float:
    """The median of several passes, after one that fills the caches."""
    work()
    passes = []
    for _ in range(PASSES):
        start = process_time()
        work()
        passes.append(1000 * (process_time() - start))
    return median(passes)


def yardstick() -> int:
    """A fixed piece of work: about as long as the rehearsal of a small task."""
    return sum(len(str(number)) for number in range(100_000))


def main() -> None:
    costs = []
    for path in sorted(EXAMPLES.rglob("*.cwk")):
        checked = driver.check([path])
        if checked.bench is None or has_errors(checked.diagnostics):
            continue
        pack = checked.bench.pack
        for task in checked.tasks:
            proof = checked.proofs[task.name]
            again = partial(rehearse, task, pack, proof.witness, proof.violations)
            costs.append(milliseconds(again))
            print(f"{task.name:<28} {costs[-1]:6.1f} ms  {again().runs:>4} runs")
    print(f"median {median(costs):.1f} ms; the yardstick takes {milliseconds(yardstick):.1f} ms")


if __name__ == "__main__":
    main()
