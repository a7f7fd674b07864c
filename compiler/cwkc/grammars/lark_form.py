"""The exact grammar in the syntax of Lark: for its Earley parser, for llguidance, for what takes less than both."""

from __future__ import annotations

import re
from collections.abc import Callable

from lark.lexer import PatternStr

from cwkc.grammars.names import NAME, word_but
from cwkc.grammars.places import exact
from cwkc.grammars.rules import FILE, Part, rules
from cwkc.grammars.tokens import Blank, Token
from cwkc.grammars.writing import lines

HEAD = "// The language of .cwk files, derived from its grammar by `cwkc grammar`."
BLANK = r"[ \t\r\n]"
BLANK_OR_COMMENT = r"([ \t\r\n]|#[^\n\x00]*\n)"
LAST_COMMENT = r"(#[^\n\x00]*)?"

Named = Callable[[str, frozenset[str]], str]
"""The terminal of a name: behind a pattern of blanks, and none of some words."""


def by_lookahead(blank: str, keywords: frozenset[str]) -> str:
    """For lark, whose patterns are those of Python."""
    others = f"(?!({'|'.join(sorted(keywords))})(?![A-Za-z0-9_]))" if keywords else ""
    return f"/{blank}{others}{NAME}/"


def by_difference(blank: str, keywords: frozenset[str]) -> str:
    """For llguidance, whose patterns can be subtracted."""
    return f"/{blank}{NAME}/" + (f" & ~/{blank}({'|'.join(sorted(keywords))})/" if keywords else "")


def by_spelling(blank: str, keywords: frozenset[str]) -> str:
    """For those that have neither."""
    return f"/{blank}{word_but(keywords)}/"


def lark_form(named: Named, comments: bool) -> str:
    """The grammar; every terminal begins with the blanks before it."""
    form = _Form(named, BLANK_OR_COMMENT if comments else BLANK)
    written = [f"{name}: {text}" for name, text in lines(rules(), form.written)]
    end = f"END: /{form.blank}+{LAST_COMMENT if comments else ''}/"
    terminals = [f"{name}: {text}" for name, text in form.terminals.items()]
    return "\n".join([HEAD, "", f"start: {FILE} END?", *written, "", end, *terminals, ""])


class _Form:
    """Names for the terminals, as they are met."""

    def __init__(self, named: Named, blank: str) -> None:
        self.named = named
        self.blank = blank
        self.terminals: dict[str, str] = {}
        self.names: dict[Token, str] = {}

    def written(self, part: Part) -> str:
        if isinstance(part, str):
            return part
        if part not in self.names:
            name = self._name(part)
            self.names[part] = name
            self.terminals[name] = self._terminal(part)
        return self.names[part]

    def _name(self, token: Token) -> str:
        name = f"{token.blank.value.upper()}_{token.terminal.lstrip('_')}"
        alike = sum(each.terminal == token.terminal and each.blank is token.blank for each in self.names)
        return f"{name}_{alike + 1}" if alike else name

    def _terminal(self, token: Token) -> str:
        blank = {Blank.MAY: f"{self.blank}*", Blank.MUST: f"{self.blank}+", Blank.BESIDE: r"[ \t]*"}[token.blank]
        if token.terminal == "NAME":
            return self.named(blank, token.keywords)
        return f"/{blank}{_slashed(token.terminal)}/"


def _slashed(terminal: str) -> str:
    """The pattern of a terminal, as it is written between slashes."""
    pattern = exact().terminals[terminal].pattern
    value = re.escape(pattern.value) if isinstance(pattern, PatternStr) else pattern.value
    grouped = f"(?:{value})" if "|" in value else value
    return grouped.replace("/", r"\/").replace("\n", r"\n").replace("\0", r"\x00")
