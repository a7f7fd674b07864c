"""Does what a page of the documentation shows, block by block, in a folder of its own.

- A block behind a line that ends with a name in backticks and a colon is that file, or when it is a `diff`, the change
  of that file.
- A `console` block has commands behind `$ `, what is typed to them behind `> `, and what they print. There, `…` stands
  for any text within a line, and on a line of its own for any lines, though for no error.
- A `python` block without a name is run; all of them on a page share their names.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
NAMED = re.compile(r"`([\w./-]+\.\w+)`:\n\n\Z")


class Block(NamedTuple):
    language: str
    text: str
    file: str | None


def blocks(page: str) -> Iterator[Block]:
    for found in BLOCK.finditer(page):
        name = None if found[1] == "console" else NAMED.search(page, 0, found.start())
        yield Block(found[1], found[2], name and name[1])


def play(page: str, folder: Path) -> dict[str, Any]:
    """Gives the names of the page's Python. Raises AssertionError where something else happens than is shown."""
    commands = _commands(folder)
    names: dict[str, Any] = {}
    for block in blocks(page):
        if block.file is not None:
            _write(folder / block.file, block)
        elif block.language == "python":
            exec(block.text, names)
        elif block.language == "diff":
            raise AssertionError(f"of no file:\n{block.text}")
        elif block.language == "console":
            _run(block.text, folder, commands)
    return names


def _commands(folder: Path) -> dict[str, str]:
    """The environment of a reader, whose commands are those of this Python."""
    bin = folder / ".bin"
    bin.mkdir(parents=True)
    for name, words in {"cwkc": "-m cwkc ", "python": ""}.items():
        (bin / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n', encoding="utf-8")
        (bin / name).chmod(0o755)
    paths = os.pathsep.join(map(os.path.abspath, sys.path))
    return os.environ | {"PYTHONPATH": paths, "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}"}


def _write(path: Path, block: Block) -> None:
    text = block.text
    if block.language == "diff":
        lines = text.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] != "+")
        new = "".join(line[1:] for line in lines if line[0] != "-")
        before = path.read_text(encoding="utf-8")
        assert before.count(old) == 1, f"{path.name} does not have once:\n{old}"
        text = before.replace(old, new)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _run(shown: str, folder: Path, environment: dict[str, str]) -> None:
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", shown, re.M):
        typed = "".join(f"{line}\n" for line in re.findall(r"^> (.*)$", expected, re.M))
        run = subprocess.run(
            command, shell=True, cwd=folder, env=environment, input=typed, capture_output=True, text=True, check=False
        )
        assert re.fullmatch(_pattern(expected), run.stdout), f"$ {command}\n{run.stdout}{run.stderr}"
        assert expected or run.returncode == 0, f"$ {command}\n{run.stderr}"
        assert "error[" in expected or "error[" not in run.stdout, f"$ {command}\n{run.stdout}"


def _pattern(expected: str) -> str:
    lines = (
        r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in expected.splitlines()
    )
    return "".join(lines)
