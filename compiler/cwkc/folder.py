"""Writing packs and files: whole or not at all."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from shutil import copymode, rmtree
from types import FrameType
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coworkdsl.files import Content

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def write_pack(files: Mapping[str, Content], directory: Path) -> None:
    """Makes the folder hold these files, by relative path, and nothing else.

    They are written beside it and put in its place when they are complete; an interruption leaves what was there
    before. Raises OSError, FileExistsError when the folder holds something that is not a pack.
    """
    target = directory.resolve()
    _refuse_other_contents(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with _signals_held() as held:
        staged = target.with_name(f".{target.name}.{token_hex(4)}")
        try:
            for path, content in files.items():
                if held:
                    return
                _write(staged / path, content)
            swap(staged, target)
        finally:
            rmtree(staged, ignore_errors=True)


def _refuse_other_contents(target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise FileExistsError("a file has this name: name a folder")
    if target.is_dir() and any(target.iterdir()) and not _is_pack(target):
        raise FileExistsError("the folder holds something that is not a pack: name an empty folder, or a new one")


def _is_pack(folder: Path) -> bool:
    try:
        index = json.loads((folder / "pack.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(index, dict) and {"format", "tasks"} <= index.keys()


def _write(path: Path, content: Content) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def swap(staged: Path, target: Path) -> None:
    """Puts the staged folder in the target's place; what was there goes back when that fails. Raises OSError."""
    if not target.exists():
        staged.rename(target)
        return
    old = staged.with_name(f"{staged.name}.old")
    target.rename(old)
    try:
        staged.rename(target)
    except BaseException:
        old.rename(target)
        raise
    rmtree(old, ignore_errors=True)


def write_file(path: Path, text: str) -> None:
    """Puts a text on the disk in the place of a file, or, when that fails, leaves what was there. An older file's
    permissions are kept. Raises OSError."""
    staged = path.with_name(f".{path.name}.{token_hex(4)}")
    try:
        with staged.open("xb") as file:
            if path.exists():
                copymode(path, staged)
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        staged.replace(path)
    finally:
        staged.unlink(missing_ok=True)


def hold(file: IO[Any]) -> None:
    """Keeps other processes from holding the file while it is open; Windows has no such lock. Raises BlockingIOError
    where another one holds it."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def _signals_held() -> Iterator[list[int]]:
    """Collects the signals that ask to stop, and delivers the first of them at the end.

    Only the main thread is ever interrupted by them, so there is nothing to hold in another.
    """
    held: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield held
        return

    def hold(number: int, frame: FrameType | None) -> None:
        held.append(number)

    previous = {number: signal.signal(number, hold) for number in _SIGNALS}
    try:
        yield held
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
        if held:
            signal.raise_signal(held[0])
