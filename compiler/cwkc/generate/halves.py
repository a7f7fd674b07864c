"""A task and its grading: taken apart, for whoever sees only one of the two, and put together again.

The task keeps the truths that it needs itself: a contract, an event, a policy or `distract` may read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import attrs

from cwkc.source import Source, Span
from cwkc.syntax import tree
from cwkc.syntax.comments import COMMENT, leaves, start
from cwkc.syntax.formatter import format_text
from cwkc.syntax.parser import concrete, parse

GRADING = (tree.Check, tree.Judge, tree.Require, tree.Forbid, tree.Always, tree.OnlyChanges, tree.Reward)


class Halves(NamedTuple):
    """Two files: one with the task and all that it uses, one with its `grade`."""

    task: str
    grade: str


def split(text: str) -> Halves:
    """The halves of a file without errors, which has one task; comments are left out. Raises ValueError where it has
    none, or several."""
    source = Source("task.cwk", without_comments(text))
    module, _ = parse(source)
    (task,) = (item for item in module.items if isinstance(item, tree.Task))
    apart = [item for item in module.items if isinstance(item, tree.Grade)]
    needed = truths_needed(task)
    moved = [item for item in task.items if isinstance(item, GRADING) or _is_idle(item, needed)]
    statements = [item.span.text for item in (*moved, *(each for grade in apart for each in grade.items))]
    rest = _without(source.text, [item.span for item in (*moved, *apart)])
    body = "\n".join(statements)
    return Halves(laid_out(rest), laid_out(f"cwk 1\n\ngrade {task.name.text} {{\n{body}\n}}\n"))


def joined(task: str, grade: str) -> str:
    """One file of the two. What stands in the file of the `grade` beside it is left out, and what stays keeps its
    columns; its lines begin behind those of the task's file."""
    source = Source("grade.cwk", grade)
    spans = [item.span for item in parse(source)[0].items if isinstance(item, tree.Grade)]
    kept = "".join(_kept(grade, spans))
    return f"{task.rstrip()}\n{kept.rstrip()}\n"


def lines_of(task: str) -> int:
    """How many lines of a joined file come from the task's."""
    return task.rstrip().count("\n") + 1


def without_comments(text: str) -> str:
    """The text of a file that can be read in one go, without its comments; any other as it is."""
    whole = concrete(Source("task.cwk", text))
    if whole is None:
        return text
    parts, end = [], 0
    for word in leaves(whole):
        parts += [COMMENT.sub("", text[end : start(word)]), str(word)]
        end = start(word) + len(word)
    return "".join((*parts, COMMENT.sub("", text[end:])))


def laid_out(text: str) -> str:
    """The text as `cwkc fmt` has it; one that it leaves alone, as it is."""
    return format_text(Source("task.cwk", text))[0] or text


def truths_needed(task: tree.Task) -> frozenset[str]:
    """The names of the truths that a task needs without its grading."""
    truths = {item.name.text: item for item in task.items if isinstance(item, tree.TruthLet)}
    waiting: list[tree.Node] = [item for item in task.items if not isinstance(item, (tree.TruthLet, *GRADING))]
    needed: set[str] = set()
    while waiting:
        found = {name for name in _names(waiting.pop()) if name in truths} - needed
        needed |= found
        waiting += [truths[name] for name in found]
    return frozenset(needed)


def _is_idle(item: tree.Node, needed: frozenset[str]) -> bool:
    return isinstance(item, tree.TruthLet) and item.name.text not in needed


def _names(node: Any) -> Iterator[str]:
    """Every word in a part of a tree that may name a truth."""
    if isinstance(node, tree.Name | tree.Identifier):
        yield node.text
    elif isinstance(node, tree.Node):
        for field in attrs.fields(type(node)):
            yield from _names(getattr(node, field.name))
    elif isinstance(node, tuple):
        for each in node:
            yield from _names(each)


def _without(text: str, spans: Iterable[Span]) -> str:
    for span in sorted(spans, key=lambda each: -each.start):
        text = text[: span.start] + text[span.end :]
    return text


def _kept(text: str, spans: Iterable[Span]) -> Iterator[str]:
    """The text, with a blank in the place of every character outside of the spans that does not end a line."""
    end = 0
    for span in (*spans, None):
        begin = span.start if span else len(text)
        yield "".join(each if each == "\n" else " " for each in text[end:begin])
        if span:
            yield span.text
            end = span.end
