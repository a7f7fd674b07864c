"""Rules that ask for less than they seem to: those that cost nothing, and those that an attempt is enough for."""

from __future__ import annotations

from collections.abc import Iterator

from cwkc.diagnostics import Diagnostic, report
from cwkc.meaning import typed
from cwkc.meaning.walk import children


def costs_nothing(rule: typed.RequireDef | typed.ForbidDef | typed.FrameDef) -> bool:
    return (rule.amount if isinstance(rule, typed.RequireDef) else rule.safety) == 1


def without_effect(task: typed.Task) -> Iterator[Diagnostic]:
    """Requirements that leave completion as it is, and forbids that leave safety as it is."""
    for requirement in task.requirements:
        if costs_nothing(requirement):
            how = f"`{requirement.mode} 1` leaves completion as it is"
            yield report("W442", requirement.span, label=requirement.label, how=how)
    for forbid in task.forbids:
        if costs_nothing(forbid):
            label = "only changes" if isinstance(forbid, typed.FrameDef) else forbid.label
            yield report("W442", forbid.span, label=label, how="`safety 1` leaves safety as it is")


def met_by_attempts(task: typed.Task) -> Iterator[Diagnostic]:
    """Checks and requirements that a refused call makes hold; one for each."""
    asked: tuple[typed.CheckDef | typed.RequireDef, ...] = (*task.checks, *task.requirements)
    for rule in asked:
        fact = next(_attempts(rule.condition, asked=True), None)
        if fact is not None:
            yield report("W443", fact.span, label=rule.label, tool=fact.tool)


def _attempts(expr: typed.Expr, asked: bool) -> Iterator[typed.CallFact]:
    """Every `tried` that makes an expression hold; under `not` and `no` it is ruled out instead."""
    match expr:
        case typed.CallFact(verb="tried") if asked:
            yield expr
        case typed.Not(operand=operand):
            yield from _attempts(operand, not asked)
        case typed.Binder(quantifier="no", where=typed.Expr() as where):
            yield from _attempts(where, not asked)
        case typed.Compare() | typed.Apply() | typed.Arithmetic():
            return
        case _:
            for child in children(expr):
                yield from _attempts(child, asked)
