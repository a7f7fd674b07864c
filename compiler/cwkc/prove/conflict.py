"""A contradiction in the author's words: the lines that clash, where their values come from, which of them to drop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coworkdsl.values import in_words
from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, evaluate
from cwkc.meaning.types import Reference, required
from cwkc.meaning.walk import walk
from cwkc.prove.conditions import Condition
from cwkc.prove.initial import initial_scope
from cwkc.prove.search import Conflict

_SAYS = {
    "check": "is needed for a check",
    "requirement": "is required",
    "forbid": "is forbidden",
    "frame": "forbids every other change",
    "end": "ends the run",
}


def contradiction(task: typed.Task, conflict: Conflict) -> Diagnostic:
    """What to report of a conflict; a limit is never the place to begin with, as it has no line of its own, and the
    end of a run only explains why something else does not hold."""
    core = sorted(conflict.core, key=lambda each: (_rank(each), each.span.source.name, each.span.start))
    labels = [Label(each.span, _said(each)) for each in core]
    related = (*labels, *_origins(task, core))
    if not conflict.is_proof:
        return report("E402", core[0].span, task=task.name, calls=conflict.calls, related=related)
    help = _mend(conflict.spared)
    return report("E401", core[0].span, task=task.name, clash=_clash(core), help=help, related=related)


def _said(condition: Condition) -> str:
    return _SAYS.get(condition.kind, f"may make at most {_calls(condition.most)}")


def _clash(core: list[Condition]) -> str:
    if len(core) == 1:
        return f"{_named(core[0])} never holds" if core[0].kind != "forbid" else f"{_named(core[0])} always holds"
    if len(core) > 3:
        return f"{_named(core[0])} and {len(core) - 1} other conditions contradict one another"
    *first, last = map(_named, core)
    return f"{', '.join(first)} and {last} contradict one another"


def _named(condition: Condition) -> str:
    if condition.kind == "limit":
        return f"the limit of {_calls(condition.most)}"
    if condition.kind == "end":
        return f"the `end` of `{condition.event}`"
    return f"`{_short(condition.span.text)}`"


def _calls(number: int) -> str:
    return f"{number} call" if number == 1 else f"{number} calls"


def _short(text: str) -> str:
    """A piece of source on one line."""
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"


def _mend(spared: Iterable[Condition]) -> str:
    places = sorted({(_rank(each), each.span.line, _place(each)) for each in spared})
    if not places:
        return "several contradictions overlap here: mend one of them, and compile again"
    return f"the task is consistent again without {' or '.join(place for _, _, place in places)}"


def _rank(condition: Condition) -> int:
    return ("end", "limit").index(condition.kind) + 1 if condition.kind in ("end", "limit") else 0


def _place(condition: Condition) -> str:
    return _named(condition) if _rank(condition) else f"line {condition.span.line}"


# ---------------------------------------------------------------------------- where values come from


def _origins(task: typed.Task, core: Iterable[Condition]) -> Iterator[Label]:
    """For each value that a condition reads from the initial records: the `let` and the field, each once."""
    scope = initial_scope(task)
    seen: set[tuple[str, int]] = set()
    for condition in core:
        for label in _of(task, scope, condition.expr):
            place = label.span.source.name, label.span.start
            if place not in seen:
                seen.add(place)
                yield label


def _of(task: typed.Task, scope: Scope, expr: typed.Expr | None) -> Iterator[Label]:
    for part in walk(expr) if expr is not None else ():
        if isinstance(part, typed.Truth):
            truth = task.truths[part.name]
            yield Label(truth.span, f"`{part.name}` is {_shown(truth.expr, truth.value)}")
            yield from _of(task, scope, truth.expr)
        elif isinstance(part, typed.FieldOf) and _is_fixed(part):
            yield from _written(task, scope, part)


def _is_fixed(expr: typed.FieldOf) -> bool:
    """Whether a field is one of a record that is known, so that it can be looked up in the data."""
    base: typed.Expr = expr
    while isinstance(base, typed.FieldOf):
        base = base.base
    return isinstance(base, typed.Truth | typed.Constant)


def _written(task: typed.Task, scope: Scope, expr: typed.FieldOf) -> Iterator[Label]:
    """Where the author wrote a field of an initial record."""
    id = evaluate(expr.base, scope)
    for row in task.rows:
        if row.id == id and task.stores[row.store].record == expr.record and expr.name in row.spans:
            yield Label(row.spans[expr.name], f"`{expr.name}` of `@{id}`")


def _shown(expr: typed.Expr, value: object) -> str:
    if value is None:
        return "null"
    if isinstance(required(expr.type), Reference):
        return f"`@{value}`"
    text = in_words(value)
    return f'"{_short(text)}"' if isinstance(value, str) else f"`{_short(text)}`"
