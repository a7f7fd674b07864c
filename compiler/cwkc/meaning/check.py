"""The whole of meaning: from entry files to typed tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from cwkc.diagnostics import Diagnostic, Label, has_errors, report
from cwkc.meaning import typed
from cwkc.meaning.families import Family, check_family
from cwkc.meaning.modules import Scope, check_module
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.plans import check_plans
from cwkc.meaning.program import Library, Unit, load
from cwkc.meaning.tasks import check_task
from cwkc.meaning.vocabularies import StandardWords
from cwkc.source import Source, Span
from cwkc.syntax import tree

_Declared = tree.Task | tree.Family
_ABOUT_NAMES = frozenset({"E201", "E203", "E204", "E214", "E220", "E237", "E238"})
"""What would follow from a declaration that could not be read."""

CheckUnit = Callable[[Unit, Mapping[str, Scope]], tuple[Scope, tuple[Diagnostic, ...]]]


@frozen(eq=False)
class Program:
    """What the entry files and their imports mean."""

    units: tuple[Unit, ...]
    scopes: Mapping[str, Scope]
    tasks: tuple[typed.Task, ...]
    families: tuple[Family, ...]
    plans: tuple[typed.PlanDef, ...]


def check_program(
    sources: Sequence[Source], library: Library, check_unit: CheckUnit = check_module
) -> tuple[Program, tuple[Diagnostic, ...]]:
    """The tasks of the entry files: those without errors, in the order of files and lines. `check_unit` may remember
    the scopes of files that it has checked before."""
    units, found = load(sources, library)
    sink, everything = list(found), list(found)
    scopes: dict[str, Scope] = {}
    for unit in units:
        scope, found = check_unit(unit, scopes)
        sink += _silenced(found, unit.broken)
        everything += found
        if has_errors(found):
            scope = evolve(scope, broken=True)
        scopes[unit.key] = scope
    entries = [scopes[source.name] for source in sources if source.name in scopes]
    unread = [diagnostic.span for diagnostic in everything if diagnostic.is_error]
    standard = StandardWords(library)
    tasks, families, task_found = _check_tasks(entries, scopes, unread, standard)
    plans: list[typed.PlanDef] = []
    for scope in entries:
        planned, found = check_plans(scope, standard)
        plans += planned
        task_found += _silenced(found, scope.broken)
    return Program(units, scopes, tasks, families, tuple(plans)), (*sink, *task_found)


def _silenced(diagnostics: Iterable[Diagnostic], broken: bool) -> list[Diagnostic]:
    """Where a file could not be read whole, unknown names may be its lost ones: nothing is said of them."""
    return [d for d in diagnostics if not (broken and d.code in _ABOUT_NAMES)]


def _check_tasks(
    entries: list[Scope], scopes: Mapping[str, Scope], unread: list[Span], standard: StandardWords
) -> tuple[tuple[typed.Task, ...], tuple[Family, ...], list[Diagnostic]]:
    sink: list[Diagnostic] = []
    grades = [(item, scope) for scope in entries for item in scope.unit.module.items if isinstance(item, tree.Grade)]
    nodes = _nodes(entries, scopes, {grade.name.text for grade, _ in grades}, sink)
    _report_orphans(grades, nodes, sink)
    shared = [item.span for scope in scopes.values() for item in scope.unit.module.items if not _is_of_tasks(item)]
    tasks: list[typed.Task] = []
    families: list[Family] = []
    for name, (node, scope) in nodes.items():
        own = [(grade, other) for grade, other in grades if grade.name.text == name]
        checked: typed.Task | Family | None
        if isinstance(node, tree.Task):
            checked, found = check_task(node, scope, own, standard)
        else:
            checked, found = check_family(node, scope, own, standard)
        sink += _silenced(found, scope.broken or any(other.broken for _, other in own))
        if checked is None:
            continue
        sources = scope.hashes if isinstance(checked, Family) else checked.sources
        used = (span for span in shared if span.source.identity in sources)
        parts = (node.span, *(grade.span for grade, _ in own), *used)
        if any(_within(span, part) for span in unread for part in parts):
            continue
        if isinstance(checked, Family):
            families.append(checked)
        else:
            tasks.append(checked)
    return tuple(tasks), tuple(families), _each_once(sink)


def _each_once(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What is wrong with a world is found once for every task that is in it."""
    places = {(each.code, each.span.source.name, each.span.start, each.message): each for each in diagnostics}
    return list(places.values())


def _is_of_tasks(item: tree.Item) -> bool:
    """Whether an item is a task or a part of one; the others may be used by any task that comes by them."""
    return isinstance(item, tree.Task | tree.Grade | tree.Family | tree.Plan)


def _within(span: Span, whole: Span) -> bool:
    return span.source is whole.source and whole.start <= span.start < whole.end


def _nodes(
    entries: list[Scope], scopes: Mapping[str, Scope], graded: set[str], sink: list[Diagnostic]
) -> dict[str, tuple[_Declared, Scope]]:
    """The tasks and families, by name: those of the entry files and, of their imports, those that they grade."""
    nodes: dict[str, tuple[_Declared, Scope]] = {}
    for scope in entries:
        for item in scope.unit.module.items:
            if isinstance(item, _Declared) and item.name.text in nodes:
                first = Label(nodes[item.name.text][0].name.span, "first declared here")
                kind = "task" if isinstance(item, tree.Task) else "family"
                words: dict[str, Any] = {"kind": kind, "name": item.name.text}
                sink.append(report("E262", item.name.span, related=(first,), **words))
            elif isinstance(item, _Declared):
                nodes[item.name.text] = item, scope
    for scope in scopes.values():
        for item in scope.unit.module.items:
            if isinstance(item, _Declared) and item.name.text in graded and item.name.text not in nodes:
                nodes[item.name.text] = item, scope
    return nodes


def _report_orphans(
    grades: list[tuple[tree.Grade, Scope]], nodes: Mapping[str, object], sink: list[Diagnostic]
) -> None:
    for grade, scope in grades:
        if grade.name.text not in nodes and not scope.broken:
            help = did_you_mean(grade.name.text, nodes)
            sink.append(report("E238", grade.name.span, name=grade.name.text, help=help))
