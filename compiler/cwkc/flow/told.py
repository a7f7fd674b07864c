"""What an agent is told unasked: the request, the policies, and how its tools describe themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import field, frozen

from cwkc.meaning import typed
from cwkc.meaning.walk import statements, walk
from cwkc.source import Span


@frozen
class Told:
    """`kind` is `request`, `asset` (its name), `contract`, `policy` or `tool`; `span` is where the author wrote it."""

    kind: str
    text: str
    span: Span = field(eq=False, repr=False)


def told(task: typed.Task) -> Iterator[Told]:
    yield Told("request", task.request, task.request_span)
    for asset in task.assets:
        yield Told("asset", asset.name, asset.span)
    for deliverable in task.deliverables.values():
        if deliverable.path is not None:
            yield Told("contract", deliverable.path, deliverable.span)
        for promised in deliverable.fields:
            if promised.doc and promised.doc_span:
                yield Told("contract", promised.doc, promised.doc_span)
    for rule in (*task.requirements, *task.forbids):
        if not isinstance(rule, typed.FrameDef) and rule.policy:
            yield Told("policy", rule.policy, _sentence(rule.span))
    for tool in task.tools:
        if tool.doc:
            yield Told("tool", _without_examples(tool.doc), tool.span)
        for parameter in tool.parameters.values():
            if parameter.doc:
                yield Told("tool", _without_examples(parameter.doc), parameter.span)


def _without_examples(description: str) -> str:
    """`The day, like 2026-03-04`: an example of how a value is written tells nothing of the records."""
    return re.sub(r"\blike\s+\S+", "", description)


def _sentence(rule: Span) -> Span:
    """A policy's sentence stands between its keyword and its rule."""
    keywords = re.finditer(r'\bpolicy\s+(?=")', rule.source.text[: rule.start])
    return Span(rule.source, max((keyword.end() for keyword in keywords), default=0), rule.start)


def spoken(task: typed.Task) -> Iterator[str]:
    """What the user says in the course of a run: facts, and words of events."""
    if task.user:
        yield from (fact.words for fact in task.user.facts.values())
    for event in task.events.values():
        for part in (part for said in event.said for part in walk(said)):
            if isinstance(part, typed.Constant) and isinstance(part.value, str):
                yield part.value


def refusals(task: typed.Task) -> Iterator[str]:
    """What the tools say when they refuse a call."""
    for tool in task.tools:
        for statement in statements(tool.body):
            if isinstance(statement, typed.Fail):
                yield statement.message


def written(task: typed.Task) -> Iterator[str]:
    """The texts that the tools write by themselves: nobody needs to know them."""
    for tool in task.tools:
        for statement in statements(tool.body):
            for assignment in statement.assignments if isinstance(statement, typed.Insert | typed.Set) else ():
                for part in walk(assignment.value):
                    if isinstance(part, typed.Constant) and isinstance(part.value, str):
                        yield part.value
