"""From the parts of two packs to what is different."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from attrs import frozen

from cwkc.differences.parts import Parts, Subject

_Key = TypeVar("_Key")


@frozen
class Change:
    """What a part of a task, or of a family, says under one name: `old` is None where that is new, `new` where it is
    gone. Of a task that is new or gone, `part` and `name` are empty."""

    kind: str
    task: str
    part: str
    name: str
    old: str | None
    new: str | None


def changes(old: Mapping[Subject, Parts], new: Mapping[Subject, Parts]) -> tuple[Change, ...]:
    """Task by task, those that are gone first, in the order of their packs."""
    return tuple(change for task in _joined(old, new) for change in _of_task(task, old.get(task), new.get(task)))


def _of_task(task: Subject, old: Parts | None, new: Parts | None) -> Iterator[Change]:
    if old is None or new is None:
        yield Change(*task, "", "", None if old is None else task[1], None if new is None else task[1])
        return
    for part in _joined(old, new):
        before, after = old.get(part, {}), new.get(part, {})
        for name in _joined(before, after):
            if before.get(name) != after.get(name):
                yield Change(*task, part, name, before.get(name), after.get(name))


def _joined(old: Mapping[_Key, object], new: Mapping[_Key, object]) -> list[_Key]:
    """The names of either, each once."""
    return [*(name for name in old if name not in new), *new]
