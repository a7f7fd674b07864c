"""What literals stand for."""

from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwkc.syntax import tree

from .support import diagnosed, expression, item


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("1_000", 1000),
        ("007", 7),
        ("0.25", Fraction(1, 4)),
        ("1.0", Fraction(1)),
        ("1_000.5", Fraction(2001, 2)),
        ("2026-03-14", date(2026, 3, 14)),
        ("2026-03-14T09:00:00Z", datetime(2026, 3, 14, 9, tzinfo=UTC)),
        ("2026-03-14T09:00Z", datetime(2026, 3, 14, 9, tzinfo=UTC)),
        ("2026-03-14T09:00:30+02:00", datetime(2026, 3, 14, 9, 0, 30, tzinfo=timezone(timedelta(hours=2)))),
        ("2w", timedelta(weeks=2)),
        ("3d", timedelta(days=3)),
        ("48h", timedelta(hours=48)),
        ("90m", timedelta(minutes=90)),
        ("5s", timedelta(seconds=5)),
        ("1.5h", timedelta(minutes=90)),
    ],
)
def test_numbers_and_times(text: str, value: object) -> None:
    literal = expression(text)
    assert isinstance(literal, tree.Number | tree.Moment | tree.Length)
    assert literal.value == value
    assert type(literal.value) is type(value)


def test_a_colon_behind_an_offset_is_not_part_of_it() -> None:
    promise = expression("every x in s where x.due > 2026-03-14T09:00+02:00:x.paid")
    assert isinstance(promise, tree.Binder)
    assert promise.body is not None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("3x", "E113"),
        ("20turns", "E113"),
        ("1e5", "E113"),
        ("2026-02-30", "E114"),
        ("2026-03-14T25:00:00Z", "E114"),
        ("2026-03-14T09:00:00+99:00", "E114"),
        ("0000-01-01", "E114"),
        ("2026-2-3", "E115"),
        ("5-3", "E115"),
        ("2026-03-14T09:00:00", "E116"),
        ("2026-03-14T", "E116"),
        ("2026-03-14T09:00:00.5Z", "E116"),
        ("2026-03-14x", "E116"),
        ("0.5s", "E117"),
        ("9999999999w", "E117"),
        ("9" * 5000, "E118"),
        ("1." + "9" * 5000, "E118"),
    ],
)
def test_a_literal_that_stands_for_nothing_is_diagnosed_where_it_stands(text: str, code: str) -> None:
    found = diagnosed(f"cwk 1\ntask t {{ given {text} }}")
    assert [each.code for each in found] == [code]
    assert found[0].span.text == text


def text_of(literal: str) -> str:
    value = expression(literal).value
    assert isinstance(value, str)
    return value


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ('""', ""),
        (r'"a\n\t\r\"\\b"', 'a\n\t\r"\\b'),
        (r'"\u00e9"', "é"),
        ('"# no comment { ( ["', "# no comment { ( ["),
        ('"""one line"""', "one line"),
        ('"""\n    a\n      b\n\n    c\n  """', "a\n  b\n\nc"),
        ('"""\n    a\n    """', "a"),
        ('"""a\n    b\n      c"""', "a\nb\n  c"),
        ('"""\n\ta\n\t\tb\n"""', "a\n\tb"),
        ('"""\n  say "hi" and ""bye""\n"""', 'say "hi" and ""bye""'),
        ('"""\r\n  a\r\n  b\r\n"""', "a\nb"),
        (r'"""\"""" ', '"'),
        ('"""\n"""', ""),
        ('"""   """', "   "),
        ('"""\n  a\\n  b\n"""', "a\n  b"),
    ],
)
def test_texts(literal: str, value: str) -> None:
    assert text_of(literal) == value


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_an_escaped_text_stands_for_itself(value: str) -> None:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    assert text_of(f'"{escaped}"') == value
    assert text_of(f'"""{escaped}"""') == value


@pytest.mark.parametrize("escape", [r"\q", r"\x", r"\'", r"\u", r"\ud800"])
def test_an_unknown_escape_is_diagnosed(escape: str) -> None:
    found = diagnosed(f'cwk 1\ntask t {{ given "a{escape}-b" }}')
    assert [each.code for each in found] == ["E111"]
    assert found[0].span.text == escape


def parts(literal: str) -> list[str]:
    shown = item(f"task t {{ request {literal} }}").items[0].text
    assert isinstance(shown, tree.Interpolation)
    return [part.value if isinstance(part, tree.Text) else f"<{part.text}>" for part in shown.parts]


@pytest.mark.parametrize(
    ("literal", "shown"),
    [
        ('$"{a}"', ["<a>"]),
        ('$"one {a.b} two {c}"', ["one ", "<a.b>", " two ", "<c>"]),
        ('$"{{a}} {b}"', ["{a} ", "<b>"]),
        (r'$"a\n{b}"', ["a\n", "<b>"]),
        ('$""', []),
        ('$"""\n    one {a}\n      two\n  """', ["one ", "<a>", "\n  two"]),
    ],
)
def test_interpolations(literal: str, shown: list[str]) -> None:
    assert parts(literal) == shown


@pytest.mark.parametrize("broken", ["{a b}", "{}", "{1}", "{", "}", "{a.}"])
def test_braces_around_no_name_are_diagnosed(broken: str) -> None:
    found = diagnosed(f'cwk 1\ntask t {{ request $"one {broken} two" }}')
    assert [each.code for each in found] == ["E119"]
    assert found[0].span.text == broken


def test_a_path_in_a_text_has_its_own_place() -> None:
    shown = item('task t { request $"""\n    one {a.b}\n  """ }').items[0].text
    assert shown.parts[1].span.text == "a.b"
    assert [name.span.text for name in shown.parts[1].names] == ["a", "b"]
