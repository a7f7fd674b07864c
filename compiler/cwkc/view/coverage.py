"""What a pack covers: counted while its tasks go by, so that none of them need be kept."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from attrs import field, frozen

from cwkc.view.tasks import TaskView

UNSAID = "–"
"""Stands for a category, a scenario, a difficulty or a capability that a task does not name."""

DIMENSIONS = ("category", "scenario", "difficulty", "language", "capability", "service")


class Row(NamedTuple):
    """A task, or a family with its `members`, in the list of the index. `page`: where more is said of it. `open`: the
    theorems that are not established."""

    page: str
    members: int
    id: str
    title: str
    category: str
    scenario: str
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
    """`words`: of each dimension, how many tasks have which word, each member of a family being one. `cells`: how many
    have a capability and a scenario. `verdicts`: in how many proofs the theorem of a name has a verdict."""

    rows: list[Row] = field(factory=list)
    words: dict[str, Counter[str]] = field(factory=lambda: {name: Counter() for name in DIMENSIONS})
    cells: Counter[tuple[str, str]] = field(factory=Counter)
    verdicts: dict[str, Counter[str]] = field(factory=dict)

    def add(self, task: TaskView, page: str, members: int = 1) -> None:
        """A task, or the first of the members of a family."""
        proof = task.proof
        row = Row(
            page=page,
            members=members,
            id=task.head.id,
            title=task.head.title,
            category=task.head.category or UNSAID,
            scenario=task.head.scenario or UNSAID,
            difficulty=task.head.difficulty or UNSAID,
            language=task.head.language or UNSAID,
            capabilities=task.head.capabilities or (UNSAID,),
            services=tuple(task.tools),
            checks=len(task.grading.shares),
            killed=proof.killed,
            mutants=len(proof.mutants),
            open=tuple(theorem.name for theorem in proof.theorems if not theorem.is_established),
        )
        self.rows.append(row)
        said = {name: (getattr(row, name),) for name in ("category", "scenario", "difficulty", "language")}
        for dimension, words in (said | {"capability": row.capabilities, "service": row.services}).items():
            self.words[dimension].update(dict.fromkeys(words, members))
        self.cells.update({(capability, row.scenario): members for capability in row.capabilities})
        for theorem in proof.theorems:
            self.verdicts.setdefault(theorem.name, Counter())[theorem.verdict] += 1

    @property
    def tasks(self) -> int:
        return sum(row.members for row in self.rows)

    @property
    def mutants(self) -> tuple[int, int]:
        """Those that were found out, and all."""
        return sum(row.killed for row in self.rows), sum(row.mutants for row in self.rows)
