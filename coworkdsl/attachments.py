"""Attachments: files that the agent is given along with the request."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from coworkdsl.files import Files, PackError


class Attachment(NamedTuple):
    """`media_type` is like `image/png`; `path` is where the file lies, for people."""

    name: str
    media_type: str
    data: bytes
    path: str


def read_attachment(files: Files, task_folder: str, entry: Any) -> Attachment:
    """An attachment by its entry in task.json. Raises PackError, also where the file is not the one that was packed."""
    place = f"{task_folder}/task.json"
    if not isinstance(entry, Mapping) or not all(isinstance(entry.get(key), str) for key in _KEYS):
        raise PackError(f"{place}: each of `assets` must have the texts {', '.join(f'`{key}`' for key in _KEYS)}")
    name = entry["name"]
    if name in ("", ".", "..") or set(name) & {"/", "\\"}:
        raise PackError(f"{place}: `{name}` is no name of an asset")
    path = f"{task_folder}/assets/{name}"
    data = files.data(path)
    if sha256(data).hexdigest() != entry["sha256"]:
        raise PackError(f"{path}: is not the file that was packed: its SHA-256 differs")
    return Attachment(name, entry["media_type"], data, files.location(path))


_KEYS = ("name", "media_type", "sha256")
