"""Grading: checks, requirements, forbids, frames, the reward."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from attrs import evolve, field, frozen

from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.constants import constant
from cwkc.meaning.evaluator import Scope as Values
from cwkc.meaning.expressions import condition, expect
from cwkc.meaning.judges import check_judge
from cwkc.meaning.lookup import infer_record_id
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.tools import find_store
from cwkc.meaning.types import BOOL, DECIMAL, ListOf, Reference, required
from cwkc.source import Span
from cwkc.syntax import tree


@frozen
class Grading:
    checks: tuple[typed.CheckDef, ...] = ()
    judges: tuple[typed.JudgeDef, ...] = ()
    requirements: tuple[typed.RequireDef, ...] = ()
    forbids: tuple[typed.ForbidDef | typed.FrameDef, ...] = ()
    reward: typed.Expr | None = None
    policies: tuple[str, ...] = ()
    labels: dict[str, Span] = field(factory=dict)


@frozen
class Item:
    """A grading statement, with the scope of the file that it stands in."""

    node: Any
    names: Names


def check_grading(items: Iterable[Item], truths: dict[str, typed.TruthDef], values: Values) -> Grading:
    """`values`: the initial world, with the truths."""
    grading = Grading()
    for item in items:
        node, names = item.node, evolve(item.names, stage=Stage.GRADING).statement()
        grading = _report_label(node, grading, names)
        if isinstance(node, tree.Check):
            grading = evolve(grading, checks=(*grading.checks, _check(node, names, truths)))
        elif isinstance(node, tree.Judge):
            grading = evolve(grading, judges=(*grading.judges, check_judge(node, names, values)))
        elif isinstance(node, tree.Require):
            grading = evolve(grading, requirements=(*grading.requirements, _require(node, names, None)))
        elif isinstance(node, tree.Forbid):
            grading = evolve(grading, forbids=(*grading.forbids, _forbid(node, names, None)))
        elif isinstance(node, tree.Always):
            grading = evolve(grading, forbids=(*grading.forbids, _always(node, names)))
        elif isinstance(node, tree.OnlyChanges):
            grading = evolve(grading, forbids=(*grading.forbids, _frame(node, names, truths)))
        elif isinstance(node, tree.Policy):
            grading = _policy(node, grading, names)
        elif isinstance(node, tree.Reward):
            grading = _reward(node, grading, names)
    return grading


def _report_label(node: Any, grading: Grading, names: Names) -> Grading:
    """Labels are how a score is read: no two statements of a task share one."""
    rule = node.rule if isinstance(node, tree.Policy) else node
    if not isinstance(rule, tree.Check | tree.Judge | tree.Require | tree.Forbid | tree.Always):
        return grading
    label = rule.label.value
    if label in grading.labels:
        first = Label(grading.labels[label], "first used here")
        names.sink.append(report("E262", rule.label.span, kind="label", name=label, related=(first,)))
    return evolve(grading, labels={label: rule.label.span, **grading.labels})


def _check(node: tree.Check, names: Names, truths: dict[str, typed.TruthDef]) -> typed.CheckDef:
    weight = constant(node.weight, names.at(Stage.DATA), DECIMAL)
    label, span = node.label.value, node.span
    if node.share:
        share = expect(node.condition, names, DECIMAL)
        return typed.CheckDef(weight or Fraction(0), label, share, "value", span=span)
    test = condition(node.condition, names)
    kind = None
    if isinstance(test, typed.Binder) and test.quantifier == "each":
        kind = "each"
        _check_each(test, names, truths)
    elif isinstance(test, typed.Delivered):
        kind = "delivered"
    return typed.CheckDef(weight or Fraction(0), label, test, kind, span=span)


def _check_each(test: typed.Binder, names: Names, truths: dict[str, typed.TruthDef]) -> None:
    """The denominator of a share must be fixed, and not zero."""
    if not isinstance(test.source, typed.Truth) or test.where is not None:
        place = test.where if isinstance(test.source, typed.Truth) and test.where else test.source
        names.sink.append(report("E266", place.span))
    elif truths[test.source.name].value == ():
        related = (Label(truths[test.source.name].span, "it is empty"),)
        names.sink.append(report("E253", test.source.span, name=test.source.name, related=related))


def _amount(node: tree.Expression | None, names: Names, default: Fraction) -> Fraction:
    """A constant from 0 to 1."""
    if node is None:
        return default
    amount = constant(node, names.at(Stage.DATA), DECIMAL)
    if amount is not None and not 0 <= amount <= 1:
        names.sink.append(report("E251", node.span, written=node.span.text))
        return default
    return amount if amount is not None else default


def _require(node: tree.Require, names: Names, policy: str | None) -> typed.RequireDef:
    test = condition(node.condition, names)
    amount = _amount(node.amount, names, Fraction(0))
    return typed.RequireDef(node.label.value, test, node.mode, amount, policy, span=node.span)


def _forbid(node: tree.Forbid, names: Names, policy: str | None) -> typed.ForbidDef:
    test = condition(node.condition, names)
    return typed.ForbidDef(node.label.value, test, _amount(node.safety, names, Fraction(0)), policy, span=node.span)


def _always(node: tree.Always, names: Names) -> typed.ForbidDef:
    """A forbid on every state: what is written must hold, so its opposite is what must not be."""
    test = condition(node.condition, names.at(Stage.STATE))
    broken = typed.Not(test, type=BOOL, span=test.span)
    safety = _amount(node.safety, names, Fraction(0))
    return typed.ForbidDef(node.label.value, broken, safety, None, always=True, span=node.span)


def _policy(node: tree.Policy, grading: Grading, names: Names) -> Grading:
    if isinstance(node.sentence, tree.Interpolation):
        names.sink.append(report("E267", node.sentence.span))
        return grading
    sentence = node.sentence.value
    policies = (*grading.policies, sentence)
    if isinstance(node.rule, tree.Forbid):
        forbid = _forbid(node.rule, names, sentence)
        return evolve(grading, forbids=(*grading.forbids, forbid), policies=policies)
    requirement = _require(node.rule, names, sentence)
    return evolve(grading, requirements=(*grading.requirements, requirement), policies=policies)


def _reward(node: tree.Reward, grading: Grading, names: Names) -> Grading:
    if grading.reward is not None:
        first = Label(grading.reward.span, "the first one")
        names.sink.append(report("E262", node.span, kind="reward", name="reward", related=(first,)))
    scope = evolve(names, stage=Stage.REWARD, truths={}, store_home=None)
    return evolve(grading, reward=expect(node.value, scope, DECIMAL))


# ---------------------------------------------------------------------------- frames


def _frame(node: tree.OnlyChanges, names: Names, truths: dict[str, typed.TruthDef]) -> typed.FrameDef:
    allowed = tuple(allowed for item in node.items for allowed in _allowed(item, names, truths))
    return typed.FrameDef(allowed, Fraction(0), span=node.span)


def _allowed(item: tree.Changed, names: Names, truths: dict[str, typed.TruthDef]) -> tuple[typed.Allowed, ...]:
    if isinstance(item.target, tree.RecordId):
        record = _record_of(item.target, names)
        return () if record is None else _of_records((item.target.id,), record, item.fields, item, names)
    head, *rest = item.target.names
    if head.text in names.truths:
        return _of_truth(head, tuple(rest), item, names, truths)
    store = find_store(_store_path(item.target, names), names)
    if store is None:
        return ()
    extra = item.target.names[2:] if head.text in names.services else ()
    return _of_store(store, extra, item, names)


def _store_path(path: tree.Path, names: Names) -> tree.Path:
    """The part of the path that names the store."""
    return evolve(path, names=path.names[:2]) if path.names[0].text in names.services else path


def _record_of(node: tree.RecordId, names: Names) -> str | None:
    core = infer_record_id(node, names, None).type
    return core.record if isinstance(core, Reference) else None


def _of_truth(
    head: tree.Identifier,
    fields: tuple[tree.Identifier, ...],
    item: tree.Changed,
    names: Names,
    truths: dict[str, typed.TruthDef],
) -> tuple[typed.Allowed, ...]:
    core = required(names.truths[head.text].type)
    value = truths[head.text].value
    if isinstance(core, ListOf) and isinstance(core.item, Reference):
        return _of_records(tuple(value or ()), core.item.record, fields, item, names)
    if isinstance(core, Reference):
        return _of_records((value,), core.record, fields, item, names)
    if value is not None:
        names.sink.append(report("E252", item.span, written=item.span.text))
    return ()


def _of_records(
    ids: tuple[str, ...], record: str, fields: tuple[tree.Identifier, ...], item: tree.Changed, names: Names
) -> tuple[typed.Allowed, ...]:
    if item.new or len(fields) > 1:
        names.sink.append(report("E252", item.span, written=item.span.text))
        return ()
    if not fields:
        return tuple(typed.Allowed("record", record=record, id=id, span=item.span) for id in ids)
    if not _known_field(fields[0], record, names):
        return ()
    name = fields[0].text
    return tuple(typed.Allowed("field", record=record, id=id, field=name, span=item.span) for id in ids)


def _known_field(name: tree.Identifier, record: str, names: Names) -> bool:
    fields = names.fields(record)
    if name.text not in fields:
        help = did_you_mean(name.text, fields)
        names.sink.append(report("E205", name.span, owner=f"`{record}`", name=name.text, help=help))
    return name.text in fields


def _of_store(
    store: typed.StoreDef, fields: tuple[tree.Identifier, ...], item: tree.Changed, names: Names
) -> tuple[typed.Allowed, ...]:
    if len(fields) > 1 or (fields and item.new):
        names.sink.append(report("E252", item.span, written=item.span.text))
        return ()
    if not fields:
        return (typed.Allowed("new" if item.new else "store", store=store.name, span=item.span),)
    if not _known_field(fields[0], store.record, names):
        return ()
    return (typed.Allowed("column", store=store.name, field=fields[0].text, span=item.span),)


__all__ = ["Grading", "Item", "check_grading"]
