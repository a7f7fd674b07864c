"""From text to tokens: one rule for words, whatever the place.

A word is a keyword where the grammar can take it as one; before `:` it is a name where the grammar can take a name.
Literals and texts are read generously here (`20turns` is one token): what is wrong in them is said by the builder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from attrs import frozen
from lark import Token
from lark.common import LexerConf
from lark.lexer import Lexer, LexerState, PatternStr
from lark.parsers.lalr_analysis import Shift

# The token that no rule takes: an unclosed text, a sign or a character that is not of the language.
FOREIGN = "FOREIGN"

# The bracket that stands in more than `NESTING` others; no rule takes it either.
DEEP = "DEEP"
NESTING = 64
LEVELS = {"{": 1, ".{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}

# Words that are values: before the `:` of `every x in S where x.y == null: …` they stay what they are.
VALUES = frozenset({"true", "false", "null", "answer", "said"})

TOKEN = re.compile(
    r"""
    (?: [ \t\r\n]++ | \#[^\n]*+ )*+
    (?: (?P<WORD> [A-Za-z_][A-Za-z0-9_]*+ (?! [^\W\d_] ) )
      | (?P<SIGN> (?! => | // | /\* ) (?: == | != | <= | >= | -> | \.\{ | [-+*/<>=()\[\]{},:.?] ) )
      | (?P<LITERAL> [0-9]{4}-[0-9]{2}-[0-9]{2} (?: T [0-9:.]*+ (?: Z | [+-][0-9:]{0,5}+ )? )? \w*+
                   | [0-9][0-9_]*+ (?: -[\w-]*+ | (?: \.[0-9][0-9_]*+ )? \w*+ ) )
      | (?P<STRING> \"{3} (?: [^"\\]++ | \\(?s:.) | "(?!"") )*+ \"{3}
                  | (?! \"{3} ) " (?: [^"\\\n]++ | \\. )*+ " )
      | (?P<INTERPOLATED> \$\"{3} (?: [^"\\]++ | \\(?s:.) | "(?!"") )*+ \"{3}
                        | \$(?! \"{3} ) " (?: [^"\\\n]++ | \\. )*+ " )
      | (?P<REF> @ (?: [A-Za-z0-9_-]++ | "[^"\n]*+" ) )
      | (?P<FOREIGN> => | // | /\* | && | \|\| | \$? \"{3} (?s:.)*+ | \$? "[^\n]*+ | \w++ | (?s:.) )
      | \Z )
    """,
    re.VERBOSE,
)


@frozen
class Slice:
    """A part of a text: what a parse reads."""

    text: str
    start: int
    end: int


class Scanner(Lexer):
    """The lexer that lark calls; its input is a `Slice`."""

    __future_interface__ = 2

    def __init__(self, configuration: LexerConf) -> None:
        self.fixed = {
            terminal.pattern.value: terminal.name
            for terminal in configuration.terminals
            if isinstance(terminal.pattern, PatternStr)
        }

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        """The tokens of the slice, as the parser asks for them. What cannot be read is `FOREIGN` or `DEEP`."""
        piece: Any = lexer_state.text
        depth = 0
        for match in TOKEN.finditer(piece.text, piece.start, piece.end):
            group = match.lastgroup
            if group is None:
                return
            text = match[group]
            if group == "WORD":
                kind = self._word(text, parser_state, piece.text, match.end())
            elif group == "SIGN":
                depth += LEVELS.get(text, 0)
                kind = self.fixed[text] if depth <= NESTING else DEEP
            else:
                kind = group
            yield Token(kind, text, match.start(group))

    def _word(self, word: str, parser_state: Any, text: str, end: int) -> str:
        keyword = self.fixed.get(word)
        acceptable = parser_state.parse_conf.states[parser_state.position]
        if keyword is None or keyword not in acceptable:
            return "NAME"
        if "NAME" in acceptable and word not in VALUES and is_before_colon(text, end) and takes(parser_state, "NAME"):
            return "NAME"
        return keyword


def takes(parser_state: Any, terminal: str) -> bool:
    """Whether the parser can go on with a token, once it has left what is complete before it.

    The row of its state alone promises too much: there, what may follow somewhere may follow everywhere.
    """
    table, stack = parser_state.parse_conf.states, list(parser_state.state_stack)
    while (entry := table[stack[-1]].get(terminal)) is not None:
        action, argument = entry
        if action is Shift:
            return True
        del stack[len(stack) - len(argument.expansion) :]
        stack.append(table[stack[-1]][argument.origin.name][1])
    return False


def is_before_colon(text: str, end: int) -> bool:
    """Whether the next sign after `end`, blanks skipped, is a colon."""
    while text.startswith((" ", "\t"), end):
        end += 1
    return text.startswith(":", end)
