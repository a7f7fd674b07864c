"""The theorems of a task: one function for each, from the task to what was established and what is to be reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from attrs import frozen

from coworkdsl.operations import DivisionByZero
from coworkdsl.values import decimal_text
from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, evaluate, holds
from cwkc.meaning.events import scope_behind
from cwkc.meaning.walk import children, conjuncts
from cwkc.prove.conditions import conditions
from cwkc.prove.conflict import contradiction
from cwkc.prove.initial import initial_scope
from cwkc.prove.run import Execute, Outcome
from cwkc.prove.search import Conflict, Found, Search, Undecided, Unfound

REHEARSED = ("tolerant", "sharp")
"""Theorems that are established by executing the finished pack."""


LEFT_OUT = "left out: what judges make of nothing is not known"


@frozen
class Theorem:
    """`verdict` is `proved`, `executed`, `false`, `not proved` or `not checked`."""

    name: str
    verdict: str
    statement: str
    evidence: Mapping[str, Any]


@frozen
class Established:
    theorem: Theorem
    diagnostics: tuple[Diagnostic, ...] = ()


def grounded(task: typed.Task) -> Established:
    """A task is typed only when every name in it stands for something."""
    evidence = {
        "services": len(task.services),
        "tools": len(task.tools),
        "records": len(task.rows),
        "truths": len(task.truths),
        "checks": len(task.checks),
        "requirements": len(task.requirements),
        "forbids": len(task.forbids),
    }
    statement = "services, stores, fields, references, enum values and ids exist and agree"
    return Established(Theorem("grounded", "proved", statement, evidence))


# ---------------------------------------------------------------------------- weights


def weights(task: typed.Task) -> Established:
    """By exact arithmetic."""
    diagnostics = (*_wrong_weights(task), *_rewards_out_of_range(task), *_weighty_judges(task))
    parts = _weighted(task)
    total = sum((part.weight for part in parts), Fraction(0))
    evidence = {"weights": [decimal_text(part.weight) for part in parts], "sum": decimal_text(total)}
    statement = "the weights are positive and sum to exactly 1"
    return Established(Theorem("weights", _verdict("proved", diagnostics), statement, evidence), diagnostics)


def _weighted(task: typed.Task) -> tuple[typed.CheckDef | typed.JudgeDef, ...]:
    """What adds to completion."""
    return (*task.checks, *task.judges)


def _weighty_judges(task: typed.Task) -> Iterator[Diagnostic]:
    for judge in task.judges:
        if judge.weight > Fraction(1, 2):
            yield report("W285", judge.span, label=judge.label, weight=decimal_text(judge.weight))


def _wrong_weights(task: typed.Task) -> Iterator[Diagnostic]:
    parts = _weighted(task)
    for part in parts:
        if part.weight <= 0:
            yield report("E405", part.span, label=part.label, weight=decimal_text(part.weight))
    total = sum((part.weight for part in parts), Fraction(0))
    if total == 1:
        return
    last = parts[-1] if parts else None
    missing = 1 - total
    if last is None:
        mend = "add a check"
    elif last.weight + missing > 0:
        mend = f"with {decimal_text(last.weight + missing)} for `{last.label}` they do"
    else:
        mend = f"take {decimal_text(-missing)} away"
    related = tuple(Label(part.span, decimal_text(part.weight)) for part in parts)
    span = task.span if last is None else last.span
    yield report("E406", span, task=task.name, total=decimal_text(total), mend=mend, related=related)


_OUTCOMES = tuple(Fraction(n, 4) for n in range(5))


def _rewards_out_of_range(task: typed.Task) -> Iterator[Diagnostic]:
    """A reward formula is tried at every quarter of its three outcomes; the first value outside 0 to 1 is reported."""
    if task.reward is None:
        return
    for outcomes in product(_OUTCOMES, repeat=3):
        named = dict(zip(("completion", "safety", "robustness"), outcomes, strict=True))
        try:
            value = evaluate(task.reward, Scope(variables=named))
        except DivisionByZero:
            value = None
        if value is None or not 0 <= value <= 1:
            where = ", ".join(f"{name} {decimal_text(outcome)}" for name, outcome in named.items())
            shown = "has no value" if value is None else f"is {decimal_text(Fraction(value))}"
            yield report("E409", task.reward.span, value=shown, outcomes=where)
            return


def _verdict(good: str, diagnostics: tuple[Diagnostic, ...]) -> str:
    return "false" if any(diagnostic.is_error for diagnostic in diagnostics) else good


# ---------------------------------------------------------------------------- consistent, witness


def consistent(task: typed.Task, found: Search, execute: Execute, budget: int) -> Established:
    statement = "some run satisfies every check and requirement and no forbid"
    diagnostics = tuple(_inconsistent(task, found, execute, budget))
    evidence: dict[str, Any] = {"conditions": len(conditions(task)), "budget": budget}
    if isinstance(found.result, Found):
        return Established(Theorem("consistent", "executed", statement, evidence))
    if isinstance(found.result, Conflict):
        evidence["core"] = [condition.span.place for condition in found.result.core]
        verdict = "false" if found.result.is_proof else "not proved"
    else:
        verdict = "not proved"
    return Established(Theorem("consistent", verdict, statement, evidence), diagnostics)


def _inconsistent(task: typed.Task, found: Search, execute: Execute, budget: int) -> Iterator[Diagnostic]:
    match found.result:
        case Conflict():
            yield contradiction(task, found.result)
        case Undecided():
            yield report("E404", task.span, task=task.name, budget=budget, more=10 * budget)
        case Unfound(nearest=None, calls=calls):
            yield report("E402", task.span, task=task.name, calls=calls, **_by_itself(task, execute(())))
        case Unfound(nearest=nearest) if nearest is not None:
            yield _falls_short(task, nearest.outcome, execute(()))


def _by_itself(task: typed.Task, silent: Outcome) -> dict[str, Any]:
    """What to add where events violate a forbid though the agent does nothing."""
    violated = [rule.span for rule, kept in zip(task.forbids, silent.forbids, strict=True) if not kept]
    if not violated:
        return {}
    help = "let the events change something else, or forbid what the agent does"
    return {"related": tuple(Label(span, "events violate this by themselves") for span in violated), "help": help}


def _falls_short(task: typed.Task, outcome: Outcome, silent: Outcome) -> Diagnostic:
    rules = (*task.checks, *task.requirements, *task.forbids)
    held = (*outcome.checks, *outcome.requirements, *outcome.forbids)
    missed = [rule for rule, holds in zip(rules, held, strict=True) if not holds]
    errors = sorted({call.error for call in outcome.calls if call.error is not None})
    related = tuple(Label(rule.span, "is not met by that run") for rule in missed)
    help = f"a call of that run is answered with `{errors[0]}`" if errors else _by_itself(task, silent).get("help")
    names = ", ".join("`only changes`" if isinstance(rule, typed.FrameDef) else f"`{rule.label}`" for rule in missed)
    return report("E403", missed[0].span, task=task.name, missed=names, related=related, help=help)


def witness(task: typed.Task, found: Search) -> Established:
    statement = "that run, executed in the emitted environment and scored by the emitted grader, earns everything"
    if not isinstance(found.result, Found):
        return Established(Theorem("witness", "not checked", statement, {"reason": "no run was found"}))
    executed = found.result.witness
    evidence = {
        "steps": len(executed.steps),
        "completion": decimal_text(executed.outcome.completion),
        "safety": decimal_text(executed.outcome.safety),
        **({"judges": "taken as full"} if task.judges else {}),
    }
    return Established(Theorem("witness", "executed", statement, evidence))


# ---------------------------------------------------------------------------- unique


def unique(task: typed.Task) -> Established:
    """That an `only` names one record was checked when its truth was evaluated; here, what each condition is for."""
    scope = initial_scope(task)
    binders = tuple(_descriptions(task))
    diagnostics = tuple(
        report("W401", condition.span, condition=" ".join(condition.span.text.split()), name=name)
        for name, binder in binders
        for condition in _idle(binder, scope_behind(task, task.truths[name], scope))
    )
    statement = "every `only` names one record"
    evidence: dict[str, Any] = {"descriptions": len(binders)}
    if task.distractors:
        evidence["distractors"] = [
            {"store": each.store, "id": each.id, "near": each.near, "misses": each.misses} for each in task.distractors
        ]
    return Established(Theorem("unique", "proved", statement, evidence), diagnostics)


def _descriptions(task: typed.Task) -> Iterator[tuple[str, typed.Binder]]:
    """Every `only` of a truth that stands in no other binder: its conditions can be tried one by one."""
    for name, truth in task.truths.items():
        pending = [truth.expr]
        while pending:
            part = pending.pop()
            if isinstance(part, typed.Binder) and part.quantifier == "only":
                yield name, part
            elif not isinstance(part, typed.Binder | typed.Sum):
                pending.extend(children(part))


def _idle(binder: typed.Binder, scope: Scope) -> Iterator[typed.Expr]:
    """The conditions of a description without which it still names one record."""
    parts = tuple(conjuncts(binder.where)) if binder.where is not None else ()
    misses: list[set[int]] = []
    for candidate in evaluate(binder.source, scope) or ():
        inner = scope.bind(binder.variable.name, candidate)
        misses.append({index for index, part in enumerate(parts) if not holds(part, inner)})
    for index, part in enumerate(parts):
        if sum(missed <= {index} for missed in misses) == 1:
            yield part


# ---------------------------------------------------------------------------- floor


def floor(task: typed.Task, execute: Execute) -> Established:
    """The silent agent, executed."""
    outcome = execute(())
    diagnostics = tuple(
        report("E407", check.span, label=check.label)
        for check, held in zip(task.checks, outcome.checks, strict=True)
        if held
    )
    evidence: dict[str, Any] = {"agents": ["silent"], "completion": decimal_text(outcome.checked)}
    if task.judges:
        evidence["judges"] = LEFT_OUT
    verdict = "executed" if not outcome.checked and not diagnostics else "false"
    statement = "an agent that does nothing earns completion 0, and no check holds at the start"
    return Established(Theorem("floor", verdict, statement, evidence), diagnostics)


def unchecked(name: str) -> Established:
    return Established(Theorem(name, "not checked", "", {"reason": "no run was found that earns everything"}))


def left_to_rehearsal() -> tuple[Established, ...]:
    evidence = {"reason": "is executed when the pack is built"}
    return tuple(Established(Theorem(name, "not checked", "", evidence)) for name in REHEARSED)
