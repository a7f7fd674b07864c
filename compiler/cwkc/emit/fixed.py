"""What is fixed for all runs of a task: its truths and contracts, as constants of a module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from cwkc.emit.code import call
from cwkc.emit.guarantees import guarantees_of
from cwkc.emit.literals import Constants, Hole, literal, quoted
from cwkc.emit.modules import statement
from cwkc.emit.names import Names
from cwkc.emit.nulls import Known
from cwkc.emit.printer import WIDTH, Document
from cwkc.emit.scope import Scope
from cwkc.meaning import typed
from cwkc.meaning.walk import walk

FINAL, START = "run.final", "run.start"


@frozen(eq=False)
class Fixed:
    """The names of the constants for a task's truths and contracts."""

    task: typed.Task
    truths: Mapping[str, str]
    contracts: Mapping[str, str]

    def scope(self, names: Names, taken: Iterable[str]) -> Scope:
        """The scope of a module's functions, whose own names are none of those taken. Names of constants are new to
        `names`."""
        return Scope(
            _known(self.task),
            Names([*taken, *self.truths.values(), *self.contracts.values()]),
            Constants(names),
            {name: _once(id, _events([self.task.truths[name]])) for name, id in self.truths.items()},
            {name: _once(id, _events(self._behind(name))) for name, id in self.contracts.items()},
        )

    def texts(self) -> tuple[str, ...]:
        """The constants, as they stand at the head of a module."""
        truths = (line for name, id in self.truths.items() for line in _constant(self.task.truths[name], id))
        contracts = (_contract(self.task.deliverables[name], id) for name, id in self.contracts.items())
        return ("\n".join(truths), *contracts)

    def _behind(self, contract: str) -> Iterator[typed.TruthDef]:
        """The truths that a contract is made from."""
        deliverable = self.task.deliverables[contract]
        rows = deliverable.rows
        exprs = (*(field.expr for field in deliverable.fields), *((rows.source, rows.key) if rows else ()))
        for part in (part for expr in exprs for part in walk(expr)):
            if isinstance(part, typed.Truth):
                yield self.task.truths[part.name]


def named(task: typed.Task, names: Names, truths: Iterable[str], contracts: Iterable[str]) -> Fixed:
    """These truths and contracts of a task, under names that are new to the module."""
    constants = {name: names.take(name.upper()) for name in truths}
    return Fixed(task, constants, {name: names.take(f"{name.upper()}_CONTRACT") for name in contracts})


def _known(task: typed.Task) -> Known:
    """What is known where a task's run is read."""
    values = {name: _first(truth.value) for name, truth in task.truths.items()}
    writers = (*task.tools, *(event.as_tool for event in task.events.values()))
    return Known(FINAL, START, guarantees_of(writers, task.stores, task.records, values), values)


def _first(value: Any) -> Any:
    """What is known of a truth's value: in a family, that of the first member, whose nulls are the others' too."""
    return value.value if isinstance(value, Hole) else value


def _events(truths: Iterable[typed.TruthDef]) -> list[str]:
    """The events that truths wait for."""
    return list(dict.fromkeys(truth.after for truth in truths if truth.after is not None))


def _once(name: str, events: Iterable[str]) -> Document:
    """A constant where it is used: one that waits for events is asked of the run."""
    used: Document = name
    for event in events:
        used = call("run.after", quoted(event), used).document
    return used


def _constant(truth: typed.TruthDef, name: str) -> list[str]:
    """A truth as a constant, with the place where the author says it."""
    text = statement((f"{name} = ", literal(truth.value)), 0)
    remark = f"# let {truth.name} ({truth.span.place})"
    if "\n" in text or len(text) + len(remark) + 2 > WIDTH:
        return [remark, text]
    return [f"{text}  {remark}"]


def _contract(deliverable: typed.DeliverDef, name: str) -> str:
    """A contract as a constant, below the place where the author says it."""
    contract = deliverable.contract
    parts = (contract.format, contract.columns, contract.rows, contract.key)
    made = call("rt.Contract", *map(literal, parts))
    remark = f"# deliver {deliverable.name} ({deliverable.span.place})"
    return "\n".join((remark, statement((f"{name} = ", made.document), 0)))
