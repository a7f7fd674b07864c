"""What is told of what people bring along from elsewhere, beyond the one case that the corpus shows."""

import pytest

from cwkc.source import Source
from cwkc.syntax.parser import parse


@pytest.mark.parametrize(
    ("allowed", "help"),
    [
        ("stale.{status}", "name each by itself: `stale.status`"),
        ("stale.owner.{ status,\n resolution }", "name each by itself: `stale.owner.status, stale.owner.resolution`"),
        ("@TK-301.{status, title}", "name each by itself: `@TK-301.status, @TK-301.title`"),
    ],
)
def test_fields_in_braces_are_named_one_by_one(allowed: str, help: str) -> None:
    _, found = parse(Source("task.cwk", f"cwk 1\ntask t {{\n  only changes {allowed}\n}}\n"))
    assert [(each.code, each.help) for each in found] == [("E152", help)]


def test_of_braces_that_hold_something_else_nothing_is_made_up() -> None:
    _, found = parse(Source("task.cwk", 'cwk 1\ntask t {\n  only changes stale.{status\n  check 1 "x" true\n}\n'))
    assert "E152" not in {each.code for each in found}
