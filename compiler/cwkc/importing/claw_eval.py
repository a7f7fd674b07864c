"""From a task of Claw-Eval, a folder with `task.yaml` and `fixtures`, to a task of the language.

Tools become those of the standard services when every tool that the task names of a service is there, and else a
service of the same name with the same tools, so that the agent meets the names it would meet there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cwkc.diagnostics import Diagnostic, report
from cwkc.importing.documents import Node, open_document
from cwkc.importing.files import Imported, imported
from cwkc.importing.grading import left, rules
from cwkc.importing.offers import Offer, offers_of
from cwkc.importing.records import written
from cwkc.importing.tables import tables_of
from cwkc.importing.values import written_moment
from cwkc.importing.wording import NO_VALUES, Todo, one_line, quoted, snake
from cwkc.planning.words import known_words
from cwkc.source import Span

NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)
"""The moment of a task whose records tell none."""

Fixture = tuple[Path, Node]


def import_claw_eval(folder: Path) -> tuple[Imported | None, tuple[Diagnostic, ...]]:
    """A file with the task of a folder; None, and the reason, when there is none."""
    root, found = open_document(folder / "task.yaml")
    if root is None:
        return None, found
    for key in (("task_id",), ("prompt", "text")):
        if not root.said(*key).strip():
            what, wanted = f"a document without `{'.'.join(key)}`", "a task of Claw-Eval"
            return None, (report("E602", Span(root.span.source, 0, 0), what=what, wanted=wanted),)
    fixtures: list[Fixture] = []
    for path in sorted((folder / "fixtures").glob("*/*.json")):
        node, found = open_document(path)
        if node is None:
            return None, found
        fixtures.append((path, node))
    return _task(root, fixtures, folder), ()


def _task(root: Node, fixtures: Sequence[Fixture], folder: Path) -> Imported:
    offers, of_tools = offers_of(root)
    services, tables, of_data = tables_of(root, offers, fixtures)
    known = {table.record: table.ids for table in tables}
    data = [written(table, known) for table in tables]
    forbidden, of_rules = rules(root, offers)
    now, of_now = _now(root, [moment for each in data for moment in each.moments])
    of_grading = (*of_rules, *left(root, offers, folder, [path for path, _ in fixtures]))
    name = snake(root.said("task_id")) or "task"
    above = [of_now, *_of_zones([place for each in data for place in each.zoned]), *of_tools, *of_data]
    parts = ["cwk 1", _uses(offers, [table.store for table in tables]), *_enums(root), *map(str, services)]
    parts += [f"task {name} {quoted(one_line(root.said('task_name')) or name)} {{", _meta(root), now]
    parts += [_comments(above), *_told(root, offers), *(each.text for each in data), _user(root)]
    parts += ["\n".join(forbidden), _comments(of_grading), "}"]
    todos = [todo for service in services for todo in service.all_todos]
    todos += [*above, *(todo for each in data for todo in each.todos), *of_grading]
    return imported(name, "\n\n".join(filter(None, parts)) + "\n", todos)


# ---------------------------------------------------------------------------- the parts of the file


def _comments(todos: Sequence[Todo]) -> str:
    return "\n".join(todo.comment for todo in todos)


def _uses(offers: Sequence[Offer], stores: Sequence[str]) -> str:
    """The standard services whose tools or stores the task names."""
    named = dict.fromkeys([offer.service for offer in offers if offer.standard])
    own = {offer.service for offer in offers if offer.standard is None}
    named |= dict.fromkeys(store.partition(".")[0] for store in stores if store.partition(".")[0] not in own)
    return f"use {', '.join(sorted(named))}" if named else ""


def _enums(root: Node) -> Iterator[str]:
    """Words by which the task is counted and which the standard ones lack."""
    for key, enum in (("category", "Category"), ("difficulty", "Difficulty")):
        word = snake(root.said(key))
        if word and word not in known_words()[enum.lower()] and word not in NO_VALUES:
            yield f"enum {enum} {{ {word} }}"


def _meta(root: Node) -> str:
    words = {key: snake(root.said(key)) for key in ("category", "difficulty")}
    words["language"] = snake(root.said("prompt", "language"))
    return "\n".join(f"{key}: {word}" for key, word in words.items() if word and word not in NO_VALUES)


def _now(root: Node, moments: Sequence[datetime]) -> tuple[str, Todo]:
    """The task's moment: the full hour after the last of its records."""
    last = max(moments, default=None)
    time = NOW if last is None else last.replace(minute=0, second=0) + timedelta(hours=1)
    reason = "a task of Claw-Eval names no moment" + ("" if last is None else "; it is put behind the last record")
    place = root.keys["prompt"]
    return f"now: {written_moment(time)}", Todo(place, "now", reason, "see that the request agrees")


def _of_zones(places: Sequence[Span]) -> Iterator[Todo]:
    if places:
        reason = "agents are shown all times in UTC"
        yield Todo(places[0], places[0].text, reason, "see that the texts agree with that")


def _told(root: Node, offers: Sequence[Offer]) -> Iterator[str]:
    """What the agent is told, what it may call, and how often."""
    suffix = root.said("user_agent", "system_prompt_suffix") if _has_user(root) else ""
    told = "\n\n".join(filter(None, (root.said("prompt", "text").strip(), suffix.strip())))
    yield f"request {quoted(told)}"
    selected = [f"{offer.service}.{{{', '.join(offer.tools)}}}" for offer in offers]
    if selected:
        yield f"tools {', '.join(selected)}"
    limits = {"turns": root.said("environment", "max_turns"), "seconds": root.said("environment", "timeout_seconds")}
    said = [f"{number} {unit}" for unit, number in limits.items() if number.isdecimal() and int(number)]
    if said:
        yield f"limit {', '.join(said)}"


def _has_user(root: Node) -> bool:
    return root.holds("user_agent", "enabled")


def _user(root: Node) -> str:
    if not _has_user(root):
        return ""
    persona = root.said("user_agent", "persona").strip()
    rounds = root.said("user_agent", "max_rounds")
    patience = f"patience {rounds} turns" if rounds.isdecimal() and int(rounds) else ""
    return f"user {{ {f'persona {quoted(persona)}' if persona else ''}\n{patience} }}"
