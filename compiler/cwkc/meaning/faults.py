"""Faults: `fault TOOL KIND on call N | rate P`, injected into the runs of a task."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from attrs import evolve

from coworkdsl.faults import KINDS, STALE
from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.constants import constant
from cwkc.meaning.facts import find_tool
from cwkc.meaning.modules import Scope
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.types import DECIMAL, INT
from cwkc.syntax import tree


def check_faults(nodes: Iterable[tuple[tree.Fault, Scope]], names: Names) -> tuple[typed.FaultDef, ...]:
    """Those that are right, in source order."""
    found: dict[tuple[str, int | str], typed.FaultDef] = {}
    for node, scope in nodes:
        fault = _fault(node, evolve(names, services=scope.services))
        if fault is None:
            continue
        key = (fault.tool, fault.kind if fault.call is None else fault.call)
        if key in found:
            when = f"`{fault.kind}` at a rate" if fault.call is None else f"fault on call {fault.call}"
            first = Label(found[key].span, "the first one")
            names.sink.append(report("E282", node.span, tool=fault.tool, what=when, related=(first,)))
        found.setdefault(key, fault)
    return tuple(found.values())


def _fault(node: tree.Fault, names: Names) -> typed.FaultDef | None:
    before = len(names.sink)
    tool = find_tool(node.tool, names)
    if tool is not None and tool.name not in names.tools:
        names.sink.append(report("E217", node.tool.span, tool=node.tool.text, help="add it to `tools`"))
    kind = node.kind.text
    if kind not in KINDS:
        names.sink.append(report("E280", node.kind.span, kind=kind, help=did_you_mean(kind, KINDS)))
    if kind == STALE and tool is not None and not tool.reads_only:
        names.sink.append(report("E283", node.kind.span, tool=node.tool.text))
    call, rate = _schedule(node, names)
    if tool is None or len(names.sink) > before:
        return None
    return typed.FaultDef(tool.name, kind, call, rate, span=node.span)


def _schedule(node: tree.Fault, names: Names) -> tuple[int | None, Fraction | None]:
    """The number of a call, or a probability; neither where it is wrong."""
    is_call = node.schedule == "call"
    amount = constant(node.amount, names.at(Stage.CONSTANT), INT if is_call else DECIMAL)
    if amount is None:
        return None, None
    if amount < 1 if is_call else not 0 < amount <= 1:
        what = "number of a call: the first is call 1" if is_call else "probability above 0 and up to 1"
        names.sink.append(report("E281", node.amount.span, written=node.amount.span.text, what=what))
        return None, None
    return (amount, None) if is_call else (None, Fraction(amount))
