"""The folder that a plan is filled into: accepted tasks, each with where it comes from, and what was set aside.

    DIR/SLOT.cwk, DIR/SLOT.json       a task, and its provenance
    DIR/set-aside/SLOT.txt, SLOT.json the last drafts of a slot that could not be filled, and what is wrong with them
    DIR/journal.jsonl, summary.json

Drafts that were set aside have a name that `cwkc build DIR` does not take for a task's. Every file is written whole or
not at all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import frozen

from cwkc import __version__
from cwkc.folder import write_file
from cwkc.generate import prompts
from cwkc.generate.filling import State
from cwkc.generate.slots import SUMMARY

JOURNAL = "journal.jsonl"
SET_ASIDE = "set-aside"
FORMAT = 1


class ShelfError(Exception):
    """A folder cannot be filled; the message names it and says why."""


@frozen
class Shelf:
    """`made`: what all tasks of the folder have in common in their provenance, such as the model."""

    folder: Path
    made: Mapping[str, Any]

    def task_path(self, slot: str) -> Path:
        return self.folder / f"{slot}.cwk"

    def put(self, state: State) -> None:
        """Keeps an accepted task. Its file comes last: where it is, its provenance is."""
        name, text = state.slot.name, state.text
        self._write(self.folder / f"{name}.json", _document(self._provenance(state, text)))
        self._write(self.task_path(name), text)
        for suffix in ("txt", "json"):
            (self.folder / SET_ASIDE / f"{name}.{suffix}").unlink(missing_ok=True)

    def set_aside(self, state: State) -> None:
        """Keeps the last drafts of a slot that could not be filled."""
        name, text = state.slot.name, state.text
        faults = [each.to_json() for each in state.faults]
        last = {role.value: said for role, said in state.said.items()}
        document = {**self._provenance(state, text), "faults": faults, "last_answers": last}
        self._write(self.folder / SET_ASIDE / f"{name}.txt", text)
        self._write(self.folder / SET_ASIDE / f"{name}.json", _document(document))

    def summarize(self, document: Mapping[str, Any]) -> None:
        self._write(self.folder / f"{SUMMARY}.json", _document(document))

    def _provenance(self, state: State, text: str) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "slot": dict(state.slot.words),
            "slot_digest": state.slot.digest,
            "plan": state.slot.plan,
            **self.made,
            "cwkc": __version__,
            "prompts": prompts.versions(),
            "attempts": attempts_of(state),
            "faults_on_the_way": faults_by_owner(state),
            "sha256": sha256(text.encode()).hexdigest(),
        }

    def _write(self, path: Path, text: str) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, text)
        except OSError as failure:
            raise ShelfError(f"cannot write `{path}`: {failure.strerror or failure}") from failure


def refuse_other_contents(folder: Path) -> None:
    """Raises ShelfError for a folder that holds something, and no journal: what is there is somebody else's."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / JOURNAL).is_file():
        raise ShelfError(f"`{folder}` holds something that `cwkc generate` did not write: name a new folder")


def attempts_of(state: State) -> dict[str, int]:
    return {role.value: state.attempts.get(role, 0) for role in (prompts.Role.WRITER, prompts.Role.VERIFIER)}


def faults_by_owner(state: State) -> dict[str, dict[str, int]]:
    """How often each fault was found, by owner and name."""
    owners = sorted({owner for owner, _ in state.found})
    return {
        owner: {name: count for (its, name), count in sorted(state.found.items()) if its == owner} for owner in owners
    }


def _document(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
