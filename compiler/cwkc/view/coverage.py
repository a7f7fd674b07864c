"""What a pack covers: counted while its tasks go by, so that none of them need be kept."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from attrs import field, frozen

from cwkc.view.tasks import TaskView

UNSAID = "–"
"""Stands for a category, a difficulty or a capability that a task does not name."""


class Row(NamedTuple):
    """A task in the list of the index. `open`: the theorems that are not established."""

    id: str
    title: str
    category: str
    difficulty: str
    language: str
    capabilities: tuple[str, ...]
    services: tuple[str, ...]
    checks: int
    killed: int
    mutants: int
    open: tuple[str, ...]


@frozen(eq=False)
class Coverage:
    """`words`: of each dimension, how many tasks have which word. `cells`: how many have a capability and a category.
    `verdicts`: how many theorems of a name have a verdict."""

    rows: list[Row] = field(factory=list)
    words: dict[str, Counter[str]] = field(
        factory=lambda: {name: Counter() for name in ("category", "difficulty", "language", "capability", "service")}
    )
    cells: Counter[tuple[str, str]] = field(factory=Counter)
    verdicts: dict[str, Counter[str]] = field(factory=dict)

    def add(self, task: TaskView) -> None:
        head, proof = task.head, task.proof
        category = head.category or UNSAID
        capabilities = head.capabilities or (UNSAID,)
        single = {"category": category, "difficulty": head.difficulty or UNSAID, "language": head.language or UNSAID}
        for dimension, word in single.items():
            self.words[dimension][word] += 1
        self.words["capability"].update(capabilities)
        self.words["service"].update(tuple(task.tools))
        self.cells.update((capability, category) for capability in capabilities)
        for theorem in proof.theorems:
            self.verdicts.setdefault(theorem.name, Counter())[theorem.verdict] += 1
        unestablished = tuple(theorem.name for theorem in proof.theorems if not theorem.is_established)
        self.rows.append(
            Row(
                head.id, head.title, *single.values(), capabilities, tuple(task.tools), len(task.grading.shares),
                proof.killed, len(proof.mutants), unestablished,
            )
        )  # fmt: skip

    @property
    def mutants(self) -> tuple[int, int]:
        """Those that were found out, and all."""
        return sum(row.killed for row in self.rows), sum(row.mutants for row in self.rows)
