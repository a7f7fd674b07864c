"""What was paid for and decided, a line each, in a file to which lines are only added.

A line counts once it is on the disk. One that was torn by a kill is cut off when the file is opened again. Who has it
open has it alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, BinaryIO

from cwkc.folder import hold

FORMAT = 1


class JournalError(Exception):
    """A journal cannot be used; the message names the file and says why."""


class Journal:
    """Lines by their kind and key; of several, the last one counts. Use it as a context manager."""

    def __init__(self, path: Path, lines: Mapping[tuple[str, str], dict[str, Any]], file: BinaryIO | None) -> None:
        """Without a file nothing can be added: see `opened` and `read`."""
        self._path = path
        self._lines = dict(lines)
        self._file = file
        self._lock = Lock()

    @classmethod
    def opened(cls, path: Path) -> Journal:
        """The journal in a file, which is made where there is none. Raises JournalError."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("a+b")
        except OSError as error:
            raise _damage(path, error) from error
        try:
            return cls._begun(path, file)
        except BaseException:
            file.close()
            raise

    @classmethod
    def _begun(cls, path: Path, file: BinaryIO) -> Journal:
        _hold(file, path)
        file.seek(0)
        lines, whole = _read(path, file.read())
        file.truncate(whole)
        journal = cls(path, lines, file)
        if not whole:
            journal.add("format", "", number=FORMAT)
        return journal

    @classmethod
    def read(cls, path: Path) -> Journal:
        """What a file holds, to look at; nothing, where there is none. Raises JournalError."""
        try:
            content = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise _damage(path, error) from error
        return cls(path, _read(path, content)[0], None)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def find(self, kind: str, key: str) -> dict[str, Any] | None:
        return self._lines.get((kind, key))

    def all(self, kind: str) -> Iterator[dict[str, Any]]:
        """The lines of a kind, in the order in which their keys came."""
        return (line for (its, _), line in tuple(self._lines.items()) if its == kind)

    def add(self, kind: str, key: str, **words: Any) -> None:
        """Raises JournalError."""
        line = {"kind": kind, "key": key, **words}
        content = json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        with self._lock:
            if self._file is None:
                raise JournalError(f"`{self._path}` is open for reading alone")
            try:
                self._file.write(content)
                self._file.flush()
                os.fsync(self._file.fileno())
            except OSError as error:
                self._file = None  # a line that may be torn stays the last one
                raise _damage(self._path, error) from error
            self._lines[kind, key] = line


def _hold(file: BinaryIO, path: Path) -> None:
    try:
        hold(file)
    except OSError as error:
        raise JournalError(f"`{path}` is in use: another `cwkc generate` works in its folder") from error


def _read(path: Path, content: bytes) -> tuple[dict[tuple[str, str], dict[str, Any]], int]:
    """The lines, and how many bytes they take: what stands behind the last line's end was torn."""
    whole = content.rfind(b"\n") + 1
    lines: dict[tuple[str, str], dict[str, Any]] = {}
    for number, text in enumerate(content[:whole].splitlines(), 1):
        line = _line(text)
        if line is None or (number == 1 and (line["kind"], line.get("number")) != ("format", FORMAT)):
            raise JournalError(f"line {number} of `{path}` is none of a journal of this version of `cwkc generate`")
        lines[line["kind"], line["key"]] = line
    return lines, whole


def _line(text: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match document:
        case {"kind": str(), "key": str()}:
            line: dict[str, Any] = document
            return line
    return None


def _damage(path: Path, error: OSError) -> JournalError:
    return JournalError(f"`{path}` cannot be used: {error.strerror or error}")
