"""A family: one page for all of its members, and a row for each."""

from __future__ import annotations

from copy import copy

from attrs import frozen

from coworkdsl.families import Family
from cwkc.view.runs import Agent
from cwkc.view.tasks import Head, TaskView, task_view
from cwkc.view.words import shown


@frozen
class Parameter:
    """`values`: how many it takes."""

    name: str
    type: str
    values: int


@frozen
class FamilyView:
    """`task`: the first member, under the head of the family. `size`: how many members there are, of which the pack has
    `members`. `rows`: of each of these its id and the values of its parameters."""

    task: TaskView
    first: str
    members: int
    size: int
    parameters: tuple[Parameter, ...]
    rows: tuple[tuple[str, ...], ...]


def family_view(family: Family, head: Head, witness: Agent) -> FamilyView:
    """Raises PackError."""
    parameters = tuple(Parameter(each["name"], each["type"], each["values"]) for each in family.document["parameters"])
    names = [parameter.name for parameter in parameters]
    rows = tuple((id, *(shown(family.member(id).parameters[name]) for name in names)) for id in family)
    first = rows[0][0]
    task = task_view(copy(family.member(first)), head, witness)
    return FamilyView(task, first, family.count, family.document["size"], parameters, rows)
