"""What is wrong with a draft, and whose fault it is: as JSON, for whoever is to mend it and for the journal."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

from attrs import frozen

from cwkc.diagnostics import Diagnostic
from cwkc.diagnostics.json import render
from cwkc.generate.owners import OWNERS, Owner

TASK, GRADE = "task.cwk", "grade.cwk"
"""What the two halves are called in faults."""

DRAFT = ".draft.cwk"
"""What the file that joins them is called while it is checked."""


@frozen
class Fault:
    """`document` is as `cwkc check --format json` writes a diagnostic, with its lines counted in the half that it
    marks; what no diagnostic tells has neither code nor place."""

    owner: Owner
    document: dict[str, Any]

    @property
    def name(self) -> str:
        """The code of a diagnostic, else the name of the fault."""
        return str(self.document.get("code") or self.document["name"])

    @property
    def is_error(self) -> bool:
        return bool(self.document["severity"] == "error")

    def to_json(self) -> dict[str, Any]:
        return {"owner": self.owner.value, **self.document}

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Fault:
        return cls(Owner(document["owner"]), {name: value for name, value in document.items() if name != "owner"})


def fault(owner: Owner, name: str, message: str, help: str) -> Fault:
    """One that no diagnostic tells."""
    return Fault(owner, {"name": name, "severity": "error", "message": message, "help": help})


def faults_of(diagnostics: Iterable[Diagnostic], task_lines: int) -> tuple[Fault, ...]:
    """Those of a file whose first lines, so many of them, are the task's half, and whose others are the grading's.
    Warnings count: there is nobody who would weigh them."""
    documents = json.loads(render(diagnostics))
    return tuple(_fault(_in_halves(document, task_lines)) for document in documents)


def _fault(document: dict[str, Any]) -> Fault:
    owner = OWNERS[document["code"]]
    if owner is Owner.MARKED:
        owner = Owner.VERIFIER if document["file"] == GRADE else Owner.WRITER
    return Fault(owner, document)


def _in_halves(document: dict[str, Any], task_lines: int) -> dict[str, Any]:
    related = [_placed(each, task_lines) for each in document["related"]]
    return {**_placed(document, task_lines), "related": related}


def _placed(document: dict[str, Any], task_lines: int) -> dict[str, Any]:
    """With the place in the half that it is in; what lies in another file keeps its own."""
    if PurePath(document["file"]).name != DRAFT:
        return document
    if document["line"] <= task_lines:
        return {**document, "file": TASK}
    lines = {name: document[name] - task_lines for name in ("line", "end_line")}
    return {**document, "file": GRADE, **lines}
