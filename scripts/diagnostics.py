"""The table of all diagnostics in `docs/diagnostics.md`, written anew from the catalogue.

python -m scripts.diagnostics
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from cwkc.diagnostics import CATALOGUE
from cwkc.diagnostics.model import Entry
from cwkc.diagnostics.pages import FOLDER

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "diagnostics.md"
PAGES = f"../{FOLDER.relative_to(ROOT)}"

HEAD = """\
# Diagnostics

Everything that the compiler says of a file, by code. A code leads to its page, which has an example and the example
mended; `cwkc explain CODE` shows it in a terminal. What stands in braces is filled in with the author's own words.

An error refuses the file. A warning does not, and a task may accept one: `allow CODE "why"`.

Written by `python -m scripts.diagnostics`.
"""

GROUPS = (
    ("E0", "Files"),
    ("E1", "Syntax"),
    ("E2", "Names, types and tasks"),
    ("E3", "Users and events"),
    ("E4", "Proofs, packs and the rehearsal"),
    ("E6", "Imports"),
    ("W", "Warnings"),
)
"""The first letters of the codes of a group, and what it is called."""


def text() -> str:
    """The page."""
    links = (f"[{code}]: {PAGES}/{code}.md" for code in sorted(CATALOGUE))
    return "\n".join((HEAD, *(_group(head, start) for start, head in GROUPS), *links, ""))


def _group(head: str, start: str) -> str:
    entries = [entry for code, entry in sorted(CATALOGUE.items()) if code.startswith(start)]
    return "\n".join((f"## {head}", "", *_table(entries), ""))


def _table(entries: Sequence[Entry]) -> Iterator[str]:
    yield "| code | name | severity | says |"
    yield "|---|---|---|---|"
    for entry in entries:
        yield f"| [{entry.code}] | {entry.name} | {entry.severity.value} | {_said(entry)} |"


def _said(entry: Entry) -> str:
    """The template of the message; doubled braces stand for single ones."""
    return entry.message.replace("{{", "{").replace("}}", "}").replace("|", r"\|")


def main() -> None:
    PAGE.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
