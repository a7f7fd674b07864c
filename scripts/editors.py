"""What the editors' extension takes from the compiler, written anew.

    python -m scripts.editors

The TextMate grammar has the words of `grammar/cwk.lark`; the icon is drawn here, pixel by pixel.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from struct import pack
from typing import Any

from cwkc.highlight.groups import TYPES, groups

FOLDER = Path(__file__).parents[1] / "editors" / "vscode"
GRAMMAR = FOLDER / "syntaxes" / "cwk.tmLanguage.json"
ICON = FOLDER / "icon.png"

NAME = "[A-Za-z_][A-Za-z0-9_]*"
ESCAPE = {"name": "constant.character.escape.cwk", "match": r"\\(?:u[0-9a-fA-F]{4}|.)"}
HOLE = {
    "name": "meta.interpolation.cwk",
    "match": r"(\{)(" + NAME + r"(?:\." + NAME + r")*)(\})",
    "captures": {
        "1": {"name": "punctuation.section.embedded.cwk"},
        "2": {"name": "variable.other.cwk"},
        "3": {"name": "punctuation.section.embedded.cwk"},
    },
}
BRACE = {"name": "constant.character.escape.cwk", "match": r"\{\{|\}\}"}

# A tick within braces, on a grid of 16 by 16.
DRAWING = (
    "................",
    "................",
    "...##......##...",
    "..#..........#..",
    "..#.........##..",
    "..#........##...",
    "..#.......##.#..",
    ".#.......##...#.",
    ".#..##..##....#.",
    "..#..####....#..",
    "..#...##.....#..",
    "..#..........#..",
    "..#..........#..",
    "...##......##...",
    "................",
    "................",
)
PAPER, INK = bytes((27, 54, 93, 255)), bytes((255, 255, 255, 255))
SCALE = 8


def grammar() -> dict[str, Any]:
    """The TextMate grammar."""
    words = groups()
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "cwk",
        "scopeName": "source.cwk",
        "fileTypes": ["cwk"],
        "patterns": [
            {"name": "comment.line.number-sign.cwk", "match": "#.*$"},
            _text("string.interpolated.cwk", r'\$"""', '"""', [ESCAPE, BRACE, HOLE]),
            _text("string.interpolated.cwk", r'\$"', r'"|$', [ESCAPE, BRACE, HOLE]),
            _text("string.quoted.triple.cwk", '"""', '"""', [ESCAPE]),
            _text("string.quoted.double.cwk", '"', r'"|$', [ESCAPE]),
            {"name": "constant.other.reference.cwk", "match": r'@(?:[A-Za-z0-9_-]+|"[^"\n]*")'},
            {
                "name": "constant.numeric.date.cwk",
                "match": r"\b\d{4}-\d{2}-\d{2}(?:T[0-9:.]+(?:Z|[+-][0-9:]+)?)?",
            },
            {"name": "constant.numeric.cwk", "match": r"\b\d[\d_]*(?:\.\d[\d_]*)?[wdhms]?\b"},
            {"match": r"(\.)\s*(" + NAME + ")", "captures": {"2": {"name": "variable.other.member.cwk"}}},
            {
                "name": "variable.other.property.cwk",
                "match": rf"\b(?!{_any((*words['constant'], *words['special']))}\b){NAME}(?=[ \t]*:)",
            },
            {
                "match": rf"\b(service|world|task|family|grade|plan|enum|record|store|tool|slot)\s+({NAME})",
                "captures": {"1": {"name": "storage.type.cwk"}, "2": {"name": "entity.name.type.cwk"}},
            },
            {"name": "storage.type.cwk", "match": _word(words["declaring"])},
            {"name": "keyword.operator.word.cwk", "match": _word(words["operator"])},
            {"name": "constant.language.cwk", "match": _word(words["constant"])},
            {"name": "variable.language.cwk", "match": _word(words["special"])},
            {"name": "keyword.control.cwk", "match": _word(words["keyword"])},
            {"name": "support.type.cwk", "match": _word(TYPES)},
            {"name": "entity.name.function.cwk", "match": rf"\b{NAME}(?=\()"},
            {"name": "keyword.operator.cwk", "match": r"==|!=|<=|>=|->|[-+*/<>=?]"},
        ],
    }


def _text(scope: str, begin: str, end: str, patterns: list[dict[str, Any]]) -> dict[str, Any]:
    return {"name": scope, "begin": begin, "end": end, "patterns": patterns}


def _any(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(words)})"


def _word(words: Iterable[str]) -> str:
    return rf"\b{_any(words)}\b"


def icon() -> bytes:
    """The icon, as a PNG of 128 by 128 pixels."""
    rows = []
    for line in DRAWING:
        pixels = b"".join((INK if mark == "#" else PAPER) * SCALE for mark in line)
        rows += [b"\0" + pixels] * SCALE
    size = len(DRAWING) * SCALE
    head = pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in parts)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return pack(">I", len(content)) + kind + content + pack(">I", zlib.crc32(kind + content))


def grammar_text() -> str:
    return json.dumps(grammar(), indent=2) + "\n"


def main() -> None:
    GRAMMAR.write_text(grammar_text(), encoding="utf-8")
    ICON.write_bytes(icon())


if __name__ == "__main__":
    main()
