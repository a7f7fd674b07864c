"""For each task of a pack: what was established of it, what its witness earns, and what doing nothing earns."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence

from coworkdsl import Pack, Score
from cwkc.cli.agents import find_agent
from cwkc.cli.scores import number

HEADS = ("task", "theorems", "witness completion", "witness safety", "idle completion")


def main(folder: str) -> int:
    """Prints the table; 1 when a witness does not earn everything or doing nothing earns something."""
    pack = Pack.open(folder)
    rows, failed = [HEADS], False
    for task in pack.tasks:
        witness, idle = score(pack, task, "witness"), score(pack, task, "idle")
        earned = (witness.exact.completion, witness.exact.safety, idle.exact.completion)
        failed = failed or earned != (1, 1, 0)
        rows.append((task, theorems(pack, task), *map(number, earned)))
    print("\n".join(table(rows)))
    return int(failed)


def score(pack: Pack, task: str, agent: str) -> Score:
    environment = pack.env(task)
    find_agent(agent)(environment)
    return environment.score()


def theorems(pack: Pack, task: str) -> str:
    counts = Counter(theorem["verdict"] for theorem in pack.tasks[task].proof["theorems"])
    return ", ".join(f"{count} {verdict}" for verdict, count in counts.items())


def table(rows: Sequence[Iterable[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
