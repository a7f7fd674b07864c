"""reachable: every value that a full score needs can be learned.

An agent is followed that calls the tools with all that it knows, before events and after them. It knows what it is
told, by the user too; what the tools show; and what it can compute from either. So a value that it never comes by is
one that no agent can.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coworkdsl.values import in_words
from coworkdsl.world import Base
from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.flow.derivation import Derivation, Missing, distinct
from cwkc.flow.exploration import Exploration, shown_by
from cwkc.flow.knowledge import Knowledge, initial_knowledge
from cwkc.flow.needs import Demanded, Rule, needs
from cwkc.flow.reads import places
from cwkc.flow.words import written
from cwkc.meaning import typed
from cwkc.meaning.events import states
from cwkc.meaning.types import TEXT
from cwkc.prove.theorems import Established, Theorem


def reachable(task: typed.Task, demanded: Demanded) -> Established:
    knowledge = initial_knowledge(task)
    calls, is_cut_off, open = 0, False, demanded
    missing: list[tuple[Rule, Missing]] = []
    for base in _states(task, knowledge):
        exploration = Exploration(task, knowledge, base)
        for _ in exploration.stages():
            missing, open = _missing(task, knowledge, open)
            if not missing:
                break
        calls, is_cut_off = calls + exploration.calls, is_cut_off or exploration.is_cut_off
        if not missing:
            break
    diagnostics = () if is_cut_off else tuple(_reports(task, knowledge, missing))
    evidence = {
        "values": sum(1 for _, demand in demanded for _ in needs(demand)),
        "calls": calls,
        "fields shown": len(knowledge.shown),
    }
    verdict = "false" if diagnostics else "not proved" if missing else "executed"
    return Established(Theorem("reachable", verdict, STATEMENT, evidence), diagnostics)


STATEMENT = "every value that a full score needs can be learned from the request, the user or what the tools show"


def _states(task: typed.Task, knowledge: Knowledge) -> Iterator[Base]:
    """The initial state, and those behind events: what they have changed can be shown anew."""
    before: Base | None = None
    for base in states(task):
        if before is not None:
            views = before.view(), base.view()
            changed = [key for key in knowledge.shown if len({repr(view.field(*key)) for view in views}) > 1]
            knowledge.outdate(changed)
        before = base
        yield base


def _missing(task: typed.Task, knowledge: Knowledge, demanded: Demanded) -> tuple[list[tuple[Rule, Missing]], Demanded]:
    """What is missing, and the demands that miss something: what could be learned once stays learned."""
    derivation = Derivation(task, knowledge)
    found = [(rule, demand, derivation.of(demand)) for rule, demand in demanded]
    missing = [(rule, each) for rule, _, lacks in found for each in lacks or ()]
    return missing, tuple((rule, demand) for rule, demand, lacks in found if lacks)


# ---------------------------------------------------------------------------- what is said


def _reports(task: typed.Task, knowledge: Knowledge, found: Sequence[tuple[Rule, Missing]]) -> Iterator[Diagnostic]:
    """One for all that is missing of one rule in one way."""
    rules = {missing: rule for rule, missing in found}
    groups: dict[tuple[Any, ...], list[Missing]] = {}
    for missing in distinct(rules):
        span = rules[missing].span
        groups.setdefault((span.source.name, span.start, _way(missing)), []).append(missing)
    for group in groups.values():
        first = group[0]
        words: dict[str, Any] = {"label": rules[first].label, "what": _what(group)}
        help = f"{_known(task, knowledge, first)}: {_mend(first)}"
        yield report("E410", first.expr.span, help=help, related=tuple(_places(task, group)), **words)


def _way(missing: Missing) -> tuple[Any, ...]:
    """What is missing, whatever the record: a text, ids, fields, or how to choose."""
    if missing.read is None:
        return ("text", missing.value)
    if missing.chosen is not None:
        return ("choice", _named(missing.chosen))
    return ("id" if missing.read.name is None else "field", missing.read.record)


def _what(group: Sequence[Missing]) -> str:
    reads = [missing.read for missing in group if missing.read is not None]
    if not reads:
        return f"`{_short(group[0].value)}`"
    ids = list(dict.fromkeys(read.id for read in reads))
    records = listed([f"@{id}" for id in ids])
    if reads[0].name is None:
        return f"the {'id' if len(ids) == 1 else 'ids'} {listed(ids)}"
    fields = listed(list(dict.fromkeys(str(read.name) for read in reads)))
    if group[0].chosen is not None:
        return f"to know `{_named(group[0].chosen)}`, chosen by {fields} of {records}"
    value = f"`{_short(reads[0].value)}`, " if len(ids) == 1 else ""
    return f"{value}the {fields} of {records}"


def _named(expr: typed.Expr) -> str:
    return expr.name if isinstance(expr, typed.Truth) else _short(expr.span.text)


def _short(value: Any) -> str:
    text = " ".join(in_words(value).split())
    return text if len(text) <= 60 else text[:59] + "…"


def listed(names: Sequence[str], most: int = 6) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:most])
    return shown if len(names) <= most else f"{shown}, …"


def _places(task: typed.Task, group: Sequence[Missing]) -> Iterator[Label]:
    """The truth that leads to what is missing, and where that stands in the records."""
    expr = group[0].expr
    if isinstance(expr, typed.Truth):
        yield Label(task.truths[expr.name].span, "defined here")
    for read in (missing.read for missing in group if missing.read is not None):
        yield from (Label(span, "stands here") for span in places(task, read))


# ---------------------------------------------------------------------------- what an agent can know


def _known(task: typed.Task, knowledge: Knowledge, missing: Missing) -> str:
    """The last thing that an agent can know on the way to a missing value."""
    read = missing.read
    if read is None:
        return "neither the request nor any output that an agent can get has it"
    shown = _fields_shown(knowledge, read.record, read.id)
    able = [tool.wire_name for tool in task.tools if _would_show(task, tool, read.record, read.name)]
    if shown:
        lasts = "; ".join(f"`{tool}` shows {listed(names)}" for tool, names in shown.items())
        ways = f"only {listed(able)} would show `{read.name}`" if able else f"no offered tool shows `{read.name}`"
        return f"of `@{read.id}` {lasts}, and {ways}"
    ids = {row.id for row in task.rows}
    others = dict.fromkeys(id for record, id, _ in knowledge.shown if record == read.record and id in ids)
    seen = f", only {listed(list(others))}" if others else ""
    ways = f"{listed(able)} would, if the agent knew what to call it with" if able else "no offered tool would"
    return f"no call that an agent can make shows `@{read.id}`{seen}, and {ways}"


def _mend(missing: Missing) -> str:
    if missing.read is None:
        value = written(missing.value, missing.expr.type if isinstance(missing.expr, typed.Constant) else TEXT)
        return f"state it in either, or, if the request says it in other words, add `given {value}`"
    return "offer a tool that shows it, or state it in the request and say so with `given`"


def _fields_shown(knowledge: Knowledge, record: str, id: str) -> Mapping[str, list[str]]:
    """The fields of a record that tools showed, by tool."""
    shown: dict[str, list[str]] = {}
    for (other, seen, name), tool in knowledge.shown.items():
        if (other, seen) == (record, id):
            shown.setdefault(tool, []).append(name)
    return shown


def _would_show(task: typed.Task, tool: typed.ToolDef, record: str, name: str | None) -> bool:
    """Whether a tool that changes nothing returns such records, with that field."""
    kind = shown_by(tool)
    if kind is None or kind[0] != record or not tool.reads_only:
        return False
    return name is None or name in (task.records[record].fields if kind[1] is None else kind[1])
