"""Where emitted code stands: which state it reads, and what names stand for."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, field, frozen

from cwkc.emit.literals import Constants
from cwkc.emit.names import Names
from cwkc.emit.nulls import Known, Presence
from cwkc.emit.printer import Document
from cwkc.meaning import typed


@frozen(eq=False)
class Local:
    """What a variable is called. `row`: what its record is called, where an iteration over a store gives it.

    `read` collects those of the two that were asked for, so that the others need no name.
    """

    id: str
    row: str = ""
    read: set[str] = field(factory=set)

    def use(self, name: str) -> str:
        self.read.add(name)
        return name


@frozen(eq=False)
class Scope:
    known: Known
    names: Names
    constants: Constants
    truths: Mapping[str, Document] = field(factory=dict)
    """What emitted code calls each truth."""
    contracts: Mapping[str, Document] = field(factory=dict)
    """What it calls each contract."""
    variables: Mapping[tuple[str, str], Local] = field(factory=dict)
    """By kind and name."""

    @property
    def view(self) -> str:
        """The expression for the state that is read."""
        return self.known.view

    def local(self, variable: typed.Variable) -> Local:
        return self.variables[variable.kind, variable.name]

    def with_local(self, kind: str, name: str, local: Local, presence: Presence) -> Scope:
        key = kind, name
        return evolve(self, known=self.known.having(kind, name, presence), variables={**self.variables, key: local})

    def inner(self) -> Scope:
        """The scope of a comprehension or a lambda: names that it takes are free again after it."""
        return evolve(self, names=self.names.inner())

    def seeing(self, view: str) -> Scope:
        return evolve(self, known=self.known.seeing(view))


def local_name(name: str) -> str:
    """What a variable asks to be called: capitals alone are for a module's constants."""
    return name.lower() if name.isupper() else name
