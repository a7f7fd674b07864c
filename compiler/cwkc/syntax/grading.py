"""What grades a task: truths, checks, requirements, forbids and the reward."""

from __future__ import annotations

from collections.abc import Callable

from cwkc.syntax import tree
from cwkc.syntax.expressions import expression, record_id
from cwkc.syntax.literals import literal, text, text_or_interpolation
from cwkc.syntax.reading import Branch, Reading, branch, branches, token


def grade(reading: Reading, whole: Branch) -> tree.Grade:
    items = tuple(GRADING[part.data](reading, part) for part in whole.children[3:-1])
    return tree.Grade(reading.identifier(whole.children[1]), items, span=reading.span(whole))


def _truth(reading: Reading, whole: Branch) -> tree.TruthLet:
    _, name, *after, _, value = whole.children
    return tree.TruthLet(
        reading.identifier(name),
        reading.identifier(after[1]) if after else None,
        expression(reading, value),
        span=reading.span(whole),
    )


def _check(reading: Reading, whole: Branch) -> tree.Check:
    _, weight, label, *share, condition = whole.children
    return tree.Check(
        expression(reading, weight),
        text(reading, label),
        bool(share),
        expression(reading, condition),
        span=reading.span(whole),
    )


def _judge(reading: Reading, whole: Branch) -> tree.Judge:
    _, weight, label, rubric = whole.children
    return tree.Judge(
        literal(reading, weight),
        text(reading, label),
        text_or_interpolation(reading, rubric.children[0]),
        span=reading.span(whole),
    )


def require(reading: Reading, whole: Branch) -> tree.Require:
    _, label, condition, *otherwise = whole.children
    return tree.Require(
        text(reading, label),
        expression(reading, condition),
        str(otherwise[1]) if otherwise else "cap",
        literal(reading, otherwise[2]) if otherwise else None,
        span=reading.span(whole),
    )


def forbid(reading: Reading, whole: Branch) -> tree.Forbid:
    _, label, condition, *_ = whole.children
    return tree.Forbid(
        text(reading, label), expression(reading, condition), _safety(reading, whole), span=reading.span(whole)
    )


def _always(reading: Reading, whole: Branch) -> tree.Always:
    _, label, condition, *_ = whole.children
    return tree.Always(
        text(reading, label), expression(reading, condition), _safety(reading, whole), span=reading.span(whole)
    )


def _safety(reading: Reading, whole: Branch) -> tree.Expression | None:
    safety = branch(whole.children, "safety")
    return None if safety is None else literal(reading, safety.children[2])


def _only_changes(reading: Reading, whole: Branch) -> tree.OnlyChanges:
    items = tuple(_changed(reading, part) for part in branches(whole.children, "changed"))
    return tree.OnlyChanges(items, span=reading.span(whole))


def _changed(reading: Reading, whole: Branch) -> tree.Changed:
    parts = whole.children
    id, path = token(parts, "REF"), branch(parts, "path")
    built = reading.path(path) if id is None else record_id(reading, id)
    return tree.Changed(token(parts, "NEW") is not None, built, reading.identifiers(parts), span=reading.span(whole))


def _reward(reading: Reading, whole: Branch) -> tree.Reward:
    return tree.Reward(expression(reading, whole.children[1]), span=reading.span(whole))


GRADING: dict[str, Callable[[Reading, Branch], tree.Grading]] = {
    "let": _truth,
    "check": _check,
    "judge": _judge,
    "require": require,
    "forbid": forbid,
    "always": _always,
    "only_changes": _only_changes,
    "reward": _reward,
}
