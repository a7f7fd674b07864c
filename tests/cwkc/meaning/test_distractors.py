"""Distractors: each misses its truth by one condition, and by no other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, holds
from cwkc.meaning.initial import initial_view
from cwkc.meaning.walk import conjuncts

from .support import check, codes, task, the_task

CONDITIONS = (
    "t.status == open",
    "now - t.opened > 40h",
    't.title contains "printer"',
    '"hot" in t.tags',
    "t.hours >= 3",
    "t.owner.rate < 2",
    't.owner.manager.name == "Bo"',
    "(t.hours == 4 or t.status == closed)",
    "not (t.owner is null)",
)


def program(where: str, *, count: int = 6, quantifier: str = "only", name: str = "t", more: str = "") -> str:
    body = (
        f"let target = {quantifier} t in desk.tickets where {where}\ndistract {count} desk.tickets near target\n{more}"
    )
    text = task(body, 'check 1 "says it" answer contains "x"')
    return text.replace("task t {", f"task {name} {{")


def missed(built: typed.Task, id: str) -> list[str]:
    """The conditions of the truth that a record does not meet."""
    binder = built.truths["target"].expr
    assert isinstance(binder, typed.Binder)
    assert binder.where is not None
    view = initial_view(built.records, built.stores, built.rows, built.now)
    truths = {name: truth.value for name, truth in built.truths.items()}
    scope = Scope(view, view, now=built.now, truths=truths).bind(binder.variable.name, id)
    return [" ".join(part.span.text.split()) for part in conjuncts(binder.where) if not holds(part, scope)]


@settings(max_examples=40)
@given(st.lists(st.sampled_from(CONDITIONS), min_size=1, max_size=5, unique=True), st.integers(1, 12))
def test_each_misses_one_condition_and_the_truth_stays(conditions: list[str], count: int) -> None:
    where = " and ".join(dict.fromkeys(["now - t.opened > 40h", *conditions]))
    checked, found = check(program(where, count=count, more='allow W453 "one may imply another"'))
    assert found == ()
    built = the_task(checked)
    assert built.truths["target"].value == "T-1"
    assert len(built.distractors) == count
    for each in built.distractors:
        assert missed(built, each.id) == [each.misses]


def test_conditions_take_turns() -> None:
    built = the_task(check(program('t.status == open and t.title contains "printer"', count=4))[0])
    assert [each.misses for each in built.distractors] == ["t.status == open", 't.title contains "printer"'] * 2


def test_ids_go_on_as_they_are_written() -> None:
    built = the_task(check(program('t.title contains "printer"', count=3))[0])
    assert [each.id for each in built.distractors] == ["T-4", "T-5", "T-6"]


def test_a_record_to_refer_to_is_made_where_none_will_do() -> None:
    built = the_task(check(program("t.owner.rate < 2 and not (t.owner is null)", count=2))[0])
    first = next(each for each in built.distractors if each.misses == "t.owner.rate < 2")
    owner = next(row for row in built.rows if row.id == first.id).fields["owner"]
    rates = {row.id: row.fields["rate"] for row in built.rows if row.store == "desk.people"}
    assert rates[owner] >= 2


def test_nothing_is_dated_after_the_clock() -> None:
    built = the_task(check(program("now - t.opened > 40h", count=20))[0])
    assert all(row.fields["opened"] <= built.now for row in built.rows if row.store == "desk.tickets")


def test_a_list_may_be_near_as_well() -> None:
    built = the_task(check(program("t.hours is null", quantifier="all", count=5))[0])
    assert built.truths["target"].value == ("T-2", "T-3")
    assert all(missed(built, each.id) == ["t.hours is null"] for each in built.distractors)


def test_the_same_each_time_and_another_in_another_task() -> None:
    def made(name: str) -> list[typed.RowDef]:
        built = the_task(check(program("now - t.opened > 40h", name=name))[0])
        return [row for row in built.rows if row.id in {each.id for each in built.distractors}]

    assert made("one") == made("one")
    assert made("one") != made("two")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("distract 3 desk.tickets near nobody", ["E201"]),
        ("let n = 3 distract 3 desk.tickets near n", ["E296"]),
        ("let p = only x in desk.people where x.rate == 1.5 distract 3 desk.tickets near p", ["E296"]),
        ("let t = only x in desk.tickets where x.hours == 4 distract 0 desk.tickets near t", ["E235"]),
        ("let t = only x in desk.tickets where x.hours == 4 distract 3 desk.nothing near t", ["E204"]),
        ("let t = only x in desk.tickets where x.hours == 40 distract 3 desk.tickets near t", ["E231"]),
        ('let t = only x in desk.tickets where x.id == "T-1" distract 3 desk.tickets near t', ["E297"]),
    ],
)
def test_what_cannot_be_near(body: str, expected: list[str]) -> None:
    assert codes(task(body, 'check 1 "says it" answer contains "x"')) == expected
