"""The diagnostic of a mistake that no refusal knows: what stands there, and what may stand there."""

from __future__ import annotations

from difflib import get_close_matches

from cwkc.diagnostics import Diagnostic, report
from cwkc.syntax.mistakes import Mistake, Word
from cwkc.syntax.vocabulary import (
    KINDS,
    LEADING,
    OPERATORS,
    SOME_OPERATORS,
    SOME_TASK_STATEMENTS,
    SOME_VALUES,
    TASK_STATEMENTS,
    VALUES,
)

# How many of the things that may stand in a place are named.
SHOWN = 8
# How much of a long text is shown.
LONGEST = 40

FOUND = {"LITERAL": "`{}`", "REF": "the record id `{}`", "STRING": "the text `{}`", "INTERPOLATED": "the text `{}`"}


def unexpected(mistake: Mistake) -> Diagnostic:
    if mistake.found.kind == "END":
        return ends_early(mistake, mistake.previous, expected(mistake.expected))
    meant, allowed = close_word(mistake), expected(mistake.expected)
    help = f"here may stand {allowed}"
    if meant:
        help = f"perhaps `{meant}` is meant"
    elif mistake.previous.text in LEADING:
        help = f"`{mistake.previous.text}` is a word of the language, after which may stand {allowed}"
    found = FOUND.get(mistake.found.kind, "`{}`").format(shown(mistake.found))
    return report("E101", mistake.span(), help=help, found=found)


def ends_early(mistake: Mistake, last: Word, missing: str) -> Diagnostic:
    return mistake.report("E102", mistake.span(last, last), last=shown(last), expected=missing)


def close_word(mistake: Mistake) -> str | None:
    """The keyword that could stand there and is spelled most like the word that does."""
    keywords = [each for each in mistake.expected if each.isalpha() and each.islower()]
    close = get_close_matches(mistake.found.text.lower(), sorted(keywords), 1, 0.75)
    return close[0] if close and mistake.found.kind == "WORD" else None


def expected(words: frozenset[str]) -> str:
    """`a name, a text or "}"`: a few of them, the commonest bundles by one name."""
    named: list[str] = []
    if words >= SOME_OPERATORS:
        words, named = words - OPERATORS, ["an operator"]
    elif words >= SOME_VALUES:
        words, named = words - VALUES, ["an expression"]
    if words >= SOME_TASK_STATEMENTS:
        words = words - TASK_STATEMENTS - {"NAME"}
        named.append("a statement such as `check`")
    kinds = [KINDS[word] for word in KINDS if word in words]
    written = [f"`{word}`" for word in sorted(words - KINDS.keys())]
    choices = [*named, *kinds, *written]
    if len(choices) > SHOWN:
        choices = [*choices[: SHOWN - 1], "more"]
    return " or ".join([", ".join(choices[:-1]), choices[-1]] if len(choices) > 1 else choices)


def shown(word: Word) -> str:
    """A word of the text, in one line, its end cut off when it is long."""
    text = " ".join(word.text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
