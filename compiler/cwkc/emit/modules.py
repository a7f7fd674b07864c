"""What every emitted module has: a banner, comments that say where a thing comes from, functions, tables."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping

from cwkc.emit.printer import STEP, WIDTH, Document, printed
from cwkc.source import Span

RUNTIME = "from coworkdsl import runtime as rt"

_TOKEN = re.compile(r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*|[^"#]+|"', re.DOTALL)


def source_text(span: Span) -> str:
    """What the author wrote there, on one line and without comments."""
    kept = (token for token in _TOKEN.findall(span.text) if not token.startswith("#"))
    return " ".join("".join(kept).split())


def banner(title: str, compiler: str, sources: Mapping[str, str]) -> str:
    """The docstring of a module: what it is, and from which sources which compiler made it."""
    lines = [f"{title}", "", f"Written by cwkc {compiler}; changes here are lost at the next build. Sources:", ""]
    for name, digest in sources.items():
        line = f"    {name} sha256:{digest}"
        lines += [line] if len(line) <= WIDTH else [f"    {name}", f"        sha256:{digest}"]
    return docstring(lines)


def docstring(lines: Iterable[str], indentation: int = 0) -> str:
    """Lines as a docstring, with what would end it or hide from a reader spelled out."""
    margin = " " * indentation
    first, *rest = map(_inside_quotes, lines)
    body = [f'{margin}"""{first}', *(f"{margin}{line}".rstrip() for line in rest)]
    return "\n".join(body) + (f'\n{margin}"""' if rest else '"""')


def _inside_quotes(line: str) -> str:
    escaped = line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    visible = "".join(each if each.isprintable() else " " for each in escaped)
    return visible[:-1] + '\\"' if visible.endswith('"') else visible


def paragraph(text: str, indentation: int = 0) -> list[str]:
    """A text in lines that fit."""
    return textwrap.wrap(text, WIDTH - indentation, break_long_words=False, break_on_hyphens=False)


def comment(text: str, indentation: int = 0) -> list[str]:
    """A text as comment lines."""
    margin = " " * indentation
    visible = "".join(each if each.isprintable() else " " for each in text)
    return [f"{margin}# {line}" for line in paragraph(visible, indentation + 2)]


def statement(document: Document, indentation: int = STEP) -> str:
    """A statement at its indentation."""
    return " " * indentation + printed(document, indentation)


def module(head: Iterable[str], body: Iterable[str]) -> str:
    """A module: what stands at its head, one empty line apart, and its functions and tables, two lines apart."""
    return "\n\n\n".join(("\n\n".join(filter(None, head)), *filter(None, body))) + "\n"
