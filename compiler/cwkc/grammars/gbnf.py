"""The exact grammar as GBNF, the format of llama.cpp: rules over characters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from re import _constants as kinds
from re import _parser as patterns
from typing import Any

from lark.lexer import PatternStr

from cwkc.grammars.left import without_left_recursion
from cwkc.grammars.names import word_but
from cwkc.grammars.places import exact
from cwkc.grammars.rules import FILE, Part, rules
from cwkc.grammars.tokens import Blank, Token
from cwkc.grammars.writing import lines

HEAD = "# The language of .cwk files, derived from its grammar by `cwkc grammar`."
BLANKS = r"[ \t\r\n]"
COMMENT = r'"#" [^\n\x00]*'
PREFIX = {Blank.MAY: "blanks? ", Blank.MUST: "blanks ", Blank.BESIDE: r"[ \t]* "}
ESCAPED = {
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
    "\\": r"\\",
    '"': r"\"",
    "]": r"\]",
    "[": r"\[",
    "^": r"\^",
    "-": r"\x2D",
}
CLASS_ONLY = "][^-"


def gbnf(comments: bool) -> str:
    """The grammar; its symbol `root` is a file."""
    form = _Form()
    written = [f"{form.name(name)} ::= {text}" for name, text in lines(without_left_recursion(rules()), form.written)]
    blank = f'({BLANKS} | {COMMENT} "\\n")+' if comments else f"{BLANKS}+"
    end = f"blanks? ({COMMENT})?" if comments else "blanks?"
    tokens = [f"{name} ::= {text}" for name, text in form.tokens.values()]
    return "\n".join([HEAD, f"root ::= {form.name(FILE)} {end}", *written, f"blanks ::= {blank}", *tokens, ""])


class _Form:
    """Names for the tokens, as they are met. Names have hyphens: older readers take no other sign in them."""

    def __init__(self) -> None:
        self.tokens: dict[tuple[str, frozenset[str]], tuple[str, str]] = {}

    def name(self, symbol: str) -> str:
        return symbol.replace("_", "-")

    def written(self, part: Part) -> str:
        if isinstance(part, str):
            return self.name(part)
        pattern = exact().terminals[part.terminal].pattern
        if isinstance(pattern, PatternStr):
            return f"{PREFIX[part.blank]}{_quoted(pattern.value)}"
        return f"{PREFIX[part.blank]}{self._token(part)}"

    def _token(self, token: Token) -> str:
        key = token.terminal, token.keywords
        if key not in self.tokens:
            value = exact().terminals[token.terminal].pattern.value
            alike = sum(terminal == token.terminal for terminal, _ in self.tokens)
            name = f"token-{self.name(token.terminal.lower())}" + (f"-{alike + 1}" if alike else "")
            pattern = word_but(token.keywords) if token.terminal == "NAME" else value
            self.tokens[key] = name, _sequence(patterns.parse(pattern, re.DOTALL))
        return self.tokens[key][0]


def _quoted(text: str) -> str:
    return '"' + "".join(each if each in CLASS_ONLY else ESCAPED.get(each, each) for each in text) + '"'


# ---------------------------------------------------------------------------- patterns


def _sequence(pattern: Iterable[tuple[Any, Any]]) -> str:
    """A pattern of Python, as far as the grammar has any: classes, alternatives, groups and repetitions."""
    return " ".join(_part(kind, value) for kind, value in pattern) or '""'


def _part(kind: Any, value: Any) -> str:
    if kind is kinds.LITERAL:
        return _quoted(chr(value))
    if kind is kinds.NOT_LITERAL:
        return f"[^{_of_class(chr(value))}]"
    if kind is kinds.IN:
        return _class(value)
    if kind is kinds.SUBPATTERN:
        return _grouped(value[3])
    if kind is kinds.BRANCH:
        return f"({' | '.join(map(_sequence, value[1]))})"
    low, high, repeated = value
    return f"{_grouped(repeated)}{_times(low, None if high is kinds.MAXREPEAT else high)}"


def _grouped(pattern: Any) -> str:
    """Something that a repetition may stand behind."""
    is_one = len(pattern) == 1 and pattern[0][0] is not kinds.MAX_REPEAT
    return _part(*pattern[0]) if is_one else f"({_sequence(pattern)})"


def _times(low: int, high: int | None) -> str:
    usual = {(0, 1): "?", (0, None): "*", (1, None): "+"}
    return usual.get((low, high)) or (f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}")


def _class(members: list[tuple[Any, Any]]) -> str:
    return "[" + "".join(_member(kind, value) for kind, value in members) + "]"


def _member(kind: Any, value: Any) -> str:
    if kind is kinds.NEGATE:
        return "^"
    if kind is kinds.RANGE:
        return f"{_of_class(chr(value[0]))}-{_of_class(chr(value[1]))}"
    return _of_class(chr(value))


def _of_class(character: str) -> str:
    return ESCAPED.get(character, character if character >= " " else f"\\x{ord(character):02X}")
