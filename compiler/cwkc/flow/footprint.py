"""What the tools of a task's offer and its events may write, and so which expressions no run can change."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from cwkc.meaning import typed
from cwkc.meaning.walk import children, statements


@frozen
class Footprint:
    """Stores that tools insert into, records that they delete, fields that they set."""

    inserts: frozenset[str]
    deletes: frozenset[str]
    sets: frozenset[tuple[str, str]]

    def may_change(self, store: typed.StoreDef) -> bool:
        """Whether the store may come to hold other records than at the start."""
        return store.name in self.inserts or store.record in self.deletes


def footprint(tools: Iterable[typed.ToolDef]) -> Footprint:
    every = [statement for tool in tools for statement in statements(tool.body)]
    return Footprint(
        frozenset(each.store for each in every if isinstance(each, typed.Insert)),
        frozenset(each.record for each in every if isinstance(each, typed.Delete)),
        frozenset(
            (each.record, assignment.field)
            for each in every
            if isinstance(each, typed.Set)
            for assignment in each.assignments
        ),
    )


_OF_THE_RUN = (typed.Answer, typed.Said, typed.CallFact, typed.Before, typed.Learned, typed.Outcome, typed.Now)


@frozen(eq=False)
class Fixed:
    """Tells which expressions of a task have one value in every run."""

    stores: dict[str, typed.StoreDef]
    footprint: Footprint

    @classmethod
    def of(cls, task: typed.Task) -> Fixed:
        return cls(dict(task.stores), footprint((*task.tools, *(event.as_tool for event in task.events.values()))))

    def holds(self, expr: typed.Expr, known: frozenset[str], at_start: bool = False) -> bool:
        """Whether no run changes its value. `known` are the variables that have one; `at_start`: within `start(…)`."""
        match expr:
            case typed.Variable():
                return expr.kind != "argument" and expr.name in known
            case typed.Start():
                return self.holds(expr.operand, known, True)
            case typed.StoreRecords() | typed.Lookup():
                if not at_start and self.footprint.may_change(self.stores[expr.store]):
                    return False
            case typed.FieldOf():
                if not at_start and (expr.record, expr.name) in self.footprint.sets:
                    return False
            case typed.Delivered(variable=typed.Variable() as variable):
                known = known | {variable.name}
            case typed.Binder() | typed.Sum():
                known = known | {expr.variable.name}
        if isinstance(expr, _OF_THE_RUN):
            return False
        return all(self.holds(child, known, at_start) for child in children(expr))
