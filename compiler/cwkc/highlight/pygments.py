"""A lexer for Pygments, which documentation tools find by its entry point."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, include, words
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, Punctuation, String, Whitespace

from cwkc.highlight.groups import TYPES, groups

NAME = r"[A-Za-z_][A-Za-z0-9_]*"
ESCAPE = r"\\(?:u[0-9a-fA-F]{4}|.)"
_WORDS = groups()


def _of(group: str) -> words:
    return words(_WORDS[group], prefix=r"\b", suffix=r"\b")


class CwkLexer(RegexLexer):
    """`.cwk`: the language in which tasks for agents are declared."""

    name = "cwk"
    aliases: ClassVar = ["cwk"]
    filenames: ClassVar = ["*.cwk"]

    tokens: ClassVar = {
        "root": [
            (r"\s+", Whitespace),
            (r"#[^\n]*", Comment.Single),
            (r'\$"""', String.Affix, "long interpolated"),
            (r'\$"', String.Affix, "interpolated"),
            (r'"""', String, "long text"),
            (r'"', String, "text"),
            (r'@(?:[A-Za-z0-9_-]+|"[^"\n]*")', Name.Label),
            (r"\d{4}-\d{2}-\d{2}(?:T[0-9:.]+(?:Z|[+-][0-9:]+)?)?", Literal.Date),
            (r"\d[\d_]*(?:\.\d[\d_]*)?[wdhms]?\b", Number),
            (rf"\.(?=\s*{NAME})", Punctuation, "member"),
            (rf"(?!(?:true|false|null|answer|said)\b){NAME}(?=[ \t]*:)", Name.Attribute),
            (_of("declaring"), Keyword.Declaration),
            (_of("operator"), Operator.Word),
            (_of("constant"), Keyword.Constant),
            (_of("special"), Name.Builtin.Pseudo),
            (_of("keyword"), Keyword),
            (words(TYPES, prefix=r"\b", suffix=r"\b"), Keyword.Type),
            (rf"{NAME}(?=\()", Name.Function),
            (NAME, Name),
            (r"==|!=|<=|>=|->|[-+*/<>=?]", Operator),
            (r"\.\{|[{}()\[\],:.]", Punctuation),
        ],
        "member": [(r"\s+", Whitespace), (NAME, Name.Attribute, "#pop")],
        "text": [(r'"', String, "#pop"), (ESCAPE, String.Escape), (r'[^"\\]+', String)],
        "long text": [(r'"""', String, "#pop"), (ESCAPE, String.Escape), (r'[^"\\]+|"', String)],
        "hole": [
            (ESCAPE, String.Escape),
            (r"\{\{|\}\}", String.Escape),
            (rf"\{{{NAME}(?:\.{NAME})*\}}", String.Interpol),
            (r'[^"\\{}]+|[{}]', String),
        ],
        "interpolated": [(r'"', String, "#pop"), include("hole")],
        "long interpolated": [(r'"""', String, "#pop"), include("hole"), (r'"', String)],
    }
