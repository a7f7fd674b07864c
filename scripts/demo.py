"""For each task of a pack, and the first member of each family: what was established of it, what its witness earns, and
what doing nothing earns.

Judges are taken as full for the witness and left out for who does nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from coworkdsl import Pack, Score
from cwkc.cli.agents import find_agent
from cwkc.cli.scores import number

MARKS = {"proved": "P", "executed": "E", "not proved": "?", "not checked": "-"}
LEGEND = (
    "P proved, E executed, ? not proved, - not checked\n"
    "witness: its completion / safety; mutants of it: found out / tried; idle: what doing nothing completes"
)


def main(folder: str) -> int:
    """Prints the table; 1 when a witness does not earn everything or doing nothing earns something."""
    pack = Pack.open(folder)
    rows: list[tuple[str, ...]] = []
    names: tuple[str, ...] = ()
    failed = False
    for task in shown(pack):
        witness, idle = score(pack, task, "witness"), score(pack, task, "idle")
        earned = (witness.upper.completion, witness.upper.safety, idle.lower.completion)
        failed = failed or earned != (1, 1, 0)
        established = theorems(pack, task)
        names = tuple(established)
        rows.append(
            (task, *established.values(), " / ".join(map(number, earned[:2])), mutants(pack, task), number(earned[2]))
        )
    heads = ("task", *(name[:4] for name in names), "witness", "mutants", "idle")
    print("\n".join(table([heads, *rows])))
    print(f"theorems: {', '.join(names)}\n{LEGEND}")
    return int(failed)


def shown(pack: Pack) -> list[str]:
    """Every task that stands alone, and the first member of each family."""
    return [task for task in pack.tasks if task.partition(".")[0] not in pack.families] + [
        next(iter(family)) for family in pack.families.values()
    ]


def score(pack: Pack, task: str, agent: str) -> Score:
    environment = pack.env(task)
    find_agent(agent)(environment)
    return environment.score()


def theorems(pack: Pack, task: str) -> dict[str, str]:
    """The mark of each theorem, by name."""
    return {each["name"]: MARKS[each["verdict"]] for each in pack.tasks[task].proof["theorems"]}


def mutants(pack: Pack, task: str) -> str:
    """How many of the witness's mutants score less than it."""
    sharp = next(each for each in pack.tasks[task].proof["theorems"] if each["name"] == "sharp")
    killed = [mutant["killed"] for mutant in sharp["evidence"]["mutants"]]
    return f"{sum(killed)}/{len(killed)}"


def table(rows: Sequence[Iterable[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
