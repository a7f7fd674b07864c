"""live: every truth, contract, requirement, `given`, fact, event and fault can matter to some run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from coworkdsl.text import normalise
from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.flow.effect import met_by_attempts, without_effect
from cwkc.flow.footprint import Fixed
from cwkc.flow.needs import Demanded, needs
from cwkc.flow.reads import initial_scope, reads, truths_in, value_of
from cwkc.flow.staged import conditions, idle_events, idle_facts, of_rules, overwritten
from cwkc.meaning import typed
from cwkc.meaning.events import scope_behind
from cwkc.meaning.walk import expressions, statements, walk
from cwkc.prove.theorems import Established, Theorem

STATEMENT = "every truth, contract, requirement, `given`, fact, event and fault can matter to some run"


def live(task: typed.Task, demanded: Demanded) -> Established:
    diagnostics = (
        *_idle_truths(task),
        *_idle_contracts(task),
        *_fixed_requirements(task),
        *without_effect(task),
        *met_by_attempts(task),
        *_idle_given(task, demanded),
        *idle_facts(task, frozenset(map(_comparable, _spoken_of(task, demanded))) if task.user else frozenset()),
        *idle_events(task),
        *overwritten(task),
        *_idle_faults(task),
    )
    evidence = {"truths": len(task.truths), "requirements": len(task.requirements), "given": len(task.given)}
    if task.user or task.events:
        evidence |= {"facts": len(task.user.facts) if task.user else 0, "events": len(task.events)}
    verdict = "false" if diagnostics else "proved"
    return Established(Theorem("live", verdict, STATEMENT, evidence), diagnostics)


# ---------------------------------------------------------------------------- truths


def _idle_truths(task: typed.Task) -> Iterator[Diagnostic]:
    used = set(_used_by_statements(task))
    for name in reversed(tuple(task.truths)):
        if name in used:
            used.update(truths_in(task.truths[name].expr))
    holders = {name: asset.name for asset in task.assets for name in asset.facts}
    for name, truth in task.truths.items():
        if name in holders and name not in used:
            yield report("W286", truth.span, name=name, asset=holders[name])
        elif name not in used:
            yield report("W403", truth.span, name=name)


def _used_by_statements(task: typed.Task) -> Iterator[str]:
    named = (*(judge.expr for judge in task.judges), *(each.expr for each in task.given))
    for expr in (*conditions(task), *named, *_of_events(task)):
        yield from truths_in(expr)
    for frame in task.forbids:
        if isinstance(frame, typed.FrameDef):
            yield from (allowed.span.text.partition(".")[0].strip() for allowed in frame.allowed)
    yield from re.findall(r"\{([A-Za-z_]\w*)", task.request_span.text)


def _of_events(task: typed.Task) -> Iterator[typed.Expr]:
    """What events say and write."""
    for event in task.events.values():
        yield from event.said
        for statement in statements(event.body):
            yield from expressions(statement)


# ---------------------------------------------------------------------------- contracts


def _idle_contracts(task: typed.Task) -> Iterator[Diagnostic]:
    asked = {part.name for each in conditions(task) for part in walk(each) if isinstance(part, typed.Delivered)}
    for name, deliverable in task.deliverables.items():
        if name not in asked:
            yield report("W270", deliverable.span, name=name)


# ---------------------------------------------------------------------------- faults


def _idle_faults(task: typed.Task) -> Iterator[Diagnostic]:
    """Those of tools that every run with a full score leaves alone."""
    ruled_out: dict[str, typed.ForbidDef] = {}
    for forbid in task.forbids:
        if isinstance(forbid, typed.ForbidDef) and isinstance(forbid.condition, typed.CallFact):
            fact = forbid.condition
            if not fact.patterns and fact.where is None:
                ruled_out[fact.tool] = forbid
    for fault in task.faults:
        if fault.tool in ruled_out:
            related = (Label(ruled_out[fault.tool].span, "this forbids every call of it"),)
            yield report("W280", fault.span, tool=fault.tool, related=related)


# ---------------------------------------------------------------------------- requirements


def _fixed_requirements(task: typed.Task) -> Iterator[Diagnostic]:
    """A check that no run changes is an error of its own, and so is a forbid that no run violates."""
    fixed = Fixed.of(task)
    for requirement in task.requirements:
        if fixed.holds(requirement.condition, frozenset()):
            yield report("W404", requirement.span, label=requirement.label)


# ---------------------------------------------------------------------------- given


def _idle_given(task: typed.Task, demanded: Demanded) -> Iterator[Diagnostic]:
    if not task.given:
        return
    values = {_comparable(value) for value in _spoken_of(task, demanded)}
    texts = [value for value in values if isinstance(value, str) and value]
    for each in task.given:
        stated = [_comparable(value) for value in _members(each.value)]
        if not any(value in values or _overlaps(value, texts) for value in stated):
            yield report("W405", each.span, value=" ".join(each.expr.span.text.split()))


def _spoken_of(task: typed.Task, demanded: Demanded) -> Iterator[Any]:
    """Every value that the truths and the rules were written with, come to, or are read from."""
    scope = initial_scope(task)
    exprs = [(truth.expr, scope_behind(task, truth, scope)) for truth in task.truths.values()]
    exprs += [(need.expr, need.scope) for _, demand in demanded for need in needs(demand)]
    for expr in (*(truth.expr for truth in task.truths.values()), *of_rules(task)):
        for part in walk(expr):
            if isinstance(part, typed.Constant):
                yield from _members(part.value)
    for expr, place in exprs:
        yield from _members(value_of(expr, place))
        for read in reads(expr, place):
            yield from _members(read.value)


def _members(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _comparable(value: Any) -> Any:
    """Moments by their day, texts without differences of case and space."""
    if isinstance(value, datetime):
        return value.date()
    return normalise(value) if isinstance(value, str) else None if isinstance(value, dict) else value


def _overlaps(value: Any, texts: Sequence[str]) -> bool:
    return isinstance(value, str) and any(value in text or text in value for text in texts)
