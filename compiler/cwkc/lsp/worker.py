"""The process that proves: it reads questions from its input and writes answers, until the input ends.

A process of its own, since a proof takes seconds and cannot be stopped in the middle; this one can be.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Mapping
from pathlib import Path
from struct import Struct

from attrs import frozen

from cwkc import rebuild
from cwkc.cache import Store
from cwkc.diagnostics import Diagnostic
from cwkc.resources import cache_folder
from cwkc.source import Source
from cwkc.syntax.reader import read, usable
from cwkc.workshop import Workshop

LENGTH = Struct(">I")
"""How the number of bytes of a message is written before it."""

Theorems = Mapping[str, tuple[tuple[str, str], ...]]
"""By task, each theorem and its verdict."""


@frozen
class Question:
    """Whether a file is right; `texts` are those of open files, by path. With `rehearse`, as far as a build goes."""

    path: str
    texts: Mapping[str, str]
    rehearse: bool = False


@frozen
class Answer:
    diagnostics: tuple[Diagnostic, ...]
    theorems: Theorems


def answer(question: Question) -> Answer:
    """Prove, or prove and rehearse, the tasks of a file; what `cwkc check` and `cwkc build` remember is used."""

    def reader(path: Path, name: str) -> tuple[Source | None, tuple[Diagnostic, ...]]:
        text = question.texts.get(path.as_posix())
        return read(path, name) if text is None else usable(text, name)

    work = rebuild.build if question.rehearse else rebuild.check
    workshop = Workshop(Store(Path(os.environ.get("CWKC_CACHE") or cache_folder())))
    done = work([Path(question.path)], rebuild.Options(), workshop, _silent, reader)
    theorems = {
        name: tuple((theorem["name"], theorem["verdict"]) for theorem in of_task)
        for name, of_task in done.theorems.items()
    }
    return Answer(done.diagnostics, theorems)


def _silent(doing: str) -> None:
    """Nobody wants to know."""


def packed(message: object) -> bytes:
    content = pickle.dumps(message)
    return LENGTH.pack(len(content)) + content


def main() -> None:
    output, sys.stdout = sys.stdout.buffer, sys.stderr
    while head := sys.stdin.buffer.read(LENGTH.size):
        question = pickle.loads(sys.stdin.buffer.read(LENGTH.unpack(head)[0]))
        output.write(packed(answer(question)))
        output.flush()
