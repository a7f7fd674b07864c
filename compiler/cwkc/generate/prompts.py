"""What each role is asked: a prompt is a function of the slot, of the drafts so far and of what is wrong with them.

The templates are files, with their version in the name. The system prompt is the same for all slots, so that a
provider can keep it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import jinja2
from attrs import frozen

from cwkc.cache import digest_of
from cwkc.generate import examples
from cwkc.generate.faults import Fault
from cwkc.generate.slots import Slot
from cwkc.models import Message
from cwkc.resources import syntax_sheet

FOLDER = Path(__file__).with_name("prompts")


class Role(StrEnum):
    WRITER = "writer"
    VERIFIER = "verifier"
    ATTACKER = "attacker"


VERSIONS: Mapping[Role, str] = {
    Role.WRITER: "writer-1",
    Role.VERIFIER: "verifier-1",
    Role.ATTACKER: "attacker-1",
}
REPAIR = "repair-1"


@frozen
class Request:
    """`attempt` counts from 1 the requests to a role for a slot. `messages` begin and end with the user's."""

    model: str
    slot: str
    role: Role
    attempt: int
    system: str
    messages: tuple[Message, ...]

    @property
    def key(self) -> str:
        """A digest of what is asked, for the journal."""
        return digest_of(self.model, self.slot, self.role, self.attempt, self.system, self.messages)


def versions() -> dict[str, str]:
    """The templates by name, each with the digest of its text."""
    names = sorted(path.name for path in FOLDER.glob("*.md"))
    return {name: sha256((FOLDER / name).read_bytes()).hexdigest() for name in names}


def writer_request(slot: Slot) -> Message:
    return _user(
        Role.WRITER,
        slot=json.dumps(slot.words, ensure_ascii=False),
        name=slot.name,
        uses=slot.uses,
        signatures=slot.signatures,
        examples=examples.chosen(slot),
    )


def verifier_request(slot: Slot, task: str) -> Message:
    return _user(
        Role.VERIFIER,
        scenario=slot.wanted.scenario or "(none)",
        safety=slot.wanted.safety,
        task=task,
        signatures=slot.signatures,
        examples=examples.chosen(slot),
    )


def attacker_request(request: str, tools: Any, labels: Iterable[str]) -> Message:
    shown = json.dumps([tool["function"] for tool in tools], ensure_ascii=False, indent=1)
    return _user(Role.ATTACKER, request=request, tools=shown, labels=labels)


def repair(said: str, faults: Iterable[Fault]) -> tuple[Message, ...]:
    """What was said, and what is wrong with it. A provider takes no message without a word."""
    documents = json.dumps([each.document for each in faults], ensure_ascii=False, indent=1)
    return (
        Message("assistant", said if said.strip() else "(nothing)"),
        Message("user", _template(f"{REPAIR}.md").render(faults=documents)),
    )


@cache
def system_prompt(role: Role) -> str:
    template = _template(f"{VERSIONS[role]}.system.md")
    return template.render(syntax=syntax_sheet().strip(), example=examples.first())


def fenced(file: str) -> str:
    """A file as a role answers with it."""
    return f"```cwk\n{file.strip()}\n```"


def _user(role: Role, **words: Any) -> Message:
    return Message("user", _template(f"{VERSIONS[role]}.request.md").render(**words))


@cache
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)
    return environment.from_string((FOLDER / name).read_text(encoding="utf-8"))
