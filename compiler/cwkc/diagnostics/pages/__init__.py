"""One page per code: why it is reported, a file that is, and the file mended."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

FOLDER = Path(__file__).parent
EXAMPLE = re.compile(r"^```(cwk|python) (bad|good)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@frozen
class Example:
    """A complete file, or in Python a program that makes one called `example.cwk`; `kind` is `bad` or `good`."""

    language: str
    kind: str
    text: str


def page(code: str) -> str:
    """The page of a code, as Markdown. Raises FileNotFoundError when there is none."""
    return (FOLDER / f"{code}.md").read_text(encoding="utf-8").rstrip()


def reason(code: str) -> str:
    """What a page says before its first example, each paragraph on one line. Raises FileNotFoundError."""
    _title, *paragraphs = page(code).partition("\n```")[0].split("\n\n")
    return "\n\n".join(" ".join(each.split()) for each in paragraphs if not each.rstrip().endswith(":"))


def examples(code: str) -> tuple[Example, ...]:
    """The examples of a code's page, in order."""
    return tuple(Example(*found) for found in EXAMPLE.findall(page(code)))
