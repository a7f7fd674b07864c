"""Tasks: from their statements, their world's and their grade's, to one typed task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from attrs import evolve, field, frozen

from cwkc.diagnostics import CATALOGUE, Diagnostic, Label, Severity, has_errors, report
from cwkc.meaning import typed
from cwkc.meaning.addresses import check_addresses
from cwkc.meaning.assets import check_assets
from cwkc.meaning.calendar import check_dates, check_weekdays
from cwkc.meaning.constants import constant
from cwkc.meaning.declarations import TypeNames, check_fields
from cwkc.meaning.deliverables import check_deliverables
from cwkc.meaning.distractors import make_distractors
from cwkc.meaning.evaluator import Scope as Values
from cwkc.meaning.evaluator import holds
from cwkc.meaning.events import Course, check_events, with_event_ids
from cwkc.meaning.events import with_conditions as events_with_conditions
from cwkc.meaning.expressions import infer
from cwkc.meaning.facts import find_tool
from cwkc.meaning.faults import check_faults
from cwkc.meaning.grading import Grading, Item, check_grading
from cwkc.meaning.initial import initial_state, initial_view
from cwkc.meaning.modules import Scope, merge_records
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.occurrences import Brought, brought, check_event_dates
from cwkc.meaning.rows import DataBlock, check_rows
from cwkc.meaning.truths import check_truths, evaluate_fixed, fixed_text
from cwkc.meaning.types import DATETIME, INT
from cwkc.meaning.users import check_user, told_spans
from cwkc.meaning.users import with_conditions as user_with_conditions
from cwkc.meaning.vocabularies import Picks, StandardWords, check_planning_words, written_texts
from cwkc.source import Span
from cwkc.syntax import tree

CLOCK_YEARS = range(1000, 9000)
"""The clock stands in one of these years: times around it are tried, and there must be some."""
_UNITS = ("turns", "calls", "seconds")
_WORDS = ("category", "scenario", "difficulty", "language")
_PLANNED = {
    "category": "Category",
    "scenario": "Scenario",
    "difficulty": "Difficulty",
    "capabilities": "Capability",
}
"""The entries whose words come from a dimension of the planning, by the name of its enum."""
Parameters = Mapping[str, tuple[typed.Constant, Span]]
"""The parameters of a family, each with its value in one member and the place of its declaration."""
Grades = Sequence[tuple[tree.Grade, Scope]]
"""The grades of one task, each with the scope of its file."""
_GRADING = (
    tree.Check | tree.Judge | tree.Require | tree.Forbid | tree.Always | tree.OnlyChanges | tree.Policy | tree.Reward
)


@frozen(eq=False)
class _Part:
    """A statement, with the scope of the file that it stands in."""

    node: Any
    scope: Scope


@frozen(eq=False)
class _Parts:
    """A task's statements: its world's, its own, its grade's."""

    task: tree.Task
    parts: tuple[_Part, ...]
    parameters: Parameters
    standard: StandardWords
    sink: list[Diagnostic] = field(factory=list)

    def of(self, *kinds: type) -> tuple[_Part, ...]:
        return tuple(part for part in self.parts if isinstance(part.node, kinds))


def check_task(
    node: tree.Task,
    scope: Scope,
    grades: Grades,
    standard: StandardWords,
    parameters: Parameters = MappingProxyType({}),
) -> tuple[typed.Task | None, tuple[Diagnostic, ...]]:
    """The typed task; None where it has errors. `parameters`: of a family, whose member it is, with their values."""
    sink: list[Diagnostic] = []
    world = _world_parts(node, scope, sink)
    if has_errors(sink):
        return None, tuple(sink)
    own = [_Part(item, scope) for item in node.items]
    graded = [_Part(item, other) for grade, other in grades for item in grade.items]
    parts = _Parts(node, (*world, *own, *graded), parameters, standard, sink)
    task = _assemble(parts, scope)
    accepted = {part.node.code.text for part in parts.of(tree.Allow)}
    told = (diagnostic for diagnostic in sink if diagnostic.is_error or diagnostic.code not in accepted)
    return (None if has_errors(sink) else task), tuple(told)


def _world_parts(node: tree.Task, scope: Scope, sink: list[Diagnostic]) -> list[_Part]:
    if node.world is None:
        return []
    world = scope.worlds.get(node.world.text)
    if world is None:
        help = did_you_mean(node.world.text, scope.worlds, "no world is declared in this file or in those it uses")
        sink.append(report("E237", node.world.span, name=node.world.text, help=help))
        return []
    return [_Part(item, evolve(scope, services=world.services)) for item in world.node.items]


def _assemble(parts: _Parts, scope: Scope) -> typed.Task:
    sink, node = parts.sink, parts.task
    meta = _meta(parts)
    now, now_span = _now(meta, parts)
    _check_planning(meta, parts, scope)
    clock = now if "now" in meta else None  # without one, nothing is said of what depends on it
    names = Names(Stage.DATA, scope.services, scope.records, scope.stores, scope.enums, now=clock, sink=sink)
    names = evolve(names, parameters=parts.parameters)
    names = evolve(names, records=_extended(parts, names, scope))
    tools = _tools(parts, names)
    blocks = [DataBlock(part.node, part.scope.services) for part in parts.of(tree.Data)]
    before = len(sink)
    picks = _picks(parts, scope, meta)
    rows, names = check_rows(blocks, evolve(names, picks=picks))
    is_whole = not has_errors(sink[before:])
    names = evolve(names, tools={tool.name: tool for tool in tools})
    view = initial_view(names.records, names.stores, rows, now)
    values = Values(world=view, start=view, now=now)
    files = [(part.node, part.scope) for part in parts.of(tree.Asset)]
    assets, facts, names = check_assets(files, names, parts.standard.read_file)
    values = evolve(values, truths={name: fact.value for name, fact in facts.items()})
    lets = [part.node for part in parts.of(tree.TruthLet)]
    names = evolve(names, after_truths={let.name.text: (let.after.text, let.name.span) for let in lets if let.after})
    rows, distractors = _distracted(parts, lets, names, values, rows)
    view = initial_view(names.records, names.stores, rows, now) if distractors else view
    values = evolve(values, world=view, start=view)
    truths, names, values = check_truths(lets, names, values, rows, is_whole)
    truths = {**facts, **truths}
    request, request_span = _request(parts, names, values)
    given = _given(parts, names, values, rows)
    user_nodes, event_nodes = ([part.node for part in parts.of(kind)] for kind in (tree.User, tree.Event))
    user = check_user(user_nodes, names, values, rows)
    early = with_event_ids(event_nodes, names)
    events = check_events(event_nodes, early, now)
    found = (
        ()
        if has_errors(sink)
        else brought(events, initial_state(names.records, names.stores, rows, now), values.truths, sink)
    )
    later, names, values = _later_truths(parts, early, values, rows, events, is_whole)
    truths |= later
    offers = [(part.node, part.scope) for part in parts.of(tree.Deliver)]
    waits = {name: truth.after for name, truth in truths.items() if truth.after}
    deliverables = check_deliverables(offers, names, values, rows, waits, not has_errors(sink[before:]))
    names = evolve(names, deliverables=deliverables, facts=user.facts if user else {})
    events = events_with_conditions(events, event_nodes, names)
    user = user and user_with_conditions(user, user_nodes, names)
    items = [Item(p.node, evolve(names, services=p.scope.services)) for p in parts.of(*_GRADING.__args__)]
    grading = check_grading(items, truths, values)
    _report_broken_at_start(grading, values, sink)
    if grading.judges and not grading.checks:
        sink.append(report("E285", grading.judges[0].span, task=node.name.text))
    elif not grading.checks:
        sink.append(report("E236", node.name.span, name=node.name.text, missing="check"))
    _check_texts(parts, rows, found, names, now, now_span)
    asked = (request, request_span)
    return _task(
        parts, scope, meta, now, names, tools, rows, distractors, truths, assets, grading, asked, given, user, events
    )


def _later_truths(
    parts: _Parts,
    names: Names,
    values: Values,
    rows: tuple[typed.RowDef, ...],
    events: Mapping[str, typed.EventDef],
    is_whole: bool,
) -> tuple[dict[str, typed.TruthDef], Names, Values]:
    """The truths `after` events, and the scopes of grading, which knows them."""
    lets = [part.node for part in parts.of(tree.TruthLet) if part.node.after]
    known = evolve(names, after_truths={})
    if not lets:
        return {}, known, values
    assert values.now is not None, "a task has a clock"
    course = Course(events, initial_state(names.records, names.stores, rows, values.now), tuple(names.tools.values()))
    return check_truths(lets, known, values, rows, is_whole and not has_errors(parts.sink), course)


def _distracted(
    parts: _Parts, lets: list[tree.TruthLet], names: Names, values: Values, rows: tuple[typed.RowDef, ...]
) -> tuple[tuple[typed.RowDef, ...], tuple[typed.DistractorDef, ...]]:
    """The rows with near misses of truths. The truths are asked beforehand, in silence: what is wrong with them is
    told when they are asked for good."""
    nodes = [(part.node, part.scope.services) for part in parts.of(tree.Distract)]
    if not nodes or has_errors(parts.sink):
        return rows, ()
    silent: list[Diagnostic] = []
    truths, _, found = check_truths(lets, evolve(names, sink=silent), values, rows, True)
    if has_errors(silent):
        return rows, ()
    return make_distractors(nodes, truths, names, found, rows)


def _report_broken_at_start(grading: Grading, values: Values, sink: list[Diagnostic]) -> None:
    """An `always` that does not hold at the start is violated by every run."""
    if has_errors(sink):
        return
    for forbid in grading.forbids:
        if isinstance(forbid, typed.ForbidDef) and forbid.always and holds(forbid.condition, values):
            sink.append(report("E269", forbid.span, label=forbid.label))


def _task(
    parts: _Parts,
    scope: Scope,
    meta: Mapping[str, tree.Meta],
    now: datetime,
    names: Names,
    tools: tuple[typed.ToolDef, ...],
    rows: tuple[typed.RowDef, ...],
    distractors: tuple[typed.DistractorDef, ...],
    truths: Mapping[str, typed.TruthDef],
    assets: tuple[typed.AssetDef, ...],
    grading: Grading,
    request: tuple[str, Span],
    given: tuple[typed.GivenDef, ...],
    user: typed.UserDef | None,
    events: Mapping[str, typed.EventDef],
) -> typed.Task:
    node = parts.task
    words: dict[str, Any] = {key: _word(meta[key].value, parts.sink) if key in meta else None for key in _WORDS}
    return typed.Task(
        name=node.name.text,
        title=node.title.value if node.title else node.name.text.replace("_", " ").capitalize(),
        category=words["category"],
        scenario=words["scenario"],
        difficulty=words["difficulty"],
        language=words["language"] or "en",
        capabilities=_capabilities(meta, parts.sink),
        now=now,
        request=request[0],
        request_span=request[1],
        policies=grading.policies,
        services=scope.reach,
        records=names.records,
        stores=names.stores,
        tools=tools,
        rows=rows,
        truths=truths,
        given=given,
        user=user,
        events=events,
        deliverables=names.deliverables,
        assets=assets,
        limits=_limits(parts, names),
        faults=check_faults([(part.node, part.scope) for part in parts.of(tree.Fault)], names),
        allows=_allows(parts),
        checks=grading.checks,
        judges=grading.judges,
        requirements=grading.requirements,
        forbids=grading.forbids,
        reward=grading.reward,
        distractors=distractors,
        sources=_sources(parts, scope, names),
        span=node.name.span,
    )


def _sources(parts: _Parts, scope: Scope, names: Names) -> dict[str, str]:
    """Those of the task's file and of the grades' files, with what each of them uses; those of vocabularies."""
    graded = {name: digest for part in parts.parts for name, digest in part.scope.hashes.items()}
    return {**scope.hashes, **graded, **(names.picks.sources if names.picks else {})}


# ---------------------------------------------------------------------------- the head


def _meta(parts: _Parts) -> dict[str, tree.Meta]:
    known = ("now", "capabilities", *_WORDS)
    meta: dict[str, tree.Meta] = {}
    for part in parts.of(tree.Meta):
        key = part.node.key
        if key.text not in known:
            parts.sink.append(report("E234", key.span, name=key.text, help=did_you_mean(key.text, known)))
        elif key.text in meta and part.scope is parts.parts[-1].scope:
            first = Label(meta[key.text].span, "first written here")
            parts.sink.append(report("E262", key.span, kind="entry", name=key.text, related=(first,)))
        meta[key.text] = part.node
    return meta


def _now(meta: Mapping[str, tree.Meta], parts: _Parts) -> tuple[datetime, Span]:
    """The task's clock. Where it is missing, a time that only keeps the rest going."""
    fallback = datetime.fromisoformat("9999-12-31T00:00:00+00:00")
    if "now" not in meta:
        task = parts.task.name
        parts.sink.append(report("E236", task.span, name=task.text, missing="now"))
        return fallback, task.span
    node = meta["now"].value
    now = constant(node, Names(Stage.CONSTANT, parameters=parts.parameters, sink=parts.sink), DATETIME)
    if now is not None and now.year not in CLOCK_YEARS:
        first, last = CLOCK_YEARS[0], CLOCK_YEARS[-1]
        parts.sink.append(report("E254", node.span, written=node.span.text, first=first, last=last))
    return now or fallback, node.span


def _word(node: tree.Expression, sink: list[Diagnostic]) -> str | None:
    if isinstance(node, tree.Name):
        return node.text
    if isinstance(node, tree.Text):
        return node.value
    sink.append(report("E235", node.span, wanted="one word"))
    return None


def _capabilities(meta: Mapping[str, tree.Meta], sink: list[Diagnostic]) -> tuple[str, ...]:
    if "capabilities" not in meta:
        return ()
    node = meta["capabilities"].value
    if not isinstance(node, tree.ListDisplay):
        sink.append(report("E235", node.span, wanted="a list of words"))
        return ()
    words = (_word(item, sink) for item in node.items)
    return tuple(word for word in words if word is not None)


def _check_planning(meta: Mapping[str, tree.Meta], parts: _Parts, scope: Scope) -> None:
    """The words by which tasks are counted are known ones; a file adds to them by an enum of the dimension's name."""
    for key, dimension in _PLANNED.items():
        value = meta[key].value if key in meta else None
        several = key == "capabilities"
        words = value.items if isinstance(value, tree.ListDisplay) else (value,) if value and not several else ()
        own = scope.enums.get(dimension)
        known = (*parts.standard.planning[dimension], *(own.values if own else ()))
        check_planning_words(dimension, words, known, parts.sink)


def _picks(parts: _Parts, scope: Scope, meta: Mapping[str, tree.Meta]) -> Picks:
    language = _word(meta["language"].value, []) if "language" in meta else None
    rows = (row for part in parts.of(tree.Data) for row in part.node.rows)
    return Picks(parts.task.name.text, language or "en", scope.vocabularies, parts.standard, written_texts(rows))


def _request(parts: _Parts, names: Names, values: Values) -> tuple[str, Span]:
    found = parts.of(tree.Request)
    task = parts.task.name
    if not found:
        parts.sink.append(report("E236", task.span, name=task.text, missing="request"))
        return "", task.span
    if len(found) > 1:
        first = Label(found[0].node.span, "the first one")
        parts.sink.append(report("E262", found[1].node.span, kind="request", name="request", related=(first,)))
    node = found[0].node.text
    _, text = fixed_text(node, names, values)
    if text == "":
        parts.sink.append(report("E228", node.span, name=task.text))
    return text or "", node.span


# ---------------------------------------------------------------------------- tools and records


def _extended(parts: _Parts, names: Names, scope: Scope) -> dict[str, typed.RecordDef]:
    records = merge_records({}, names.records)
    for part in parts.of(tree.Extend):
        types = TypeNames(scope.types, part.scope.services, names.enums, records, parts.sink)
        name = _extended_record(part, records, parts.sink)
        if name is None:
            continue
        fields = check_fields(part.node.fields, types, names)
        for added in fields.values():
            if added.name in records[name].fields:
                first = Label(records[name].fields[added.name].span, "declared here")
                words: dict[str, Any] = {"kind": "field", "name": added.name}
                parts.sink.append(report("E262", added.span, related=(first,), **words))
        records[name] = evolve(records[name], fields={**fields, **records[name].fields} | fields)
    return records


def _extended_record(part: _Part, records: Mapping[str, Any], sink: list[Diagnostic]) -> str | None:
    path: tree.Path = part.node.record
    service = part.scope.services.get(path.names[0].text)
    name = path.text if len(path.names) == 1 else None
    if service is not None and len(path.names) == 2:
        name = f"{service.name}.{path.names[1].text}"
    if name not in records:
        sink.append(report("E220", path.span, name=path.text, help=did_you_mean(path.text, records)))
        return None
    return name


def _tools(parts: _Parts, names: Names) -> tuple[typed.ToolDef, ...]:
    """The tools offered, in the order in which they are named."""
    offered: dict[str, typed.ToolDef] = {}
    for part in parts.of(tree.Tools):
        scope = evolve(names, services=part.scope.services)
        for selection in part.node.selections:
            offered |= {tool.name: tool for tool in _selected(selection, scope)}
    if not parts.of(tree.Tools):
        task = parts.task.name
        parts.sink.append(report("E236", task.span, name=task.text, missing="tools"))
    return tuple(offered.values())


def _selected(selection: tree.ToolSelection, names: Names) -> list[typed.ToolDef]:
    service = names.services.get(selection.path.names[0].text)
    if service is not None and len(selection.path.names) == 1 and not selection.names:
        return list(service.tools.values())
    ends = [(*selection.path.names, name) for name in selection.names] or [selection.path.names]
    paths = [tree.Path(end, span=end[-1].span if selection.names else selection.path.span) for end in ends]
    found = (find_tool(path, names) for path in paths)
    return [tool for tool in found if tool is not None]


# ---------------------------------------------------------------------------- the rest


def _given(parts: _Parts, names: Names, values: Values, rows: Iterable[typed.RowDef]) -> tuple[typed.GivenDef, ...]:
    places = {row.id: row for row in rows}
    given = []
    for part in parts.of(tree.Given):
        before = len(parts.sink)
        expr = infer(part.node.value, names.at(Stage.TRUTH).statement())
        if len(parts.sink) == before:
            value = evaluate_fixed(expr, names, values, places)
            given.append(typed.GivenDef(expr, value, span=part.node.span))
    return tuple(given)


def _limits(parts: _Parts, names: Names) -> dict[str, int]:
    limits: dict[str, int] = {}
    for part in parts.of(tree.Limit):
        unit = part.node.unit
        amount = constant(part.node.amount, names.at(Stage.CONSTANT), INT)
        if unit.text not in _UNITS:
            known = ", ".join(f"`{word}`" for word in _UNITS)
            help = did_you_mean(unit.text, _UNITS, f"a limit counts {known}")
            parts.sink.append(report("E239", unit.span, written=unit.text, help=help))
        elif amount is not None and amount < 1:
            parts.sink.append(report("E239", part.node.amount.span, written=str(amount)))
        elif unit.text in limits:
            parts.sink.append(report("E262", unit.span, kind="limit", name=unit.text))
        elif amount is not None:
            limits[unit.text] = amount
    return limits


def _allows(parts: _Parts) -> tuple[typed.AllowDef, ...]:
    warnings = [code for code, entry in CATALOGUE.items() if entry.severity is Severity.WARNING]
    allows = []
    for part in parts.of(tree.Allow):
        code = part.node.code
        if code.text not in warnings:
            help = "an error cannot be allowed" if code.text in CATALOGUE else did_you_mean(code.text, warnings)
            parts.sink.append(report("E250", code.span, code_=code.text, help=help))
        allows.append(typed.AllowDef(code.text, part.node.reason.value, span=part.node.span))
    return tuple(allows)


def _says(node: tree.Event) -> Iterable[tree.Say]:
    return (action for action in node.actions if isinstance(action, tree.Say))


def _check_texts(
    parts: _Parts,
    rows: tuple[typed.RowDef, ...],
    found: tuple[Brought, ...],
    names: Names,
    now: datetime,
    now_span: Span,
) -> None:
    """What the task's texts and dates say about days."""
    texts = [(part.node.text.span.text, part.node.text.span) for part in parts.of(tree.Request)]
    texts += [(part.node.sentence.span.text, part.node.sentence.span) for part in parts.of(tree.Policy)]
    texts += told_spans(part.node for part in parts.of(tree.User))
    texts += [(say.text.span.text, say.text.span) for part in parts.of(tree.Event) for say in _says(part.node)]
    docs = [field.doc for part in parts.of(tree.Deliver) for field in part.node.fields if field.doc]
    texts += [(doc.span.text, doc.span) for doc in docs]
    for row in rows:
        texts += [(row.fields[name], span) for name, span in row.spans.items() if isinstance(row.fields[name], str)]
    texts += [text for each in found for text in each.texts()]
    parts.sink.extend(check_weekdays(texts, now))
    parts.sink.extend(check_dates(rows, dict(names.records), dict(names.stores), now, now_span))
    parts.sink.extend(check_event_dates(found, names.records, names.stores))
    parts.sink.extend(check_addresses((*rows, *(each.row for each in found)), names.records, names.stores))
