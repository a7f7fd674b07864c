"""Stages on disk: each finished one has a folder called after everything that it depends on.

A stage works in a hidden folder, which takes its lasting name when the stage is done. So whatever ends the process,
a folder with a lasting name is whole, and the hidden one is where the stage goes on.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, NamedTuple

from attrs import frozen

from cwkc.folder import hold, write_file
from cwktrain.tasks import digest

FACTS, SPENT = "stage.json", "spent.json"
_NAME_LENGTH = 16


class RunFolderError(Exception):
    """The folder of a run cannot be used; the message says why."""


class Costs(NamedTuple):
    """Seconds by the clock, and of processors, those of child processes among them."""

    seconds: float
    processor_seconds: float


@frozen(eq=False)
class Stage:
    """`options` are JSON values: with the `inputs`, digests by name, they decide the `output`, which `work` makes in
    the folder it is given. `work` gives what there is to tell of the stage, as JSON values."""

    name: str
    options: Any
    inputs: Mapping[str, str]
    output: str
    work: Callable[[Path], Mapping[str, Any]]

    def key(self, program: str) -> str:
        text = json.dumps([program, self.name, self.options, dict(self.inputs)], sort_keys=True)
        return sha256(text.encode()).hexdigest()


@frozen(eq=False)
class Done:
    """A finished stage. `path`: its output, with that `digest`; `was_kept`: nothing was to be done for it."""

    name: str
    path: Path
    digest: str
    facts: Mapping[str, Any]
    costs: Costs
    was_kept: bool


def finish(stage: Stage, folder: Path, program: str) -> Done:
    """The stage, done before or now. Raises what its work raises."""
    key = stage.key(program)[:_NAME_LENGTH]
    place, working = folder / f"{stage.name}-{key}", folder / f".{stage.name}-{key}"
    if not place.is_dir():
        working.mkdir(parents=True, exist_ok=True)
        with _measured(working / SPENT) as spent:
            facts = stage.work(working)
        _write_facts(working, stage, facts, spent())
        working.rename(place)
        return _done(stage, place, was_kept=False)
    return _done(stage, place, was_kept=True)


def given(name: str, path: Path) -> Done:
    """What a run is given: nothing is to be done for it."""
    return Done(name, path, digest_of(path), {}, Costs(0, 0), was_kept=True)


def _write_facts(working: Path, stage: Stage, facts: Mapping[str, Any], costs: Costs) -> None:
    """The last thing that is written; what the work left beside its output is removed."""
    for path in working.iterdir():
        if path.name != stage.output:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    document = {
        "stage": stage.name,
        "options": stage.options,
        "inputs": dict(stage.inputs),
        "digest": digest_of(working / stage.output),
        "costs": costs._asdict(),
        "facts": dict(facts),
    }
    (working / FACTS).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def _done(stage: Stage, place: Path, was_kept: bool) -> Done:
    """Raises RunFolderError where somebody changed the folder."""
    try:
        document = json.loads((place / FACTS).read_text(encoding="utf-8"))
        costs = Costs(**document["costs"])
        return Done(stage.name, place / stage.output, document["digest"], document["facts"], costs, was_kept)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunFolderError(f"`{place}` is damaged: remove it, and the stage is done again") from error


@contextmanager
def _measured(path: Path) -> Iterator[Callable[[], Costs]]:
    """Gives what says how much was spent, in stretches before this one too, which the file remembers."""
    before = Costs(**json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else Costs(0, 0)
    clock, processor = time.monotonic(), _processor_seconds()

    def spent() -> Costs:
        seconds = before.seconds + time.monotonic() - clock
        return Costs(round(seconds, 2), round(before.processor_seconds + _processor_seconds() - processor, 2))

    try:
        yield spent
    finally:
        write_file(path, json.dumps(spent()._asdict()))


def _processor_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def digest_of(path: Path) -> str:
    """SHA-256 of a file, or over the names and bytes of a folder's files."""
    if path.is_dir():
        return digest(path)
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keeps the folder from being used by two processes at once. Raises RunFolderError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    except OSError as error:
        raise RunFolderError(f"`{folder}` cannot be written to: {error.strerror}") from error
    with lock:
        try:
            hold(lock)
        except BlockingIOError as error:
            raise RunFolderError(f"`{folder}` is in use by another process") from error
        yield
