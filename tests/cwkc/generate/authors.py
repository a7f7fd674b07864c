"""A writer, a verifier and an attacker with a script each, who answer over loopback in the place of a model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from cwkc.generate.halves import Halves, split
from tests.cwkc.models.server import BUSY, CUT, Answer, Failure

ROOT = Path(__file__).parents[3]
ROLES = {"You write tasks": "writer", "You write the gradings": "verifier", "You look for holes": "attacker"}
READ, WRITTEN, CACHED = 1000, 100, 400
"""Tokens of every answer."""

Script = Mapping[tuple[str, str], Sequence[Answer]]
"""By role and slot, what is answered in turn; the last one for good."""


class Authors:
    """`asked`: role, slot and the last message of each request, in order."""

    def __init__(self, script: Script) -> None:
        self.script = {key: list(answers) for key, answers in script.items()}
        self.asked: list[tuple[str, str, str]] = []
        self._lock = Lock()

    def __call__(self, document: dict[str, Any]) -> Answer:
        role, slot, last = addressed(document)
        with self._lock:
            self.asked.append((role, slot, last))
            answers = self.script[role, slot]
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
        return answer if isinstance(answer, bytes | Failure) or answer in (CUT, BUSY) else said(answer, document)


def addressed(document: dict[str, Any]) -> tuple[str, str, str]:
    """The role and the slot of a request, and its last message."""
    system, messages = document.get("system"), document["messages"]
    if system is None:
        system, messages = messages[0]["content"], messages[1:]
    text = system if isinstance(system, str) else system[0]["text"]
    role = next(role for words, role in ROLES.items() if text.startswith(words))
    first = messages[0]["content"]
    found = re.search(r'<slot>\n\{"name": "(\w+)"|<task>\n```cwk\n.*?\ntask (\w+)', first, re.S)
    slot = (found[1] or found[2]) if found else ""
    return role, slot, messages[-1]["content"]


def said(text: str, document: dict[str, Any]) -> bytes:
    """A body that says so, with the count of its tokens, in the protocol of the request."""
    if "system" in document:
        usage = {
            "input_tokens": READ - CACHED,
            "cache_read_input_tokens": CACHED,
            "output_tokens": WRITTEN,
        }
        content = [{"type": "text", "text": text}]
        return json.dumps({"content": content, "stop_reason": "end_turn", "usage": usage}).encode()
    counts = {"prompt_tokens": READ, "completion_tokens": WRITTEN, "prompt_tokens_details": {"cached_tokens": CACHED}}
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    return json.dumps({"choices": [choice], "usage": counts}).encode()


REFUSAL = json.dumps(
    {"content": [], "stop_reason": "refusal", "usage": {"input_tokens": READ, "output_tokens": 0}}
).encode()
GARBAGE = "I would rather write a poem."


def example(path: str) -> Halves:
    """The halves of an example."""
    return split((ROOT / "examples" / path).read_text(encoding="utf-8"))


def fence(file: str) -> str:
    return f"```cwk\n{file.strip()}\n```"


STALE, THANK = "escalate_stale_enterprise", "thank_reporter"
"""Slots, which are filled by the examples of that name."""

HALVES = {
    STALE: example("support/escalate_stale_enterprise.cwk"),
    THANK: example("support/thank_reporter.cwk"),
}
SLOTS = {
    STALE: "services: [crm, helpdesk, gmail], category: workflow, now: 2026-03-14",
    THANK: 'services: [helpdesk, gmail], language: en, scenario: "Thank the reporter."',
}


def task(slot: str) -> str:
    """What a writer answers who gets it right."""
    return fence(HALVES[slot].task)


def grade(slot: str) -> str:
    """What a verifier answers who gets it right."""
    return fence(HALVES[slot].grade)


def plan(*slots: str) -> str:
    rows = "\n".join(f"  slot {name} {{ {SLOTS[name]} }}" for name in slots)
    return f"cwk 1\nuse crm, helpdesk, gmail\n\nplan week {{\n{rows}\n}}\n"


def good(*slots: str) -> dict[tuple[str, str], list[Answer]]:
    """The script of authors who get these slots right at once."""
    answers: dict[tuple[str, str], list[Answer]] = {}
    for slot in slots:
        answers |= {("writer", slot): [task(slot)], ("verifier", slot): [grade(slot)]}
    return answers
