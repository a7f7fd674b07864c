"""All that a page says of one task."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from copy import copy
from typing import Any

from attrs import frozen

from coworkdsl import Attachment, Pack, PackError, Task
from coworkdsl.faults import Fault
from coworkdsl.values import datetime_text
from cwkc.view.grading import Grading, grading
from cwkc.view.proofs import Proof, proof_of
from cwkc.view.runs import Agent, RunView, played
from cwkc.view.script import Scripted, scripted
from cwkc.view.tools import Tool, tools_by_service
from cwkc.view.words import number
from cwkc.view.world import Table, tables

_PICTURES = {"image/gif", "image/jpeg", "image/png", "image/webp"}
"""The media types that are shown in a page: those that can hold no script."""


@frozen
class File:
    """An attachment. `picture`: the `data:` address of one that can be looked at, else None."""

    name: str
    media_type: str
    bytes: int
    picture: str | None


@frozen
class Head:
    """What the index of the pack says of a task."""

    id: str
    title: str
    category: str | None
    scenario: str | None
    difficulty: str | None
    language: str | None
    capabilities: tuple[str, ...]

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Head:
        return cls(
            id=entry["id"],
            title=entry.get("title") or entry["id"],
            category=entry.get("category"),
            scenario=entry.get("scenario"),
            difficulty=entry.get("difficulty"),
            language=entry.get("language"),
            capabilities=tuple(entry.get("capabilities", ())),
        )


@frozen
class TaskView:
    """`witness`: None where the proof has none."""

    head: Head
    request: str
    now: str
    limits: Mapping[str, int]
    attachments: tuple[File, ...]
    world: tuple[Table, ...]
    script: Scripted | None
    tools: Mapping[str, tuple[Tool, ...]]
    faults: tuple[tuple[str, str], ...]
    grading: Grading
    proof: Proof
    witness: RunView | None


def fresh(pack: Pack, id: str) -> Task:
    """The task, as the caller's own: what it reads is kept with it, and a pack would keep that of all of its tasks.

    Raises PackError.
    """
    return copy(pack.task(id))


def task_view(task: Task, head: Head, witness: Agent) -> TaskView:
    """Raises PackError."""
    try:
        proof = proof_of(task.proof)
        world = tuple(tables(task))
    except (AttributeError, KeyError, TypeError) as damage:
        raise PackError(f"the proof of `{task.id}` is damaged: {damage!r}") from damage
    rules = grading(task)
    return TaskView(
        head=head,
        request=task.request,
        now=datetime_text(task.base.view().now),
        limits=task.limits,
        attachments=tuple(map(_file, task.attachments)),
        world=world,
        script=scripted(task),
        tools=tools_by_service(task),
        faults=tuple((fault.tool, _fault(fault)) for fault in task.faults),
        grading=rules,
        proof=proof,
        witness=None if task.proof["witness"] is None else played(task, witness, rules),
    )


def _file(attachment: Attachment) -> File:
    name, media_type, data, _ = attachment
    is_picture = media_type in _PICTURES
    picture = f"data:{media_type};base64,{b64encode(data).decode()}" if is_picture else None
    return File(name, media_type, len(data), picture)


def _fault(fault: Fault) -> str:
    """`unavailable on call 1`"""
    return f"{fault.kind} " + (f"at a rate of {number(fault.rate)}" if fault.rate else f"on call {fault.call}")
