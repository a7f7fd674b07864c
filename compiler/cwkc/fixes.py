"""Fixes that work: a text in the place of a marked one, offered or made only once it was tried.

A fix works when, with it, the diagnostic is gone and none has come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from attrs import evolve, frozen

from cwkc.diagnostics import Diagnostic

Texts = Mapping[str, str]
"""Of the files that are not as they lie there, the text by name."""

Understand = Callable[[Texts], Sequence[Diagnostic]]
"""What is wrong with the files when some have these texts."""

LONGEST_CHAIN = 20
"""So many mistakes may stand one behind the other, each seen only once the last is mended."""


@frozen(eq=False)
class State:
    texts: Texts
    found: Sequence[Diagnostic]


def offered(found: Sequence[Diagnostic], understand: Understand) -> tuple[Diagnostic, ...]:
    """The diagnostics, those whose fix does not work without it."""
    now = State({}, understand({}))
    return tuple(
        each if each.fix is None or not _new(now, each, _with(now, each, understand)) else evolve(each, fix=None)
        for each in found
    )


def mended(names: Collection[str], understand: Understand) -> State:
    """The files with every fix in those of these names that works, alone or with those of the mistakes behind it."""
    state = State({}, understand({}))
    while (after := _better(state, names, understand)) is not None:
        state = after
    return state


def _better(state: State, names: Collection[str], understand: Understand) -> State | None:
    """The state with the first fix that works; None where there is none. It has fewer diagnostics."""
    fixable = (each for each in state.found if _is_fixable(each, names))
    tried = (_followed(state, each, names, understand) for each in fixable)
    return next((after for after in tried if after is not None), None)


def _followed(before: State, each: Diagnostic, names: Collection[str], understand: Understand) -> State | None:
    """The state with a fix, and with those of the mistakes that are seen behind it; None where others are left."""
    first, state = each, before
    for _ in range(LONGEST_CHAIN):
        state = _with(state, each, understand)
        new = _new(before, first, state)
        if not new:
            return state
        if not all(_is_fixable(each, names) for each in new):
            return None
        each = new[0]
    return None


def _is_fixable(each: Diagnostic, names: Collection[str]) -> bool:
    return each.fix is not None and each.span.source.name in names


def _with(state: State, each: Diagnostic, understand: Understand) -> State:
    """The state with one fix."""
    source, start, end = each.span.source, each.span.start, each.span.end
    texts = {**state.texts, source.name: f"{source.text[:start]}{each.fix}{source.text[end:]}"}
    return State(texts, understand(texts))


def _new(before: State, without: Diagnostic, after: State) -> list[Diagnostic]:
    """What was not found before; nor, there, that one diagnostic."""
    known = Counter(map(_key, before.found))
    known[_key(without)] -= 1
    return _unknown(after.found, known)


def _unknown(found: Iterable[Diagnostic], known: Counter[object]) -> list[Diagnostic]:
    new = []
    for each in found:
        known[_key(each)] -= 1
        if known[_key(each)] < 0:
            new.append(each)
    return new


def _key(each: Diagnostic) -> object:
    """What a diagnostic says, wherever its line has gone."""
    return each.code, each.message, each.span.source.name
