"""Near-duplicates: tasks whose requests and worlds are nearly the same words.

The likeness of two tasks is the mean of that of their requests and that of the texts in their records, each from 0 to
100: rapidfuzz's `token_sort_ratio`, for which the order of words does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coworkdsl import Pack, Task
from cwkc import driver
from cwkc.emit.pack import told
from cwkc.generate.faults import Fault, fault
from cwkc.generate.owners import Owner
from cwkc.meaning import typed
from cwkc.stages import first_members


class Known(NamedTuple):
    """A task as others are compared with it."""

    name: str
    request: str
    world: str


def of_task(task: typed.Task, name: str) -> Known:
    return Known(name, told(task), "\n".join(_texts([row.fields for row in task.rows])))


def of_files(paths: Sequence[Path]) -> Iterator[Known]:
    """The tasks of `.cwk` files, and of each family the first; those with errors are left out."""
    program, _ = driver.understand(paths)
    for task in (*program.tasks, *first_members(program.families)):
        yield of_task(task, task.name)


def of_pack(folder: Path) -> Iterator[Known]:
    """The tasks of a pack, and of each family the first. Raises PackError."""
    pack = Pack.open(folder)
    alone = [task for id, task in pack.tasks.items() if id.partition(".")[0] not in pack.families]
    for task in (*alone, *(family.member(next(iter(family))) for family in pack.families.values())):
        yield Known(task.id, task.request, "\n".join(_texts(_records(task))))


def _records(task: Task) -> list[Any]:
    return [dict(record) for records in task.base.view().stores.values() for record in records.values()]


def twin_of(task: Known, others: Iterable[Known], least: float) -> Fault | None:
    """The fault of a task that is like one of the others, from that likeness on."""
    found = max(((_likeness(task, other), other.name) for other in others), default=(0.0, ""))
    if found[0] < least:
        return None
    return fault(
        Owner.WRITER,
        "near-duplicate",
        f"the task is {found[0]:.0f} % like the task `{found[1]}`, in its request and in its records",
        "write of another problem, with other people and other records",
    )


def _likeness(one: Known, other: Known) -> float:
    from rapidfuzz import fuzz, utils

    pairs = ((one.request, other.request), (one.world, other.world))
    return sum(fuzz.token_sort_ratio(*pair, processor=utils.default_process) for pair in pairs) / 2


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
