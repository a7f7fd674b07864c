"""A folder of values that processes and machines may share.

Each value has a file of its own, which is put in its place whole; whoever reads sees all of it or nothing. A file
begins with the digest of the rest, so that a damaged one is known as such; and only values of known types are made
from one, so that a folder that others write to can do no harm.
"""

from __future__ import annotations

import json
import os
import pickle
import zlib
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from secrets import token_hex
from typing import Any

LIMIT = 512 * 1024 * 1024
"""How many bytes a folder may hold before what was not used for longest is removed."""

KNOWN = {
    "builtins": {"frozenset", "set"},
    "cwkc.diagnostics.model": {"Diagnostic", "Entry", "Label", "Severity"},
    "cwkc.prove": {"Proof"},
    "cwkc.prove.run": {"CallStep", "SayStep"},
    "cwkc.prove.theorems": {"Theorem"},
    "cwkc.rebuild": {"Result"},
    "cwkc.source": {"Source", "Span"},
    "cwkc.workshop": {"Answer"},
    "datetime": {"date", "datetime", "timedelta", "timezone"},
    "fractions": {"Fraction"},
}
"""The types that a value may be made of, by module."""

_DIGEST = sha256().digest_size
_ENTRIES = "entries"


def digest_of(*parts: object) -> str:
    """The SHA-256 of JSON values, in this order."""
    return sha256(json.dumps(parts).encode()).hexdigest()


class Store:
    def __init__(self, folder: Path) -> None:
        """The folder is made when something is put there."""
        self._folder = folder / _ENTRIES

    def get(self, key: str) -> Any:
        """What was put there under that key; None where there is nothing, or it is damaged."""
        path = self._path(key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        with suppress(OSError):
            os.utime(path)  # it was used
        return _read(content)

    def put(self, key: str, value: object) -> None:
        """A folder that cannot be written to only costs the time again."""
        path = self._path(key)
        written = path.with_suffix(f".{token_hex(8)}")
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                written.write_bytes(_written(value))
                written.replace(path)
            finally:
                written.unlink(missing_ok=True)

    def trim(self, limit: int = LIMIT) -> None:
        """Removes what was not used for longest, until the rest has no more bytes than that."""
        with suppress(OSError):
            files = sorted(self._files(), key=lambda each: each[1].st_mtime, reverse=True)
            total = 0
            for path, status in files:
                total += status.st_size
                if total > limit:
                    path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        for path in self._folder.glob("??/*"):
            with suppress(FileNotFoundError):  # another process removed it
                yield path, path.stat()


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if name not in KNOWN.get(module, ()):
            raise pickle.UnpicklingError(f"{module}.{name} is no type of a value")
        return super().find_class(module, name)


def _written(value: object) -> bytes:
    content = zlib.compress(pickle.dumps(value, pickle.HIGHEST_PROTOCOL), 1)
    return sha256(content).digest() + content


def _read(content: bytes) -> Any:
    digest, content = content[:_DIGEST], content[_DIGEST:]
    if sha256(content).digest() != digest:
        return None
    with suppress(pickle.UnpicklingError, zlib.error):
        return _Reader(BytesIO(zlib.decompress(content))).load()
    return None
