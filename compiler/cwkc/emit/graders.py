"""Graders: from a task's truths, checks, requirements and forbids to a Python module, in source order."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from attrs import frozen

from cwkc.emit.code import Code, call, lambda_of
from cwkc.emit.evidence import evidence_of
from cwkc.emit.expressions import condition, delivered, emit, share_of
from cwkc.emit.fixed import named
from cwkc.emit.literals import dict_display, literal, quoted, tuple_display
from cwkc.emit.modules import RUNTIME, banner, comment, module, source_text, statement
from cwkc.emit.names import Names, slug
from cwkc.emit.printer import Document
from cwkc.emit.scope import Scope
from cwkc.meaning import typed
from cwkc.meaning.facts import delivered_text

FINAL, START = "run.final", "run.start"
_MODULE_NAMES = (
    *("rt", "run", "w", "args", "CHECKS", "REQUIREMENTS", "FORBIDS", "JUDGES", "DELIVERABLES", "reward"),
    "HOLES",
)


@frozen
class Rule:
    """A row of one of the grader's tables, and the functions behind it."""

    functions: str
    row: Document


def emit_grader(task: typed.Task, compiler: str, kind: str = "task") -> str:
    """The text of the grader module of a task, or of the members of a family: then holes stand in the task."""
    names = Names(_MODULE_NAMES)
    fixed = named(task, names, task.truths, task.deliverables)
    scope = fixed.scope(names, _MODULE_NAMES)
    checks = [_check(check, scope, names) for check in task.checks]
    requirements = [_requirement(requirement, scope, names) for requirement in task.requirements]
    forbids = [_forbid(forbid, scope, names) for forbid in task.forbids]
    reward = _reward(task.reward, scope) if task.reward else ""
    rules = [*checks, *requirements, *forbids]
    tables = (_table("CHECKS", checks), _table("REQUIREMENTS", requirements), _table("FORBIDS", forbids))
    title = f"The grader of the {kind} `{task.name}`: {task.title}".rstrip(".") + "."
    head = (
        banner(title, compiler, task.sources),
        RUNTIME,
        "\n".join(scope.constants.lines()),
        *fixed.texts(),
    )
    asked = _judges(task, scope) if task.judges else ()
    return module(head, [*(rule.functions for rule in rules), reward, "\n".join((*tables, *asked))])


# ---------------------------------------------------------------------------- rules


def _function(name: str, origin: str, body: Document) -> str:
    return "\n".join([*comment(origin), f"def {name}(run):", statement(("return ", body))])


def _rule(
    kind: str, label: str, place: typed.Declared, test: Code, evidence: Document, names: Names
) -> tuple[str, str, str]:
    """The names of a rule's two functions, and their text."""
    name = names.take(f"{kind}_{slug(label)}".rstrip("_"))
    witness = names.take(f"{name}_evidence")
    origin = f"{place.span.place}: {source_text(place.span)}"
    shown = f"def {witness}(run):\n{statement(('return ', evidence))}"
    return name, witness, f"{_function(name, origin, test.alone())}\n\n\n{shown}"


def _row(kind: str, label: str, words: Mapping[str, Document], place: str) -> Document:
    named: list[Document] = [(f"{name}=", value) for name, value in words.items()]
    return call(f"rt.{kind}", literal(label), *named, f"place={quoted(place)}").document


def _check(check: typed.CheckDef, scope: Scope, names: Names) -> Rule:
    evidence = evidence_of(check.condition, scope)
    name, witness, functions = _rule("check", check.label, check, _test_of(check, scope), evidence, names)
    words = {"weight": _fraction(check.weight), "test": name, "evidence": witness}
    return Rule(functions, _row("Check", check.label, words, check.span.place))


def _test_of(check: typed.CheckDef, scope: Scope) -> Code:
    """Whether a check holds, or the share of it that does."""
    if check.share == "each":
        assert isinstance(check.condition, typed.Binder), "the checker gives this share to an `each` alone"
        return share_of(check.condition, scope)
    if check.share == "delivered":
        assert isinstance(check.condition, typed.Delivered), "the checker gives this share to a `delivered` alone"
        return delivered(check.condition, scope, "delivered_share")
    if check.share == "value":
        return emit(check.condition, scope)
    return condition(check.condition, scope)


def _requirement(requirement: typed.RequireDef, scope: Scope, names: Names) -> Rule:
    test, evidence = condition(requirement.condition, scope), evidence_of(requirement.condition, scope)
    name, witness, functions = _rule("require", requirement.label, requirement, test, evidence, names)
    words: dict[str, Document] = {"test": name, "mode": quoted(requirement.mode)}
    words |= {"amount": _fraction(requirement.amount), "evidence": witness}
    return Rule(functions, _row("Requirement", requirement.label, words, requirement.span.place))


def _forbid(forbid: typed.ForbidDef | typed.FrameDef, scope: Scope, names: Names) -> Rule:
    if isinstance(forbid, typed.FrameDef):
        return _frame(forbid, names)
    test, evidence = _asked_always(forbid, scope) if forbid.always else _asked_at_the_end(forbid, scope)
    name, witness, functions = _rule("forbid", forbid.label, forbid, test, evidence, names)
    words = {"test": name, "safety": _fraction(forbid.safety), "evidence": witness}
    return Rule(functions, _row("Forbid", forbid.label, words, forbid.span.place))


def _asked_at_the_end(forbid: typed.ForbidDef, scope: Scope) -> tuple[Code, Document]:
    return condition(forbid.condition, scope), evidence_of(forbid.condition, scope)


def _asked_always(forbid: typed.ForbidDef, scope: Scope) -> tuple[Code, Document]:
    """Whether any state of the run is such; and after which calls it was."""
    found = call("run.when", lambda_of("w", condition(forbid.condition, scope.seeing("w"))))
    name = f"broken after calls: {source_text(forbid.condition.span)}"
    evidence = tuple_display((tuple_display((quoted(name), found.document)),))
    return call("bool", found), evidence


def _frame(frame: typed.FrameDef, names: Names) -> Rule:
    """`only changes …`: violated by any accepted write outside of what it allows."""
    allowed = names.take("ALLOWED")
    label = source_text(frame.span)
    outside = f"run.frame({allowed})"
    writes = f"tuple((each.kind, each.store, each.id, *each.fields) for each in {outside})"
    evidence = tuple_display((tuple_display((quoted("writes outside"), writes)),))
    name, witness, functions = _rule("forbid", "other changes", frame, call("bool", outside), evidence, names)
    table = statement((f"{allowed} = ", tuple_display(tuple(_allowance(each) for each in frame.allowed))), 0)
    words = {"test": name, "safety": _fraction(frame.safety), "evidence": witness}
    return Rule(f"{table}\n\n\n{functions}", _row("Forbid", label, words, frame.span.place))


def _allowance(allowed: typed.Allowed) -> Document:
    match allowed.kind:
        case "record":
            return literal(("record", allowed.record, allowed.id))
        case "field":
            return literal(("field", allowed.record, allowed.id, allowed.field))
        case "column":
            return literal(("column", allowed.store, allowed.field))
        case kind:
            return literal((kind, allowed.store))


def _fraction(value: Fraction) -> Document:
    return f"rt.Fraction({value.numerator})" if value.denominator == 1 else literal(value)


def _reward(expr: typed.Expr, scope: Scope) -> str:
    origin = f"{expr.span.place}: reward {source_text(expr.span)}"
    body = statement(("return ", emit(expr, scope).alone()))
    return "\n".join([*comment(origin), "def reward(completion, safety, robustness):", body])


def _table(name: str, rules: list[Rule]) -> str:
    return _rows(name, [rule.row for rule in rules])


def _rows(name: str, rows: list[Document]) -> str:
    if not rows:
        return f"{name} = ()"
    return "\n".join([f"{name} = (", *(statement((row, ",")) for row in rows), ")"])


# ---------------------------------------------------------------------------- judges


def _judges(task: typed.Task, scope: Scope) -> tuple[str, ...]:
    """What judges are asked, and what reads the texts that they are shown of what was to be delivered."""
    texts = {
        name: lambda_of("run", emit(delivered_text(each.path, each.span), scope)).document
        for name, each in task.deliverables.items()
    }
    shown = (statement(("DELIVERABLES = ", dict_display(texts)), 0),) if texts else ()
    return (_rows("JUDGES", [_rubric(judge) for judge in task.judges]), *shown)


def _rubric(judge: typed.JudgeDef) -> Document:
    words = {"weight": _fraction(judge.weight), "text": literal(judge.rubric)}
    return _row("Rubric", judge.label, words, judge.span.place)
