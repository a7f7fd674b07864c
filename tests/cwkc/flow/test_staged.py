"""What users and events let an agent learn, and what is written for nothing."""

from __future__ import annotations

import pytest

from .support import messages, said, task_of

FINISHES = 'check 0.5 "finishes" pump.done == true'


def errors(body: str, tools: str = "desk") -> list[str]:
    return [each.span.text for each in said(task_of(body, tools=tools), "E410")]


# ---------------------------------------------------------------------------- reachable


@pytest.mark.parametrize(
    ("told", "blamed"),
    [
        ('user { knows { which: "It is Zebra." when said contains "which" } }', []),
        ('on call turn 1 { say "It is Zebra." }', []),
        ('on mail turn 1 { insert desk.cases { @C-9 { title: "It is Zebra", opened: now } } }', []),
        ('on mail turn 1 silent { insert desk.cases { @C-9 { title: "It is Zebra", opened: now } } }', []),
        ('user { knows { which: "It is the striped one." when said contains "which" } }', ["word"]),
        ("", ["word"]),
    ],
    ids=["told", "said", "brought", "brought silently", "told otherwise", "told by nobody"],
)
def test_a_value_is_learned_from_whoever_tells_it(told: str, blamed: list[str]) -> None:
    grading = f'let word = "zebra" {told} {FINISHES} check 0.5 "names it" answer contains word'
    assert errors(grading) == blamed


def test_what_an_event_brings_is_not_there_before_it() -> None:
    """A case that the event locks can be read until then, and no longer when its amount is known."""
    shown = "on late at now + 1d {{ set @C-1 {{ amount: 777{locks} }} }} let total after late = @C-1.amount"
    check = 'check 1 "sums" answer contains "777" and total == 777'
    tools = "desk.{list_cases, get_case}"
    assert errors(f"{shown.format(locks='')} {check}", tools) == []
    assert errors(f"{shown.format(locks=', locked: true')} {check}", tools) == ['"777"']


# ---------------------------------------------------------------------------- live


def test_facts_and_events_that_nothing_needs() -> None:
    body = f"""
  user {{ knows {{
    idle: "The weather is fine." when said contains "weather"
    asked: "Quite so." when said contains "so"
  }} }}
  on unread at now + 1d silent {{ insert gmail.drafts {{ @draft_1 {{
    from: "a@b.test", to: "a@b.test", subject: "x", body: "x", date: now
  }} }} }}
  on told at now + 1d {{ insert gmail.drafts {{ @draft_2 {{
    from: "a@b.test", to: "a@b.test", subject: "x", body: "x", date: now
  }} }} }}
  {FINISHES} check 0.5 "asks" learned asked
"""
    task = task_of(body, tools="desk")
    assert [each.span.text for each in said(task, "W406")] == [
        'idle: "The weather is fine." when said contains "weather"'
    ]
    assert [each.span.text for each in said(task, "W407")] == ["unread"]


@pytest.mark.parametrize(
    ("event", "does"),
    [
        ("on x at now + 1d { set pump { done: false } }", ["sets the `done` of `@C-1`"]),
        ("on x at now + 1d { delete pump }", ["deletes `@C-1`"]),
        ("on x at now + 1d { set pump { done: true } }", []),
        ("on x at now + 1d { set pump { amount: 3 } }", []),
        ("on x at now + 1d { set @C-2 { done: false } }", []),
    ],
)
def test_an_event_that_undoes_the_agents_work(event: str, does: list[str]) -> None:
    """What fulfils a check by itself is an error of another kind."""
    task = task_of(f'{event} check 1 "finishes" pump.done == true', tools="desk")
    assert messages(task, "W408") == [
        f"the event `x` {each}, by which `finishes` judges what the agent did" for each in does
    ]
