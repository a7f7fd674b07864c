"""The files of a pack, on disk or in memory."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from types import CodeType
from typing import Any

FORMAT = 1

_KINDS = {str: "a text", int: "a whole number", list: "an array", dict: "an object", object: "a value"}
_modules = count(1)


class PackError(ValueError):
    """A pack is missing or damaged; the message names the file and says how."""


Content = str | bytes
"""What a file holds: a text as such, whatever else as bytes."""


class Files(ABC):
    """Files by path relative to the pack."""

    @abstractmethod
    def text(self, path: str) -> str:
        """Raises PackError when there is no such file."""

    @abstractmethod
    def has(self, path: str) -> bool:
        """Whether there is such a file."""

    @abstractmethod
    def data(self, path: str) -> bytes:
        """Raises PackError when there is no such file."""

    @abstractmethod
    def lines(self, path: str) -> Iterator[tuple[int, str]]:
        """The lines of a file, each with the place at which it begins. Raises PackError."""

    @abstractmethod
    def line(self, path: str, place: int) -> str:
        """The line that begins at such a place. Raises PackError."""

    @abstractmethod
    def location(self, path: str) -> str:
        """The file's path, as tracebacks and people are to read it."""

    def document(self, path: str, fields: Mapping[str, type]) -> Mapping[str, Any]:
        """A JSON file with `format` and these fields. Raises PackError."""
        try:
            document = json.loads(self.text(path))
        except (ValueError, RecursionError) as error:
            if isinstance(error, PackError):
                raise
            raise PackError(f"{path}: not JSON: {error}") from error
        if not isinstance(document, dict):
            raise PackError(f"{path}: must hold a JSON object")
        if document.get("format") != FORMAT:
            raise PackError(f"{path}: has format {document.get('format')!r}; this version reads format {FORMAT}")
        for name, kind in fields.items():
            if name not in document:
                raise PackError(f"{path}: has no `{name}`")
            if not isinstance(document[name], kind):
                raise PackError(f"{path}: `{name}` must be {_KINDS[kind]}")
        return document

    def module(self, path: str) -> dict[str, Any]:
        """What an emitted module defines. It is run under a name of its own and enters no table of modules.

        Raises PackError.
        """
        return self.run(path, self.code(path), {})

    def code(self, path: str) -> CodeType:
        """An emitted module, compiled. Raises PackError."""
        text = self.text(path)
        try:
            return compile(text, self.location(path), "exec")
        except Exception as error:  # whatever the module's text does wrong is a damage of the pack
            raise PackError(f"{path}: cannot be loaded: {type(error).__name__}: {error}") from error

    def run(self, path: str, code: CodeType, given: Mapping[str, Any]) -> dict[str, Any]:
        """What a compiled module defines, when it finds these names defined. Raises PackError."""
        named = {"__name__": f"_coworkdsl_emitted_{next(_modules)}", "__file__": self.location(path)}
        names: dict[str, Any] = {**given, **named}
        try:
            exec(code, names)
        except Exception as error:  # likewise
            raise PackError(f"{path}: cannot be loaded: {type(error).__name__}: {error}") from error
        return names


class DiskFiles(Files):
    def __init__(self, root: Path) -> None:
        self._root = root

    def text(self, path: str) -> str:
        try:
            return (self._root / path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise self._unreadable(path, error) from error

    def data(self, path: str) -> bytes:
        try:
            return (self._root / path).read_bytes()
        except OSError as error:
            raise self._unreadable(path, error) from error

    def _unreadable(self, path: str, error: Exception) -> PackError:
        if isinstance(error, FileNotFoundError):
            return PackError(f"{path}: no such file in {self._root}")
        return PackError(f"{path}: cannot be read: {error}")

    def has(self, path: str) -> bool:
        return (self._root / path).is_file()

    def lines(self, path: str) -> Iterator[tuple[int, str]]:
        place = 0
        try:
            with (self._root / path).open("rb") as file:
                for line in file:
                    yield place, line.decode("utf-8")
                    place += len(line)
        except (OSError, UnicodeDecodeError) as error:
            raise PackError(f"{path}: cannot be read: {error}") from error

    def line(self, path: str, place: int) -> str:
        try:
            with (self._root / path).open("rb") as file:
                file.seek(place)
                return file.readline().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise PackError(f"{path}: cannot be read: {error}") from error

    def location(self, path: str) -> str:
        return str(self._root / path)


class MemoryFiles(Files):
    def __init__(self, files: Mapping[str, Content]) -> None:
        self._files = dict(files)

    def text(self, path: str) -> str:
        content = self._content(path)
        if isinstance(content, str):
            return content
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            raise PackError(f"{path}: cannot be read: {error}") from error

    def data(self, path: str) -> bytes:
        content = self._content(path)
        return content.encode() if isinstance(content, str) else content

    def _content(self, path: str) -> Content:
        if path not in self._files:
            raise PackError(f"{path}: no such file in the pack")
        return self._files[path]

    def has(self, path: str) -> bool:
        return path in self._files

    def lines(self, path: str) -> Iterator[tuple[int, str]]:
        text, place = self.text(path), 0
        while place < len(text):
            end = _line_end(text, place)
            yield place, text[place:end]
            place = end

    def line(self, path: str, place: int) -> str:
        text = self.text(path)
        return text[place : _line_end(text, place)]

    def location(self, path: str) -> str:
        return f"<pack>/{path}"


def _line_end(text: str, place: int) -> int:
    return text.find("\n", place) + 1 or len(text)
