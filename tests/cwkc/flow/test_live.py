"""Every truth, requirement and `given` can matter to some run."""

import pytest

from cwkc.flow import follow

from .support import messages, said, task_of

CHECK = 'check 1 "finishes it" pump.done == true'
TOOLS = "desk.{list_cases, finish}"


@pytest.mark.parametrize(
    ("truths", "idle"),
    [
        ("let other = @C-2", ["other"]),
        ("let other = @C-2 let title = other.title", ["other", "title"]),
        ("let other = @C-2 given other", []),
        ('let other = @C-2 forbid "others" other.done', []),
        ("let other = @C-2 only changes pump.done, other.note", []),
        ('let other = @C-2 let ids = [other] forbid "others" some c in ids where c.done', []),
    ],
)
def test_truths(truths: str, idle: list[str]) -> None:
    assert [each.span.text for each in said(task_of(f"{truths} {CHECK}", tools=TOOLS), "W403")] == idle


def test_a_truth_that_the_request_shows_is_read() -> None:
    task = task_of(f"let other = @C-2.title {CHECK}", tools=TOOLS, request='$"Not {other}."')
    assert messages(task, "W403") == []


@pytest.mark.parametrize(
    ("condition", "fixed"),
    [
        ('pump.note == "new"', True),
        ("pump.done == true", False),
        ("start(pump.done) == false", True),
        ("count(desk.people) == 2", True),
        ("called desk.list_cases", False),
        ('answer contains "x"', False),
        ("no m in gmail.sent where m.to == pump.owner.email", True),
    ],
)
def test_requirements(condition: str, fixed: bool) -> None:
    task = task_of(f'{CHECK} require "so" {condition}', tools=TOOLS)
    assert bool(messages(task, "W404")) is fixed


@pytest.mark.parametrize(
    ("given", "idle"),
    [
        ("30h", False),
        ("31h", True),
        ('"Pump leaks"', False),
        ('"the pump"', False),
        ('"elephant"', True),
        ("2026-03-13", False),
        ("2026-03-11", True),
        ("pump", False),
        ("@P-2", True),
    ],
)
def test_given(given: str, idle: bool) -> None:
    body = (
        f'let fresh = all c in desk.cases where now - c.opened < 30h {CHECK} forbid "x" some c in fresh where c.locked'
    )
    task = task_of(f'{body} check 0 "says" answer contains $"{{pump.opened}}" given {given}', tools=TOOLS)
    assert bool(messages(task, "W405")) is idle


def test_the_theorems_of_a_sound_task() -> None:
    theorems = [established.theorem for established in follow(task_of(CHECK, tools=TOOLS))]
    assert [(each.name, each.verdict) for each in theorems] == [
        ("reachable", "executed"),
        ("sealed", "proved"),
        ("dated", "proved"),
        ("live", "proved"),
    ]
