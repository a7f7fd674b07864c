"""What a model answered, read: a file, or a run."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from cwkc.generate.faults import Fault, fault
from cwkc.generate.halves import laid_out, without_comments
from cwkc.generate.owners import Owner
from cwkc.models import Completion

_FENCE = re.compile(r"^[ \t]*```[^\n]*\n(.*?)(?:^[ \t]*```|\Z)", re.M | re.S)
_VERSION = re.compile(r"^cwk\b", re.M)


def read_file(completion: Completion, owner: Owner) -> str | Fault:
    """The file in an answer: in its last fence that holds one, else from its version on; why there is none. It is laid
    out, and its comments are left out: they are the author's reasoning."""
    if completion.refused:
        return fault(owner, "refused", "the model refused to answer", "answer with the file")
    fences = [text for text in _FENCE.findall(completion.text) if _VERSION.search(text)]
    text = fences[-1] if fences else completion.text
    begin = _VERSION.search(text)
    if begin is None:
        help = "answer with the whole file in one fence, beginning with `cwk 1`"
        return fault(owner, "no-file", "the answer holds no file", help)
    return laid_out(without_comments(text[begin.start() :]))


class Attempt(NamedTuple):
    """A run that was decided on beforehand: tools with their arguments, and the last message."""

    calls: tuple[tuple[str, Any], ...]
    answer: str


def read_attempt(text: str) -> Attempt | None:
    """The run in an attacker's answer: a JSON object, whatever stands around it; None where there is none."""
    try:
        document = json.loads(text[text.find("{") : text.rfind("}") + 1])
    except (ValueError, RecursionError):
        return None
    match document:
        case {"calls": [*calls], "answer": str() as answer}:
            named = [(each.get("tool"), each.get("arguments", {})) for each in calls if isinstance(each, dict)]
            return Attempt(tuple((tool, arguments) for tool, arguments in named if isinstance(tool, str)), answer)
    return None
