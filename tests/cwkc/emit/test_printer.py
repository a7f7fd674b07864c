"""The printer: what fits stays on a line, what does not is broken at its outermost brackets first."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from cwkc.emit.printer import WIDTH, Document, called, listed, printed, wrapped

NAMES = st.text("abcdefgh", min_size=1, max_size=30)
CALLS: st.SearchStrategy[Document] = st.recursive(
    NAMES.map(lambda name: f"v_{name}"),
    lambda inner: st.lists(inner, max_size=6).map(lambda items: called("call", *items)),
    max_leaves=40,
)


def test_what_fits_stays_on_one_line() -> None:
    assert printed(called("f", "a", listed("[", ["b", "c"], "]"))) == "f(a, [b, c])"


def test_what_does_not_fit_gets_a_line_for_each_item_and_a_last_comma() -> None:
    items = ["a" * 50, called("g", "b", "c"), "d" * 70]
    assert printed(called("f", *items), 4) == f"f(\n        {'a' * 50},\n        g(b, c),\n        {'d' * 70},\n    )"


def test_what_follows_up_to_the_next_break_counts() -> None:
    call = called("f", "x" * (WIDTH - 4))
    assert printed((call, ")")).count("\n") == 0
    assert printed((call, ").y")).count("\n") == 2


def test_wrapping_shows_only_when_it_breaks() -> None:
    assert printed(wrapped("short")) == "short"
    assert printed(wrapped(("x" * 70, called("f", "y" * 60)))).startswith("(\n    x")


@given(CALLS, st.integers(0, 60))
def test_the_layout_changes_nothing_but_the_layout(document: Document, indentation: int) -> None:
    text = printed(document, indentation)
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(printed(document)))
    for line in text.splitlines():
        assert len(line) <= WIDTH or line.count("(") <= 1


def test_depth_needs_no_recursion() -> None:
    document: Document = "x"
    for _ in range(5_000):
        document = called("f", document)
    assert printed(document).count("f(") == 5_000
