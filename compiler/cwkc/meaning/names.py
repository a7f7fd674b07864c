"""What names stand for, at one place in a program."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from cwkc.diagnostics import Diagnostic
from cwkc.meaning.typed import (
    Constant,
    DeliverDef,
    FactDef,
    FieldDef,
    RecordDef,
    ServiceDef,
    StoreDef,
    ToolDef,
    Variable,
)
from cwkc.meaning.types import EnumType, Type
from cwkc.source import Span

if TYPE_CHECKING:  # that file needs this one
    from cwkc.meaning.vocabularies import Picks


class Stage(Enum):
    """Where an expression stands, which decides what it may ask."""

    CONSTANT = "a default value"
    TOOL = "a tool"
    DATA = "the initial records"
    TRUTH = "a truth"
    EVENT = "an event's action"
    GRADING = "a check"
    STATE = "an `always`"
    CALL = "a call's `where`"
    REWARD = "the reward"


@frozen
class TruthName:
    """A task's `let`, as far as expressions need to know it."""

    type: Type
    span: Span


@frozen
class Names:
    """The scope of an expression. `store_home` is the service whose stores and enums need no prefix."""

    stage: Stage
    services: Mapping[str, ServiceDef] = field(factory=dict)
    """By the name used in this file."""
    records: Mapping[str, RecordDef] = field(factory=dict)
    """By qualified name, as extended here."""
    stores: Mapping[str, StoreDef] = field(factory=dict)
    enums: Mapping[str, EnumType] = field(factory=dict)
    """By qualified name."""
    tools: Mapping[str, ToolDef] = field(factory=dict)
    """Those a task offers, by qualified name; empty outside a task."""
    store_home: str | None = None
    variables: Mapping[str, tuple[Variable, Span]] = field(factory=dict)
    arguments: Mapping[str, tuple[Variable, Span]] = field(factory=dict)
    """In a call's `where`, the arguments of that call."""
    truths: Mapping[str, TruthName] = field(factory=dict)
    later_truths: Mapping[str, Span] = field(factory=dict)
    """Truths that are defined further down, for the message that says so."""
    after_truths: Mapping[str, tuple[str, Span]] = field(factory=dict)
    """Truths that only grading knows, since they are known after an event: that event, and where they are defined."""
    ids: Mapping[str, tuple[tuple[str, Span], ...]] = field(factory=dict)
    """Record id to (qualified store, place), for every initial record."""
    deliverables: Mapping[str, DeliverDef] = field(factory=dict)
    facts: Mapping[str, FactDef] = field(factory=dict)
    now: datetime | None = None
    parameters: Mapping[str, tuple[Constant, Span]] = field(factory=dict)
    """In a member of a family, the value of each parameter, and where that is declared."""
    picks: Picks | None = field(default=None, eq=False, repr=False)
    """In the records of a task, what `pick` takes from."""
    place: str = ""
    """The store, record and field that a value is for."""
    sink: list[Diagnostic] = field(factory=list, eq=False, repr=False)
    bound: set[str] = field(factory=set, eq=False, repr=False)
    """Names already bound in this statement, so that the next binder of one is renamed apart."""

    def statement(self) -> Names:
        """The same scope at the beginning of a statement."""
        return evolve(self, bound=set())

    def bind(self, name: str, type: Type, span: Span) -> tuple[Variable, Names]:
        """A fresh bound variable, and the scope in which `name` stands for it."""
        unique, n = name, 1
        while unique in self.bound:
            n += 1
            unique = f"{name}_{n}"
        self.bound.add(unique)
        variable = Variable(unique, "bound", type=type, span=span)
        return variable, evolve(self, variables={**self.variables, name: (variable, span)})

    def with_variable(self, variable: Variable, span: Span) -> Names:
        return evolve(self, variables={**self.variables, variable.name: (variable, span)})

    def at(self, stage: Stage) -> Names:
        return evolve(self, stage=stage)

    def fields(self, record: str) -> Mapping[str, FieldDef]:
        definition = self.records.get(record)
        return definition.fields if definition else {}
