"""The whole of meaning: from entry files to typed tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from cwkc.diagnostics import Diagnostic, Label, has_errors, report
from cwkc.meaning import typed
from cwkc.meaning.assets import ReadFile
from cwkc.meaning.modules import Scope, check_module
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.program import Library, Unit, load
from cwkc.meaning.tasks import check_task
from cwkc.source import Source, Span
from cwkc.syntax import tree

_ABOUT_NAMES = frozenset({"E201", "E203", "E204", "E214", "E220", "E237", "E238"})
"""What would follow from a declaration that could not be read."""

CheckUnit = Callable[[Unit, Mapping[str, Scope]], tuple[Scope, tuple[Diagnostic, ...]]]


@frozen(eq=False)
class Program:
    """What the entry files and their imports mean."""

    units: tuple[Unit, ...]
    scopes: Mapping[str, Scope]
    tasks: tuple[typed.Task, ...]


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
    tasks, task_found = _check_tasks(entries, scopes, unread, library.read_file)
    return Program(units, scopes, tasks), (*sink, *task_found)


def _silenced(diagnostics: Iterable[Diagnostic], broken: bool) -> list[Diagnostic]:
    """Where a file could not be read whole, unknown names may be its lost ones: nothing is said of them."""
    return [d for d in diagnostics if not (broken and d.code in _ABOUT_NAMES)]


def _check_tasks(
    entries: list[Scope], scopes: Mapping[str, Scope], unread: list[Span], read_file: ReadFile
) -> tuple[tuple[typed.Task, ...], list[Diagnostic]]:
    sink: list[Diagnostic] = []
    grades = [(item, scope) for scope in entries for item in scope.unit.module.items if isinstance(item, tree.Grade)]
    nodes = _nodes(entries, scopes, {grade.name.text for grade, _ in grades}, sink)
    _report_orphans(grades, nodes, sink)
    shared = [item.span for scope in scopes.values() for item in scope.unit.module.items if not _is_of_tasks(item)]
    tasks = []
    for name, (node, scope) in nodes.items():
        own = [(grade, other) for grade, other in grades if grade.name.text == name]
        task, found = check_task(node, scope, own, read_file)
        sink += _silenced(found, scope.broken or any(other.broken for _, other in own))
        if task is None:
            continue
        used = (span for span in shared if span.source.identity in task.sources)
        parts = (node.span, *(grade.span for grade, _ in own), *used)
        if not any(_within(span, part) for span in unread for part in parts):
            tasks.append(task)
    return tuple(tasks), _each_once(sink)


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
) -> dict[str, tuple[tree.Task, Scope]]:
    """The tasks to check, by name: those of the entry files, and those of their imports that they grade."""
    nodes: dict[str, tuple[tree.Task, Scope]] = {}
    for scope in entries:
        for item in scope.unit.module.items:
            if isinstance(item, tree.Task) and item.name.text in nodes:
                first = Label(nodes[item.name.text][0].name.span, "first declared here")
                words: dict[str, Any] = {"kind": "task", "name": item.name.text}
                sink.append(report("E262", item.name.span, related=(first,), **words))
            elif isinstance(item, tree.Task):
                nodes[item.name.text] = item, scope
    for scope in scopes.values():
        for item in scope.unit.module.items:
            if isinstance(item, tree.Task) and item.name.text in graded and item.name.text not in nodes:
                nodes[item.name.text] = item, scope
    return nodes


def _report_orphans(
    grades: list[tuple[tree.Grade, Scope]], nodes: Mapping[str, object], sink: list[Diagnostic]
) -> None:
    for grade, scope in grades:
        if grade.name.text not in nodes and not scope.broken:
            help = did_you_mean(grade.name.text, nodes)
            sink.append(report("E238", grade.name.span, name=grade.name.text, help=help))
