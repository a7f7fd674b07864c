"""Which compiler this is: what another one has worked out is of no use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_platform

from cwkc import __version__
from cwkc.resources import PACKAGE, library_folders

PACKAGES = ("attrs", "lark", "openpyxl", "z3-solver")
"""What the compiler's answers depend on besides itself."""


@cache
def fingerprint() -> str:
    """A digest of the compiler's code, its grammar and its library, and of the versions of what it runs on."""
    digest = sha256(repr((__version__, sys.version, get_platform(), *map(version, PACKAGES))).encode())
    for number, folder in enumerate(_folders()):
        for path in sorted(_files(folder)):
            digest.update(f"\0{number}/{path.relative_to(folder).as_posix()}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _folders() -> Iterator[Path]:
    yield PACKAGE
    runtime = find_spec("coworkdsl")
    assert runtime is not None, "it is installed with the compiler"
    yield from map(Path, runtime.submodule_search_locations or ())
    yield from library_folders()


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.suffix in (".py", ".cwk", ".lark", ".json") and path.is_file())
