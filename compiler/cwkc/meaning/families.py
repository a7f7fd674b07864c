"""Families: tasks with parameters. Each member is checked as the task that it is, with its parameters as constants."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from math import prod
from random import Random
from typing import Any

from attrs import evolve, field, frozen

from coworkdsl.values import in_words
from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.meaning import typed
from cwkc.meaning.constants import constant
from cwkc.meaning.declarations import TypeNames, resolve_type
from cwkc.meaning.modules import Scope
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.operators import named
from cwkc.meaning.tasks import Grades, check_task
from cwkc.meaning.types import DATE, ERROR, INT, EnumType, ListOf, Scalar, Type
from cwkc.meaning.vocabularies import StandardWords
from cwkc.source import Span
from cwkc.syntax import tree

WIDEST = 1_000_000_000
"""So many values a range may have at most."""
_LONGEST_LABEL = 40


@frozen
class Sampling:
    """At most so many members of each family are built; where there are more, the seed chooses them."""

    members: int = 200
    seed: int = 0


@frozen(eq=False)
class Dimension:
    """A parameter, the values that it takes, and how each is written in the id of a member."""

    name: str
    type: Type
    values: Sequence[Any]
    span: Span = field(repr=False)

    def label(self, index: int) -> str:
        """Letters, digits, `_`, `.` and `-`; of two values that would be written alike, the second has a number."""
        label = _label(self.values[index])
        if isinstance(self.values, tuple):
            earlier = sum(_label(value) == label for value in self.values[:index])
            return f"{label}_{earlier + 1}" if earlier else label
        return label


@frozen(eq=False)
class Member:
    """`parameters`: the value of each. `words` says them: `tier = vip, hours = 73`."""

    id: str
    parameters: Mapping[str, Any]

    @property
    def words(self) -> str:
        return ", ".join(f"{name} = {in_words(value)}" for name, value in self.parameters.items())


@frozen(eq=False)
class Family:
    """A family as it is declared, and all that its members are checked with."""

    node: tree.Family = field(repr=False)
    dimensions: tuple[Dimension, ...]
    scope: Scope = field(repr=False)
    grades: Grades = field(repr=False)
    standard: StandardWords = field(repr=False)

    @property
    def name(self) -> str:
        return self.node.name.text

    @property
    def size(self) -> int:
        """How many members there are."""
        return prod(len(dimension.values) for dimension in self.dimensions)

    def members(self, sampling: Sampling) -> Iterator[Member]:
        """All of them in order, or a sample in the same order."""
        return map(self.member, chosen(self.size, sampling.members, f"{sampling.seed} {self.name}"))

    def member(self, number: int) -> Member:
        """The member of a number, from 0; the last parameter changes first."""
        indices: list[int] = []
        for dimension in reversed(self.dimensions):
            number, index = divmod(number, len(dimension.values))
            indices.append(index)
        placed = tuple(zip(self.dimensions, reversed(indices), strict=True))
        label = "-".join(dimension.label(index) for dimension, index in placed)
        return Member(f"{self.name}.{label}", {dimension.name: dimension.values[index] for dimension, index in placed})

    def check(self, member: Member) -> tuple[typed.Task | None, tuple[Diagnostic, ...]]:
        """The typed task of a member; None where it has errors."""
        node = self.node
        name = tree.Identifier(member.id, span=node.name.span)
        task = tree.Task(name, node.title or _title(node), node.world, node.items, span=node.span)
        known = {
            each.name: (typed.Constant(member.parameters[each.name], type=each.type, span=each.span), each.span)
            for each in self.dimensions
        }
        return check_task(task, self.scope, self.grades, self.standard, known)


def chosen(size: int, most: int, seed: str) -> Sequence[int]:
    """Numbers below `size`, ascending: all of them, or `most` different ones that the seed decides."""
    if size <= most:
        return range(size)
    random, taken = Random(seed), set[int]()
    for last in range(size - most, size):  # each set of so many numbers is as likely as any other
        drawn = random.randrange(last + 1)
        taken.add(last if drawn in taken else drawn)
    return sorted(taken)


def _title(node: tree.Family) -> tree.Text:
    return tree.Text(node.name.text.replace("_", " ").capitalize(), span=node.name.span)


def _label(value: Any) -> str:
    words = in_words(value).lower() if isinstance(value, timedelta | bool) else in_words(value)
    words = words.replace("-", "_") if isinstance(value, str) else words  # a dash stands between two parameters
    plain = unicodedata.normalize("NFKD", words.replace("ß", "ss")).encode("ascii", "ignore").decode()
    written = re.sub(r"[^A-Za-z0-9_.+-]+", "_", plain).strip("_.-+") or "value"
    sign = "minus" if words.startswith("-") else ""
    return sign + written.replace("+", "_")[:_LONGEST_LABEL]


# ---------------------------------------------------------------------------- declarations


def check_family(
    node: tree.Family, scope: Scope, grades: Grades, standard: StandardWords
) -> tuple[Family | None, tuple[Diagnostic, ...]]:
    """A family whose parameters have values; None where that is not so."""
    sink: list[Diagnostic] = []
    dimensions: dict[str, Dimension] = {}
    for parameter in node.parameters:
        name = parameter.name
        if name.text in dimensions:
            first = Label(dimensions[name.text].span, "first written here")
            sink.append(report("E262", name.span, kind="parameter", name=name.text, related=(first,)))
        elif (dimension := _dimension(parameter, scope, sink)) is not None:
            dimensions[name.text] = dimension
    if sink:
        return None, tuple(sink)
    return Family(node, tuple(dimensions.values()), scope, grades, standard), ()


def _dimension(node: tree.FamilyParameter, scope: Scope, sink: list[Diagnostic]) -> Dimension | None:
    before = len(sink)
    kind = resolve_type(node.type, TypeNames(scope.types, scope.services, scope.enums, scope.records, sink))
    if kind == ERROR:
        return None
    if not isinstance(kind, Scalar | EnumType):
        sink.append(report("E294", node.type.span, name=node.name.text, why=f"is {named(kind)}, not one value"))
        return None
    values = _values(node, kind, scope, sink)
    if len(sink) == before and not values:
        sink.append(report("E294", node.domain.span, name=node.name.text, why="has no values to take"))
    return Dimension(node.name.text, kind, values, node.name.span) if len(sink) == before else None


def _values(node: tree.FamilyParameter, kind: Type, scope: Scope, sink: list[Diagnostic]) -> Sequence[Any]:
    names = Names(Stage.CONSTANT, scope.services, scope.records, scope.stores, scope.enums, sink=sink)
    if node.high is not None:
        return _range(node, node.high, kind, names)
    if isinstance(kind, EnumType) and _path(node.domain) == getattr(node.type, "path", None):
        return kind.values
    values = constant(node.domain, names, ListOf(kind))
    if values is None:
        return ()
    repeated = next((value for index, value in enumerate(values) if value in values[:index]), None)
    if repeated is not None:
        sink.append(report("E262", node.domain.span, kind="value", name=in_words(repeated)))
    return tuple(values)


def _path(node: tree.Expression) -> tree.Path | None:
    """`service.Enum` or `Enum`, read as a type's name."""
    if isinstance(node, tree.Name):
        return tree.Path((tree.Identifier(node.text, span=node.span),), span=node.span)
    if isinstance(node, tree.Member) and (base := _path(node.base)) is not None:
        return evolve(base, names=(*base.names, node.name))
    return None


def _range(node: tree.FamilyParameter, high: tree.Expression, kind: Type, names: Names) -> Sequence[Any]:
    if kind not in (INT, DATE):
        why = f"is {named(kind)}, and `to` leads from one whole number or date to another"
        names.sink.append(report("E294", node.domain.span.to(high.span), name=node.name.text, why=why))
        return ()
    first, last = constant(node.domain, names, kind), constant(high, names, kind)
    if first is None or last is None:
        return ()
    count = last - first + 1 if isinstance(first, int) else (last - first).days + 1
    if count > WIDEST:
        why = f"has {count} values, more than {WIDEST}"
        names.sink.append(report("E294", node.domain.span.to(high.span), name=node.name.text, why=why))
        return ()
    return range(first, first + max(0, count)) if isinstance(first, int) else Days(first, max(0, count))


@frozen
class Days(Sequence[date]):
    """So many days, one after the other."""

    first: date
    length: int

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: Any) -> Any:
        if not 0 <= index < self.length:
            raise IndexError(index)
        return self.first + timedelta(days=index)


# ---------------------------------------------------------------------------- what is wrong with members


class Findings:
    """What is found in the members of one family: each thing once, with those in which it is so."""

    _NAMED = 2

    def __init__(self, family: str) -> None:
        self.family = family
        self.members = 0
        self._first: dict[tuple[Any, ...], Diagnostic] = {}
        self._where: dict[tuple[Any, ...], list[Member]] = {}
        self._count: dict[tuple[Any, ...], int] = {}
        self._same: dict[tuple[Any, ...], bool] = {}

    def add(self, member: Member, diagnostics: Iterable[Diagnostic]) -> None:
        """What is said of one member; a thing that is said twice of it counts once."""
        self.members += 1
        times: dict[tuple[Any, ...], int] = {}
        said = {(place_of(each), each.message): each for each in diagnostics}
        for found in said.values():
            diagnostic = evolve(found, message=found.message.replace(member.id, self.family))
            kind = (*place_of(diagnostic), _plain(diagnostic.message))
            times[kind] = times.get(kind, 0) + 1
            key = (*kind, times[kind])
            first = self._first.setdefault(key, diagnostic)
            self._same[key] = self._same.get(key, True) and first.message == diagnostic.message
            self._count[key] = self._count.get(key, 0) + 1
            where = self._where.setdefault(key, [])
            if len(where) < self._NAMED:
                where.append(member)

    def __bool__(self) -> bool:
        return any(diagnostic.is_error for diagnostic in self._first.values())

    def told(self) -> tuple[Diagnostic, ...]:
        """What is so in every member is told as of a task; else the message says in which members."""
        return tuple(self._worded(key, diagnostic) for key, diagnostic in self._first.items())

    def _worded(self, key: tuple[Any, ...], diagnostic: Diagnostic) -> Diagnostic:
        everywhere = self._count[key] == self.members
        if everywhere and self._same[key]:
            return diagnostic
        where = "; and with ".join(member.words for member in self._where[key])
        others = self._count[key] - len(self._where[key])
        further = f"; and in {others} more" if others else ""
        return evolve(diagnostic, message=f"{diagnostic.message}, with {where}{further}")


def place_of(diagnostic: Diagnostic) -> tuple[Any, ...]:
    """What is wrong, and where: two that agree in this are told of the same thing."""
    span = diagnostic.span
    return diagnostic.code, span.source.name, span.start, span.end


def _plain(message: str) -> str:
    """A message without what may be another thing in each member: what is quoted, and words with digits in them."""
    return re.sub(r"#(?:, #)+", "#", re.sub(r"`[^`]*`|\S*\d[^\s,]*", "#", message))


__all__ = ["Days", "Dimension", "Family", "Findings", "Member", "Sampling", "check_family", "chosen", "place_of"]
