"""Judges: what is asked of them, the evidence that they read, and what became of each question.

A rubric is a question to a person or a model: how much of `weight` a run deserves. A judge is whatever answers it when
it is called with a request. A rubric that no judge answered is *unscored*: it adds something between nothing and its
weight, and nobody knows what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from coworkdsl.run import Run

NOT_ASKED = "no judge was asked"

_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Rubric:
    """Adds the share of `weight` that a judge gives. `place`: `task.cwk:12`."""

    label: str
    weight: Fraction
    text: str
    place: str


class Evidence(NamedTuple):
    """What a run leaves for a judge to read.

    `answer`: the agent's last message, None when it never spoke. `messages`: the conversation, in the form of chat
    templates. `deliverables`: by name the text of what was to be delivered, None where it is missing. `records`: by
    store the records that the agent inserted and that are still there, as JSON objects.
    """

    answer: str | None
    messages: Sequence[Mapping[str, Any]]
    deliverables: Mapping[str, str | None]
    records: Mapping[str, Sequence[Mapping[str, Any]]]


class JudgeRequest(NamedTuple):
    """One question to a judge. `task` is the task's id; `label` tells the rubrics of a task apart."""

    task: str
    label: str
    rubric: str
    evidence: Evidence


class Verdict(NamedTuple):
    """`score`: from 0 to 1, the share of the rubric's weight that the run earns."""

    score: Fraction
    reason: str


class JudgeError(Exception):
    """A judge has no verdict; the message says why."""


class Judge(Protocol):
    """Anything that answers a request. Raises JudgeError where it cannot."""

    def __call__(self, request: JudgeRequest, /) -> Verdict: ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a rubric. `score` is None where it is unscored, and `reason` then says why."""

    rubric: Rubric
    score: Fraction | None
    reason: str

    @property
    def earned(self) -> Fraction | None:
        """What it adds to completion; None where nobody knows."""
        return None if self.score is None else self.rubric.weight * self.score

    @property
    def least(self) -> Fraction:
        """What it adds to completion at the least."""
        return _ZERO if self.score is None else self.rubric.weight * self.score

    @property
    def most(self) -> Fraction:
        """What it adds to completion at the most."""
        return self.rubric.weight if self.score is None else self.rubric.weight * self.score

    def to_json(self) -> dict[str, Any]:
        return {
            "label": self.rubric.label,
            "weight": float(self.rubric.weight),
            "score": None if self.score is None else float(self.score),
            "earned": None if self.earned is None else float(self.earned),
            "reason": self.reason,
            "place": self.rubric.place,
        }


Deliverables = Mapping[str, Callable[[Run], Any]]
"""By name of a contract: what reads the text that was delivered."""


def evidence_of(run: Run, messages: Sequence[Mapping[str, Any]], deliverables: Deliverables) -> Evidence:
    texts = {name: read(run) for name, read in deliverables.items()}
    return Evidence(run.answer, messages, texts, _inserted(run))


def _inserted(run: Run) -> dict[str, list[Mapping[str, Any]]]:
    """The records that the agent made, by store, as they are at the end."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for write in run.writes:
        is_made = write.kind == "insert" and not write.event
        record = run.final.get(write.store, write.id) if is_made else None
        if record is not None:
            key = run.final.layout.stores[write.store].key
            found.setdefault(write.store, []).append(record.shown(key, write.id, None))
    return found


def unasked(rubrics: Iterable[Rubric]) -> tuple[Judgement, ...]:
    return tuple(Judgement(rubric, None, NOT_ASKED) for rubric in rubrics)


def judged(judge: Judge, rubrics: Iterable[Rubric], task: str, evidence: Evidence) -> tuple[Judgement, ...]:
    """Asks for each rubric. A judge that fails, or whose score does not lie between 0 and 1, leaves it unscored."""
    return tuple(_judged(judge, rubric, JudgeRequest(task, rubric.label, rubric.text, evidence)) for rubric in rubrics)


def _judged(judge: Judge, rubric: Rubric, request: JudgeRequest) -> Judgement:
    try:
        score, reason = judge(request)
    except JudgeError as error:
        return Judgement(rubric, None, str(error))
    if not _ZERO <= score <= _ONE:
        return Judgement(rubric, None, f"the judge's score is {score!s:.40}, which does not lie between 0 and 1")
    return Judgement(rubric, Fraction(score), reason)
