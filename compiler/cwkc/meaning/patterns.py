"""Regular expressions: which of them may stand in a task, and what they spell out.

The parsed form of a pattern has no public name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from cwkc.diagnostics import report
from cwkc.meaning import typed
from cwkc.meaning.names import Names

parser: Any = import_module("re._parser")

_REPEATS = (parser.MAX_REPEAT, parser.MIN_REPEAT)


def check_pattern(expr: typed.Expr, names: Names) -> None:
    """Refuses a literal that is no regular expression, or one that a text can keep busy for ever."""
    if not (isinstance(expr, typed.Constant) and isinstance(expr.value, str)):
        return
    try:
        re.compile(expr.value, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as failure:
        help = f"{failure}; a sign that stands for itself goes into brackets, like `[?]`"
        names.sink.append(report("E213", expr.span, value=expr.value, wanted="regular expression", help=help))
        return
    if _repeats_repetitions(parser.parse(expr.value)):
        help = "a repetition of a repetition, like `(a+)+`, can be matched in more ways than anybody can try: drop one"
        names.sink.append(report("E213", expr.span, value=expr.value, wanted="regular expression", help=help))


def literal_words(pattern: str) -> tuple[str, ...]:
    """The words that every text has which the pattern is found in, of those that the pattern spells out."""
    runs, run = [], ""
    for operator, argument in (*parser.parse(pattern), (None, None)):
        if operator == parser.LITERAL:
            run += chr(argument)
        else:
            runs.append(run)
            run = ""
    return tuple(word for run in runs for word in re.findall(r"\w{3,}", run))


def _repeats_repetitions(pattern: Iterable[Any]) -> bool:
    """Whether something without an upper bound is repeated without one, with nothing beside it that tells where each
    repetition ends."""
    for operator, argument in pattern:
        parts = [part for part in _within(argument) if isinstance(part, parser.SubPattern)]
        if operator in _REPEATS and argument[1] == parser.MAXREPEAT and _is_unbounded(argument[2]):
            return True
        if any(_repeats_repetitions(part) for part in parts):
            return True
    return False


def _is_unbounded(pattern: Any) -> bool:
    """Whether a pattern is one repetition without an upper bound, in brackets or not."""
    if len(pattern) != 1:
        return False
    operator, argument = pattern[0]
    if operator == parser.SUBPATTERN:
        return _is_unbounded(argument[-1])
    return operator in _REPEATS and argument[1] == parser.MAXREPEAT


def _within(argument: Any) -> Iterator[Any]:
    """The parts of an operator's argument, those of alternatives included."""
    for part in argument if isinstance(argument, tuple | list) else (argument,):
        if isinstance(part, list):
            yield from _within(part)
        else:
            yield part
