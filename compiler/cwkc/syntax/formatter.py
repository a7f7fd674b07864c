"""The formatter: one layout for what a file says, whoever wrote it. It has no options.

Each time it runs it proves that the result has the same syntax tree and the same comments in the same order, and that
formatting it again changes nothing; else it gives no result.
"""

from __future__ import annotations

from cwkc.diagnostics import Diagnostic, has_errors, report
from cwkc.source import Source, Span
from cwkc.syntax import tree
from cwkc.syntax.blocks import printed
from cwkc.syntax.comments import Words, words_of
from cwkc.syntax.parser import concrete, module
from cwkc.syntax.reading import Branch

LAWS = {
    "tree": "the result would not say the same",
    "comments": "the result would not have the same comments in the same order",
    "twice": "the result would be changed by formatting it again",
}


PASSES = 3
"""How often a layout may ask for another."""


def format_text(source: Source) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The text of a file as it is to be laid out; None, and the reason, when it cannot be read, or when a law would be
    broken."""
    whole = concrete(source)
    before, found = module(source, whole)
    if whole is None or has_errors(found):
        return None, found
    words = words_of(source.text, whole)
    result = _settled(printed(whole, words), source.name)
    if result == source.text:
        return result, ()
    broken = _broken_law(before, words, Source(source.name, result))
    if broken is None:
        return result, ()
    return None, (report("E008", Span(source, 0, 0), name=source.name, law=LAWS[broken]),)


def _settled(text: str, name: str) -> str:
    """The text laid out again where its own layout asks for another: what is aligned depends on what was."""
    for _ in range(PASSES):
        whole = concrete(Source(name, text))
        again = text if whole is None else printed(whole, words_of(text, whole))
        if again == text:
            break
        text = again
    return text


def _broken_law(before: tree.Module, words: Words, result: Source) -> str | None:
    whole: Branch | None = concrete(result)
    after, found = module(result, whole)
    if whole is None or has_errors(found) or after != before:
        return "tree"
    again = words_of(result.text, whole)
    if again.comments != words.comments:
        return "comments"
    return None if printed(whole, again) == result.text else "twice"
