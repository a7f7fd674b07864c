"""A language model as a judge: the prompt that it reads, and its verdict read from what it answers.

Evidence is data that others wrote, and some of them would like a better score. Each piece stands between lines with a
boundary that is a digest of the whole: a text cannot hold the digest of what it is part of, so that nobody can close a
piece from within.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from attrs import frozen

from coworkdsl import Evidence, JudgeError, JudgeRequest, Verdict
from coworkdsl.conversation import json_text
from cwkc.models.protocol import Message, Model, ModelError

PROMPT = Path(__file__).with_name("prompts") / "judge-1.md"
"""The version is in the name: verdicts of one version are not compared with those of another."""

MOST_TOKENS = 2048

_PLACES = 32


class Prompt(NamedTuple):
    system: str
    evidence: str
    boundary: str


@frozen
class ModelJudge:
    """Asks a model. Calling it raises JudgeError when the model fails, or answers with what is no verdict."""

    model: Model

    def __call__(self, request: JudgeRequest) -> Verdict:
        prompt = prompt_of(request)
        try:
            answer = self.model.complete(prompt.system, (Message("user", prompt.evidence),), MOST_TOKENS)
        except ModelError as error:
            raise JudgeError(f"the judge gave no answer: {error}") from error
        return read_verdict(answer.text)


# ---------------------------------------------------------------------------- asking


def prompt_of(request: JudgeRequest) -> Prompt:
    pieces = tuple(_pieces(request.evidence))
    boundary = sha256(json.dumps([request.rubric, pieces]).encode()).hexdigest()[:_PLACES]
    system = PROMPT.read_text(encoding="utf-8").replace("{boundary}", boundary).replace("{rubric}", request.rubric)
    evidence = "\n\n".join(_fenced(name, text, boundary) for name, text in pieces)
    return Prompt(system, evidence.encode("utf-8", "replace").decode(), boundary)


def _pieces(evidence: Evidence) -> Iterator[tuple[str, str | None]]:
    """Name and text of each piece; None where it is missing."""
    yield "the assistant's last message", evidence.answer
    for name, text in evidence.deliverables.items():
        yield f"what was to be delivered as `{name}`", text
    for store, records in evidence.records.items():
        yield f"the records that the assistant made in `{store}`", _lines(records)
    yield "the conversation", _lines(evidence.messages)


def _lines(documents: Iterable[Any]) -> str:
    return "\n".join(map(json_text, documents))


def _fenced(name: str, text: str | None, boundary: str) -> str:
    if text is None:
        return f"BEGIN {boundary} {name}: missing\nEND {boundary}"
    return f"BEGIN {boundary} {name}\n{text}\nEND {boundary}"


# ---------------------------------------------------------------------------- reading


def read_verdict(answer: str) -> Verdict:
    """The verdict in a model's answer: a JSON object, whatever stands around it. Raises JudgeError."""
    try:
        found = json.loads(
            answer[answer.find("{") : answer.rfind("}") + 1],
            parse_float=_exact,
            parse_constant=_refuse,
        )
    except (ValueError, RecursionError) as error:
        raise JudgeError(f"the judge's answer is no verdict: {answer!r:.200}") from error
    match found:
        case {"score": Fraction() | int() as score, "reason": str() as reason} if not isinstance(score, bool):
            return Verdict(Fraction(score), reason)
    raise JudgeError(f"the judge's answer has no `reason` with a `score`: {answer!r:.200}")


def _exact(number: str) -> Fraction:
    """Raises ValueError for one that is out of all range."""
    return Fraction(repr(float(number)))


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")
