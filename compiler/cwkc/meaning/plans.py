"""Plans: the slots that a generator is asked to fill, each with what its task is to be like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from attrs import field, frozen

from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.meaning import typed
from cwkc.meaning.declarations import report_duplicates
from cwkc.meaning.modules import Scope
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.vocabularies import StandardWords, check_planning_words
from cwkc.syntax import tree

MOST_DISTRACTORS = 200


@frozen(eq=False)
class _Reading:
    scope: Scope
    standard: StandardWords
    sink: list[Diagnostic] = field(factory=list)

    def refuse(self, node: tree.Expression, wanted: str) -> None:
        self.sink.append(report("E235", node.span, wanted=wanted))

    def known(self, dimension: str) -> tuple[str, ...]:
        own = self.scope.enums.get(dimension)
        return (*self.standard.planning[dimension], *(own.values if own else ()))


def check_plans(scope: Scope, standard: StandardWords) -> tuple[tuple[typed.PlanDef, ...], tuple[Diagnostic, ...]]:
    """The plans of a file."""
    reading = _Reading(scope, standard)
    plans = [item for item in scope.unit.module.items if isinstance(item, tree.Plan)]
    report_duplicates((plan.name for plan in plans), "plan", reading.sink)
    checked = tuple(_plan(plan, reading) for plan in plans)
    return checked, tuple(reading.sink)


def _plan(node: tree.Plan, reading: _Reading) -> typed.PlanDef:
    report_duplicates((slot.name for slot in node.slots), "slot", reading.sink)
    slots = tuple(_slot(slot, reading) for slot in node.slots)
    return typed.PlanDef(node.name.text, slots, span=node.name.span)


def _slot(node: tree.Slot, reading: _Reading) -> typed.SlotDef:
    written: dict[str, tree.Entry] = {}
    values: dict[str, Any] = {}
    for entry in node.fields.entries:
        key = entry.key
        if key.text not in _ENTRIES:
            help = did_you_mean(key.text, _ENTRIES)
            reading.sink.append(report("E298", key.span, name=key.text, help=help))
        elif key.text in written:
            first = Label(written[key.text].span, "first written here")
            reading.sink.append(report("E262", key.span, kind="entry", name=key.text, related=(first,)))
        elif entry.value is None:
            reading.sink.append(report("E235", entry.span, wanted=f"a value, as in `{key.text}: …`,"))
        else:
            written[key.text] = entry
            values[key.text] = _ENTRIES[key.text](entry.value, reading)
    return typed.SlotDef(node.name.text, **values, span=node.name.span)


# ---------------------------------------------------------------------------- the entries of a slot


def _services(node: tree.Expression, reading: _Reading) -> tuple[str, ...]:
    named = _listed(node, reading, "a list of services")
    for each in named:
        if each.text not in reading.scope.services:
            help = did_you_mean(each.text, reading.scope.services, "name it in a `use` at the head of the file")
            reading.sink.append(report("E203", each.span, name=each.text, help=help))
    known = reading.scope.services
    return tuple(known[each.text].name for each in named if each.text in known)


def _listed(node: tree.Expression, reading: _Reading, wanted: str) -> tuple[tree.Name, ...]:
    items: Iterable[tree.Expression] = node.items if isinstance(node, tree.ListDisplay) else ()
    named = tuple(item for item in items if isinstance(item, tree.Name))
    if not isinstance(node, tree.ListDisplay) or len(named) < len(node.items):
        reading.refuse(node, wanted)
    return named


def _capabilities(node: tree.Expression, reading: _Reading) -> tuple[str, ...]:
    named = _listed(node, reading, "a list of words")
    check_planning_words("Capability", named, reading.known("Capability"), reading.sink)
    return tuple(each.text for each in named)


def _word_of(dimension: str) -> Callable[[tree.Expression, _Reading], str | None]:
    def read(node: tree.Expression, reading: _Reading) -> str | None:
        if isinstance(node, tree.Answer):  # an agent's last word is a deliverable too
            node = tree.Name("answer", span=node.span)
        if not isinstance(node, tree.Name):
            reading.refuse(node, "one word")
            return None
        check_planning_words(dimension, (node,), reading.known(dimension), reading.sink)
        return node.text

    return read


def _language(node: tree.Expression, reading: _Reading) -> str | None:
    if isinstance(node, tree.Name):
        return node.text
    reading.refuse(node, "one word, like `en`,")
    return None


def _now(node: tree.Expression, reading: _Reading) -> date | None:
    if isinstance(node, tree.Moment):
        return node.value
    reading.refuse(node, "a date, or a time with its zone,")
    return None


def _distractors(node: tree.Expression, reading: _Reading) -> int | None:
    value = node.value if isinstance(node, tree.Number) else None
    if isinstance(value, int) and 0 <= value <= MOST_DISTRACTORS:
        return value
    reading.refuse(node, f"a whole number from 0 to {MOST_DISTRACTORS}")
    return None


def _scenario(node: tree.Expression, reading: _Reading) -> str | None:
    if isinstance(node, tree.Text):
        return node.value
    if isinstance(node, tree.Name):
        return _word_of("Scenario")(node, reading)
    reading.refuse(node, "one word, or a text,")
    return None


_ENTRIES: Mapping[str, Callable[[tree.Expression, _Reading], Any]] = {
    "services": _services,
    "category": _word_of("Category"),
    "difficulty": _word_of("Difficulty"),
    "language": _language,
    "now": _now,
    "capabilities": _capabilities,
    "distractors": _distractors,
    "scenario": _scenario,
    "deliverable": _word_of("Deliverable"),
    "persona": _word_of("Persona"),
    "safety": _word_of("Safety"),
}
