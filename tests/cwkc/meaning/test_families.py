"""Families: their parameters, their members, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwkc.diagnostics import Diagnostic, report
from cwkc.meaning.families import Family, Findings, Sampling, chosen

from .support import DESK, ROWS, check, codes


def family(parameters: str, body: str = "", *, request: str = "Do it.", rows: str = ROWS) -> str:
    return f"""{DESK}
family f({parameters}) {{
  now: 2026-03-14T09:00:00Z
  request $"{request}"
  tools desk, gmail
{rows}
{body}
  check 1 "closes" @T-1.status == closed
}}
"""


def the_family(text: str) -> Family:
    program, diagnostics = check(text)
    assert diagnostics == ()
    (found,) = program.families
    return found


def ids(text: str, most: int = 200, seed: int = 0) -> list[str]:
    return [member.id for member in the_family(text).members(Sampling(most, seed))]


def told(text: str) -> Sequence[Diagnostic]:
    """What is said of all members together."""
    found = the_family(text)
    findings = Findings(found.name)
    for member in found.members(Sampling()):
        findings.add(member, found.check(member)[1])
    return findings.told()


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("n: int in 1 to 3", ["f.1", "f.2", "f.3"]),
        ("n: int in -1 to 1", ["f.minus1", "f.0", "f.1"]),
        ("s: desk.Status in desk.Status", ["f.open", "f.closed"]),
        ("s: desk.Status in [closed], late: bool in [true, false]", ["f.closed-true", "f.closed-false"]),
        ("d: date in 2026-02-27 to 2026-03-01", ["f.2026-02-27", "f.2026-02-28", "f.2026-03-01"]),
        ('t: text in ["Été à Köln", "x/y", "x y", "日"]', ["f.Ete_a_Koln", "f.x_y", "f.x_y_2", "f.value"]),
        ("x: decimal in [0.5, 12]", ["f.0.5", "f.12"]),
        ("w: duration in [48h, 3d]", ["f.pt48h", "f.pt72h"]),
        ('e: email in ["a@b.test"]', ["f.a_b.test"]),
    ],
)
def test_ids_say_the_values(parameters: str, expected: list[str]) -> None:
    assert ids(family(parameters)) == expected


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("n: int in 3 to 1", ["E294"]),
        ("n: int in []", ["E294"]),
        ("n: int in 0 to 9_000_000_000", ["E294"]),
        ('t: text in "a" to "b"', ["E294"]),
        ("p: desk.Person in []", ["E294"]),
        ("p: [int] in []", ["E294"]),
        ("p: int? in [1]", ["E294"]),
        ("n: int in [1, 2, 1]", ["E262"]),
        ("n: int in [1], n: int in [2]", ["E262"]),
        ('n: int in ["one"]', ["E206"]),
        ("s: desk.Status in [opn]", ["E212"]),
        ("s: desk.Stats in [open]", ["E220"]),
    ],
)
def test_what_is_no_parameter(parameters: str, expected: list[str]) -> None:
    assert codes(family(parameters)) == expected


def test_a_parameter_is_a_constant_of_its_member() -> None:
    text = family(
        "s: desk.Status in [open, closed], n: int in 4 to 5",
        "let t = all x in desk.tickets where x.status == s and x.hours == n  given n",
        request="Find the {s} ones of {n} hours.",
    )
    found = the_family(text)
    member = found.member(3)
    task, diagnostics = found.check(member)
    assert diagnostics == ()
    assert task is not None
    assert (member.id, task.name, task.request) == ("f.closed-5", "f.closed-5", "Find the closed ones of 5 hours.")
    assert task.given[0].value == 5
    first, _ = found.check(found.member(0))
    assert first is not None
    assert first.truths["t"].value == ("T-1",) if first.truths["t"].value else first.truths["t"].value == ()


def test_a_parameter_and_an_enum_value_of_one_name_are_told_apart() -> None:
    text = family("open: desk.Status in [open, closed]", "let t = all x in desk.tickets where x.status == open")
    assert [each.code for each in told(text)] == ["E202"]


@given(st.integers(1, 10**24), st.integers(1, 60), st.text(max_size=3))
def test_a_sample_has_so_many_different_numbers(size: int, most: int, seed: str) -> None:
    numbers = list(chosen(size, most, seed))
    assert len(set(numbers)) == min(size, most)
    assert numbers == sorted(numbers) == list(chosen(size, most, seed))
    assert all(0 <= number < size for number in numbers)


def test_the_seed_decides_the_sample() -> None:
    text = family("n: int in 1 to 1000")
    assert ids(text, 5, 1) == ids(text, 5, 1)
    assert ids(text, 5, 1) != ids(text, 5, 2)


def test_what_is_wrong_with_every_member_is_told_once() -> None:
    (found,) = told(family("n: int in 1 to 30", "let t = only x in desk.tickets where x.hours == 99"))
    assert (found.code, found.message) == ("E231", "`only` matches none of the 3 records")


def test_what_is_wrong_with_some_members_names_them() -> None:
    first, second = '@T-1 { title: "a", opened: now, hours: n }', '@T-2 { title: "b", opened: now, hours: 4 }'
    rows = f"data desk.tickets {{ {first} {second} }}"
    (found,) = told(family("n: int in 1 to 9", "let t = only x in desk.tickets where x.hours >= 4", rows=rows))
    assert found.code == "E232"
    assert found.message.endswith(", with n = 4; and with n = 5; and in 4 more")


def test_a_mistake_of_the_family_does_not_name_a_member() -> None:
    text = family("n: int in 1 to 3").replace("  tools desk, gmail\n", "")
    (found,) = [each for each in told(text) if each.code == "E236"]
    assert found.message == "task `f` has no `tools`"


def test_a_grade_may_stand_apart_from_its_family() -> None:
    text = family("n: int in 1 to 2").replace('check 1 "closes" @T-1.status == closed', "")
    found = the_family(text + 'grade f { check 1 "closes" @T-1.status == closed }')
    task, diagnostics = found.check(found.member(0))
    assert diagnostics == ()
    assert task is not None
    assert len(task.checks) == 1


def test_names_of_tasks_and_families_are_told_apart() -> None:
    assert codes(family("n: int in 1 to 2") + "task f { }") == ["E262"]


def test_two_things_that_are_wrong_at_one_place_are_both_told() -> None:
    found = the_family(family("n: int in 1 to 3"))
    span = found.node.name.span
    findings = Findings(found.name)
    for member in found.members(Sampling()):
        lost = report("W403", span, name=f"a{member.parameters['n']}")
        findings.add(member, [lost, report("W403", span, name="b"), lost])
    assert [each.message for each in findings.told()] == [
        "nothing reads the truth `a1`, with n = 1; and with n = 2; and in 1 more",
        "nothing reads the truth `b`",
    ]


def test_ids_of_two_parameters_are_told_apart() -> None:
    found = ids(family('a: text in ["x-y", "x"], b: text in ["z", "y-z"]'))
    assert len(set(found)) == 4
