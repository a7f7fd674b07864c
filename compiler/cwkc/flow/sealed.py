"""sealed: nothing that an agent is to find out stands in what it is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.flow.needs import Demanded, needs
from cwkc.flow.reads import Read, initial_scope, places, reads, truths_in
from cwkc.flow.told import Told, told
from cwkc.flow.words import place, spelling, telling, written
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope
from cwkc.meaning.events import scope_behind
from cwkc.meaning.types import TEXT, Reference, Type, required
from cwkc.meaning.walk import walk
from cwkc.prove.theorems import Established, Theorem


@frozen
class Secret:
    """A part of a value that a truth reads, and where it reads it."""

    value: Any
    type: Type
    read: Read
    reader: str


def sealed(task: typed.Task, demanded: Demanded) -> Established:
    """Of the truths that checks speak of, and of what checks and requirements compare with."""
    secrets = tuple(_secrets(task, demanded, initial_scope(task)))
    pieces = tuple(told(task))
    diagnostics = tuple(_in_the_open(task, secrets, pieces))
    evidence = {"values": len({(each.read.record, each.read.id, each.read.name) for each in secrets})}
    verdict = "false" if diagnostics else "proved"
    return Established(Theorem("sealed", verdict, STATEMENT, evidence), diagnostics)


STATEMENT = "no value that a truth reads from the records stands in what the agent is told, unless `given` says so"


# ---------------------------------------------------------------------------- what is to be found out


def _secrets(task: typed.Task, demanded: Demanded, scope: Scope) -> Iterator[Secret]:
    given = tuple(_given(task))
    for reader, read in _read(task, demanded, scope):
        kind: Type = Reference(read.record)
        if read.name is not None:
            kind = task.records[read.record].fields[read.name].type
        for value, part in telling(read.value, kind):
            if value != task.now.date() and not any(_exempts(each, value, part, task) for each in given):
                yield Secret(value, part, read, reader)


def _written_criteria(expr: typed.Expr) -> Iterator[tuple[str, str]]:
    """Fields of text by which a truth chooses with words that the author wrote: those are the task's own, and the
    request must say them."""
    for part in walk(expr):
        match part:
            case typed.Compare(operator="==", left=left, right=right) | typed.Membership(left=left, right=right):
                sides: tuple[typed.Expr, ...] = (left, right)
            case typed.TextTest(subject=subject, operands=operands):
                sides = (subject, *operands)
            case _:
                continue
        fields = [side for side in sides if isinstance(side, typed.FieldOf) and required(side.type) == TEXT]
        if len(fields) == 1 and all(_is_written(side) for side in sides if side is not fields[0]):
            yield fields[0].record, fields[0].name


def _is_written(expr: typed.Expr) -> bool:
    if isinstance(expr, typed.ListDisplay):
        return all(_is_written(item) for item in expr.items)
    return isinstance(expr, typed.Constant)


def _read(task: typed.Task, demanded: Demanded, scope: Scope) -> Iterator[tuple[str, Read]]:
    """Each read, with the truth or the label of the rule that makes it; each once."""
    found: dict[Read, str] = {}
    for name in _truths_that_matter(task, demanded):
        criteria = frozenset(_written_criteria(task.truths[name].expr))
        for read in reads(task.truths[name].expr, scope_behind(task, task.truths[name], scope)):
            if not (read.chooses and (read.record, read.name) in criteria):
                found.setdefault(read, name)
    for rule, demand in demanded:
        for need in needs(demand):
            for read in reads(need.expr, need.scope):
                found.setdefault(read, rule.label)
    yield from ((reader, read) for read, reader in found.items())


def _truths_that_matter(task: typed.Task, demanded: Demanded) -> dict[str, None]:
    """Those that checks speak of and that requirements need, and the truths that these read."""
    pending = [name for check in task.checks for name in truths_in(check.condition)]
    pending += [name for _, demand in demanded for need in needs(demand) for name in truths_in(need.expr)]
    names: dict[str, None] = {}
    while pending:
        name = pending.pop(0)
        if name not in names:
            names[name] = None
            pending += truths_in(task.truths[name].expr)
    return names


def _given(task: typed.Task) -> Iterator[Any]:
    for each in task.given:
        for value in each.value if isinstance(each.value, tuple) else (each.value,):
            yield value.date() if isinstance(value, datetime) else value


def _exempts(given: Any, value: Any, type: Type, task: typed.Task) -> bool:
    """Whether a value is given, or stands in a text that is."""
    return bool(given == value) or (isinstance(given, str) and spelling(value, type, given, task.now) is not None)


# ---------------------------------------------------------------------------- where it stands


def _in_the_open(task: typed.Task, secrets: Sequence[Secret], pieces: Sequence[Told]) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for secret in secrets:
        shown = written(secret.value, secret.type)
        if shown in seen:
            continue
        for piece in pieces:
            words = spelling(secret.value, secret.type, piece.text, task.now) if _counts(secret, piece) else None
            if words is not None:
                seen.add(shown)
                yield _report(task, secret, piece, words, shown)
                break


def _counts(secret: Secret, piece: Told) -> bool:
    """How a tool describes itself is in the words of its service, which are no answers."""
    is_word = isinstance(secret.value, str) and not isinstance(secret.type, Reference) and "@" not in secret.value
    return piece.kind != "tool" or not is_word


_WHERE = {
    "request": "the request",
    "asset": "the name of a file that is attached",
    "contract": "what is to be delivered",
    "policy": "a policy",
    "tool": "the description of a tool",
}


def _report(task: typed.Task, secret: Secret, piece: Told, words: str, shown: str) -> Diagnostic:
    read = secret.read
    source = f"the `{read.name}` of `@{read.id}`" if read.name else "the id"
    related = tuple(Label(span, f"`{secret.reader}` reads it here") for span in places(task, read))
    details: dict[str, Any] = {"value": words, "where": _WHERE[piece.kind], "reader": secret.reader}
    return report("E411", place(piece.span, words), related=related, source=source, given=shown, **details)
