"""How a task of Claw-Eval is graded: what may not be called is taken over, and all else is listed as left to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cwkc.importing.documents import Node
from cwkc.importing.offers import Offer, qualified
from cwkc.importing.values import literal
from cwkc.importing.wording import Names, Todo, one_line, quoted
from cwkc.meaning.types import TEXT
from cwkc.source import Span
from cwkc.syntax.reader import read

FORBIDDEN = ("tool_not_called", "tool_not_called_with")
PROSE = {
    "judge_rubric": ("a rubric is read by a model", "say what can be compared as checks, and the rest with `judge`"),
    "reference_solution": ("it is told in prose", "see that the checks hold for it"),
    "expected_actions": ("it names what the services' logs must have", "write a `check` for each"),
}
LISTS = {
    "sandbox_files": "files of the sandbox are no records",
    "sandbox_grader_files": "the sandbox runs them to grade",
    "env_snapshot_commands": "the sandbox runs them to grade",
    "env_snapshot_files": "the sandbox keeps them to grade",
    "local_grader_files": "its grader reads them",
}
AS_FILES = "declare what the task needs of it with `asset` or as records of `files`"


def rules(root: Node, offers: tuple[Offer, ...]) -> tuple[list[str], list[Todo]]:
    """A `forbid` for each call that the task forbids, and the rules that are told in prose."""
    tools = qualified(offers)
    labels, lines, todos = Names(), [], []
    for check in root.listed("safety_checks"):
        tool = tools.get(check.said("tool_name"), "")
        condition = _condition(check, tool) if tool and check.said("type") in FORBIDDEN else ""
        label = one_line(check.said("description")) or f"calls {tool or check.said('tool_name')}"
        if condition:
            lines.append(f"forbid {quoted(labels.fresh(label, label))} {condition}")
        elif check.said("tool_name") and not tool:
            reason = f"the task does not offer the tool `{check.said('tool_name')}`"
            todos.append(Todo(check.span, label, reason, "nothing need forbid it"))
        else:
            reason = f"a rule of the kind `{check.said('type')}` is told in prose"
            todos.append(Todo(check.span, label, reason, "write it as `forbid`"))
    return lines, todos


def _condition(check: Node, tool: str) -> str:
    """The call that is forbidden; empty when its argument cannot be written."""
    if check.said("type") == "tool_not_called":
        return f"tried {tool}"
    value = check.at("value")
    written = None if value is None else literal(value, TEXT)
    return f"tried {tool}({check.said('field')}: {written})" if written and check.said("field") else ""


def left(root: Node, offers: tuple[Offer, ...], folder: Path, fixtures: Sequence[Path]) -> Iterator[Todo]:
    """What of a task's grading, and of its sandbox, is left to do; `fixtures` are the files that were read."""
    tools = qualified(offers)
    for component in root.listed("scoring_components"):
        yield _component(component, tools)
    for key, (reason, help) in PROSE.items():
        node = root.at(key)
        if node is not None and (node.text or node.items):
            yield Todo(root.keys[key], key, reason, help)
    known = {path.relative_to(folder).as_posix() for path in fixtures}
    for key, reason in LISTS.items():
        if any(each.text not in known for each in root.listed(key)):
            yield Todo(root.keys[key], key, reason, AS_FILES if key == "sandbox_files" else "grade by the records")
    if root.listed("prompt", "attachments"):
        yield Todo(root.mapped("prompt")["attachments"].span, "attachments", "files are no part of a request", AS_FILES)
    grader = folder / "grader.py"
    if grader.exists():
        source, _ = read(grader, grader.as_posix())
        if source is not None:
            yield Todo(Span(source, 0, 0), grader.name, "it is a program", "say as checks what it looks for")


def _component(component: Node, tools: Mapping[str, str]) -> Todo:
    name, check = component.said("name"), component.at("check") or component
    kind = check.said("type")
    tool = tools.get(check.said("tool_name"))
    least = check.said("min_calls") or "1"
    words = [literal(each, TEXT) or "" for each in check.listed("keywords")]
    head = f"{component.said('weight') or 'W'} {quoted(name)}"
    if kind == "tool_called" and tool:
        help = f"perhaps `check {head} count(called {tool}) >= {least}`"
    elif kind == "keywords_present" and words:
        help = f"perhaps `check {head} answer mentions all of [{', '.join(words)}]`"
    elif kind == "llm_judge":
        help = f"perhaps `judge {head}` with its rubric"
    else:
        help = f"write `check {head}` with what it looks for"
    return Todo(component.span, name or "a component", f"a weight for `{kind}` does not say what counts as done", help)
