"""Folders that are written whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from cwkc.folder import swap


@contextmanager
def whole_folder(folder: Path, mark: str) -> Iterator[Path]:
    """An empty folder beside `folder`, which takes its place once it was filled without a failure.

    An older folder that has the file `mark` is replaced; anything else in that place raises FileExistsError.
    """
    if folder.exists() and not (folder / mark).is_file():
        raise FileExistsError(f"`{folder}` is there and has no `{mark}`")
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
    try:
        yield fresh
        fresh.chmod(0o755)
        swap(fresh, folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
