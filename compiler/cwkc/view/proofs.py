"""What was established about a task: its theorems with their evidence, and the mutants of its witness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from cwkc.view.words import shown

MARKS = {"proved": "✓", "executed": "✓", "false": "✗", "not proved": "?", "not checked": "–"}
"""Beside each verdict, so that none is told by its colour alone."""

_SHOWN_ELSEWHERE = {"mutants", "distractors"}


@frozen
class EvidenceTable:
    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Theorem:
    """`facts`: what the evidence says in single values. `tables`: what it lists."""

    name: str
    verdict: str
    statement: str
    facts: tuple[tuple[str, str], ...]
    tables: tuple[EvidenceTable, ...]

    @property
    def is_established(self) -> bool:
        return self.verdict in ("proved", "executed")


@frozen
class Mutant:
    """A wrong variant of the witness. `by`: the rules that noticed it."""

    kind: str
    step: str
    is_killed: bool
    completion: str
    safety: str
    by: tuple[str, ...]


@frozen
class Kind:
    """A kind of mutant, and how many of them were found out."""

    name: str
    killed: int
    survived: int


@frozen
class Proof:
    """`mutants`: survivors first."""

    theorems: tuple[Theorem, ...]
    mutants: tuple[Mutant, ...]
    allowed: tuple[tuple[str, str], ...]

    @property
    def killed(self) -> int:
        return sum(mutant.is_killed for mutant in self.mutants)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """In the order in which they were made."""
        outcomes: dict[str, list[bool]] = {}
        for mutant in self.mutants:
            outcomes.setdefault(mutant.kind, []).append(mutant.is_killed)
        return tuple(Kind(name, each.count(True), each.count(False)) for name, each in outcomes.items())


def proof_of(document: Mapping[str, Any]) -> Proof:
    """From proof.json."""
    theorems = document["theorems"]
    mutants = [_mutant(row) for theorem in theorems for row in theorem["evidence"].get("mutants", ())]
    allowed = tuple((each["code"], each["reason"]) for each in document["allowed"])
    return Proof(tuple(map(_theorem, theorems)), tuple(sorted(mutants, key=_killed)), allowed)


def _killed(mutant: Mutant) -> bool:
    return mutant.is_killed


def _mutant(row: Mapping[str, Any]) -> Mutant:
    return Mutant(row["kind"], row["step"], row["killed"], row["completion"], row["safety"], tuple(row["by"]))


def _theorem(document: Mapping[str, Any]) -> Theorem:
    evidence = {name: value for name, value in document["evidence"].items() if name not in _SHOWN_ELSEWHERE}
    tables = tuple(_table(name, value) for name, value in evidence.items() if _is_listing(value))
    facts = tuple((name, shown(value)) for name, value in evidence.items() if not _is_listing(value))
    return Theorem(document["name"], document["verdict"], document["statement"], facts, tables)


def _is_listing(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _table(name: str, rows: Sequence[Mapping[str, Any]]) -> EvidenceTable:
    columns = tuple(dict.fromkeys(_names(rows)))
    cells = (tuple(shown(row[column]) if column in row else "" for column in columns) for row in rows)
    return EvidenceTable(name, columns, tuple(cells))


def _names(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for row in rows:
        yield from row
