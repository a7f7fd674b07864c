"""The examples that a prompt shows: those most like what a slot wants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from attrs import frozen

from cwkc import driver
from cwkc.generate.halves import Halves, split
from cwkc.generate.slots import Slot
from cwkc.meaning import typed
from cwkc.resources import example_paths
from cwkc.source import Source
from cwkc.syntax import tree
from cwkc.syntax.parser import parse

SHOWN = 3
"""How many examples a prompt shows."""

FIRST = "thank_reporter"
"""The task of the example that stands in the prompts of every slot."""

_PLAIN = (tree.Task, tree.World, tree.Grade)


@frozen
class Example:
    task: typed.Task
    halves: Halves


def chosen(slot: Slot, count: int = SHOWN) -> tuple[Halves, ...]:
    """The halves of the examples most like the slot, the most like it first."""
    ranked = sorted(_examples(), key=lambda each: (-_likeness(slot, each.task), each.task.name))
    return tuple(each.halves for each in ranked if each.task.name != FIRST)[:count]


def first() -> Halves:
    """The halves of the example that every slot's prompts show."""
    return next(each.halves for each in _examples() if each.task.name == FIRST)


@cache
def _examples() -> tuple[Example, ...]:
    """The examples with one task that needs no service or file of its own."""
    return tuple(_read())


def _read() -> Iterator[Example]:
    for path in example_paths():
        text = path.read_text(encoding="utf-8")
        module, _ = parse(Source(path.as_posix(), text))
        if all(isinstance(item, _PLAIN) for item in module.items) and not _needs_files(module.items):
            program, _ = driver.understand([path])
            yield Example(program.tasks[0], split(text))


def _needs_files(items: Sequence[tree.Item]) -> bool:
    return any(isinstance(each, tree.Asset) for item in items if isinstance(item, tree.Task) for each in item.items)


def _likeness(slot: Slot, task: typed.Task) -> float:
    """From 0 to 6.5: of the slot's services, the share that the task offers weighs most."""
    from rapidfuzz import fuzz, utils

    wanted = slot.wanted
    services = {tool.name.partition(".")[0] for tool in task.tools}
    said = (wanted.category, wanted.difficulty, wanted.language)
    same = sum(mine is not None and mine == its for mine, its in zip(said, _said(task), strict=True))
    words = fuzz.token_set_ratio(wanted.scenario or "", f"{task.title} {task.request}", processor=utils.default_process)
    return (
        3 * len(services.intersection(wanted.services)) / len(wanted.services)
        + _overlap(set(wanted.capabilities), set(task.capabilities))
        + same / 2
        + words / 100
    )


def _said(task: typed.Task) -> tuple[str | None, ...]:
    return task.category, task.difficulty, task.language


def _overlap(some: set[str], others: set[str]) -> float:
    """Of all that is in either, the share that is in both."""
    return len(some & others) / len(some | others) if some | others else 0.0
