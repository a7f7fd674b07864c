"""Mutants about the wrong record: what an agent does that takes a distractor for the target.

It does the right things, but with the distractor's id and with whatever follows from it: where the grading reads a
field of the target, or a truth that is worked out from the target, there stands what the distractor gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve, field, frozen

from coworkdsl.operations import Undefined, elements
from coworkdsl.values import in_words, to_wire
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, evaluate
from cwkc.meaning.types import ListOf, Reference, required
from cwkc.meaning.walk import children, walk
from cwkc.prove.run import CallStep, SayStep, Step
from cwkc.rehearse.mutants import Mutant, Original
from cwkc.rehearse.readings import conditions, demands, is_closed

KIND = "swapped target"
MOST_DISTRACTORS = 4
"""Distractors of one target, those that are most like it."""

MOST_STRANGERS = 1
"""Distractors of each member of a list."""


def swapped(original: Original) -> Iterator[Mutant]:
    """Every record that a truth names, with each of its distractors in its place; each run once."""
    seen: set[str] = set()
    for mutant in _all(original):
        run = repr(mutant.runs)
        if mutant.runs != (original.steps,) and run not in seen:
            seen.add(run)
            yield mutant


def _all(original: Original) -> Iterator[Mutant]:
    task = original.task
    start = original.readings.start
    read = tuple((part, _truths_in(part)) for part in _read_by_rules(task, start))
    uses = {name: _truths_in(truth.expr) for name, truth in task.truths.items()}
    demanded = [_truths_in(rule.condition) for rule in demands(task)]
    for name, truth in task.truths.items():
        kind = required(truth.expr.type)
        following = _following(name, uses)
        rules_of = tuple(number for number, truths in enumerate(demanded) if truths & following)
        if not rules_of or truth.value is None:
            continue
        if isinstance(kind, Reference):
            affected = [part for part, truths in read if truths & following]
            for other in _distractors(task, truth, truth.value, start)[:MOST_DISTRACTORS]:
                swap = _swap(affected, start, _with(task, start, {**dict.fromkeys(following), name: other}))
                yield _mutant(original, truth.value, other, swap, rules_of)
        elif isinstance(kind, ListOf) and isinstance(kind.item, Reference):
            for member in truth.value:
                for other in _distractors(task, truth, member, start)[:MOST_STRANGERS]:
                    yield _mutant(original, member, other, {member: other}, rules_of)


def _mutant(original: Original, target: str, other: str, swap: Mapping[Any, Any], rules: tuple[int, ...]) -> Mutant:
    return Mutant(KIND, f"`{other}` for `{target}`", (Substitution(swap).steps(original.steps),), rules)


def _truths_in(expr: typed.Expr) -> frozenset[str]:
    return frozenset(part.name for part in walk(expr) if isinstance(part, typed.Truth))


def _following(name: str, uses: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """A truth, and those that are worked out from it; each stands behind those that it uses."""
    following = {name}
    for other, used in uses.items():
        if used & following:
            following.add(other)
    return frozenset(following)


# ---------------------------------------------------------------------------- distractors


def _distractors(task: typed.Task, truth: typed.TruthDef, target: str, start: Scope) -> list[str]:
    """Records of the target's kind that the truth does not name, those most like it first."""
    kind = required(truth.expr.type)
    item = kind.item if isinstance(kind, ListOf) else kind
    assert isinstance(item, Reference)
    named = truth.value if isinstance(truth.value, tuple) else (truth.value,)
    rows = {row.id: row for row in task.rows if row.store in task.records[item.record].stores}
    source = _source(truth.expr, start)
    others = [row for row in rows.values() if row.id not in named and (source is None or row.id in source)]
    own = rows.get(target)
    return [row.id for row in sorted(others, key=lambda row: -_likeness(row, own))]


def _source(expr: typed.Expr, start: Scope) -> tuple[str, ...] | None:
    """What a description chooses from."""
    if not isinstance(expr, typed.Binder):
        return None
    try:
        return tuple(elements(evaluate(expr.source, start)))
    except Undefined:
        return None


def _likeness(row: typed.RowDef, other: typed.RowDef | None) -> int:
    return 0 if other is None else sum(other.fields.get(name) == value for name, value in row.fields.items())


# ---------------------------------------------------------------------------- what follows


def _with(task: typed.Task, start: Scope, changed: Mapping[str, Any]) -> Scope:
    """The truths as they would be if one of them had another value; those without one are worked out."""
    truths = {**start.truths, **changed}
    for name, truth in task.truths.items():
        if name in changed and changed[name] is None:
            truths[name] = _value(truth.expr, evolve(start, truths=truths))
    return evolve(start, truths=truths)


def _value(expr: typed.Expr, scope: Scope) -> Any:
    try:
        return evaluate(expr, scope)
    except Undefined:
        return None


def _read_by_rules(task: typed.Task, start: Scope) -> Iterator[typed.Expr]:
    """The largest parts of the rules whose value is known before the run, truths among them."""
    pending = list(conditions(task))
    while pending:
        part = pending.pop()
        if isinstance(part, typed.Truth | typed.FieldOf | typed.IdOf | typed.Interpolation) and is_closed(part, start):
            yield part
        else:
            pending.extend(children(part))


def _swap(read: Iterable[typed.Expr], start: Scope, other: Scope) -> dict[Any, Any]:
    """What stands for what, where the rules read other values in the one scope than in the other."""
    found: dict[Any, Any] = {}
    for expr in read:
        before, after = _value(expr, start), _value(expr, other)
        if isinstance(before, tuple) and isinstance(after, tuple):
            pairs = tuple(zip(before, after, strict=False))
        else:
            pairs = ((before, after),)
        for old, new in pairs:
            if old != new and old is not None and new is not None and not isinstance(old, bool | tuple | dict):
                found.setdefault(old, new)
    return found


@frozen
class Substitution:
    """Other values for some values, in arguments and within texts."""

    values: Mapping[Any, Any]
    _words: Mapping[str, str] = field(init=False)
    _pattern: re.Pattern[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        words = {in_words(old): in_words(new) for old, new in self.values.items()}
        longest_first = sorted(filter(None, words), key=len, reverse=True)
        found = "|".join(map(re.escape, longest_first)) or "(?!)"
        object.__setattr__(self, "_words", words)
        object.__setattr__(self, "_pattern", re.compile(rf"(?<![\w.@-])(?:{found})(?![\w@-]|\.\w)"))

    def steps(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        return tuple(self._step(step) for step in steps)

    def _step(self, step: Step) -> Step:
        if isinstance(step, SayStep):
            return evolve(step, text=self._text(step.text))
        return CallStep(step.tool, {name: self._argument(value) for name, value in step.arguments.items()})

    def _argument(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._argument(item) for item in value]
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, bool | dict) or value is None:
            return value
        return to_wire(self.values[value]) if value in self.values else value

    def _text(self, text: str) -> str:
        return self._pattern.sub(lambda found: self._words[found.group()], text)
