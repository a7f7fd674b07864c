"""What is to be delivered must be learned, and is not to be told."""

from __future__ import annotations

from cwkc.flow import follow
from cwkc.meaning import typed

from .support import messages, said, task_of

READS = "desk.{list_cases, get_case}"
ONE = 'deliver it answer { amount: decimal = pump.amount } check 1 "says it" delivered it'
ALL = """
let all_cases = all c in desk.cases where c.opened > now - 48h
deliver it answer rows c in all_cases key c.id { amount: decimal = c.amount }
check 1 "says them" delivered it
"""


def test_a_value_that_a_tool_shows_can_be_delivered() -> None:
    assert messages(task_of(ONE, tools=READS), "E410") == []


def test_a_value_that_no_tool_shows_cannot() -> None:
    assert len(messages(task_of(ONE, tools="desk.list_cases"), "E410")) == 1


def test_of_rows_each_value_is_needed() -> None:
    assert len(messages(task_of(ALL, tools="desk.{list_cases, cases_on}"), "E410")) == 0
    (missing,) = messages(task_of(ALL, tools="desk.list_cases"), "E410")
    assert missing.startswith("`says them` needs the `amount` of `@C-1`, `@C-2`, `@C-3`")


def test_the_request_gives_no_value_away() -> None:
    assert len(said(task_of(ONE, tools=READS, request="It is about 1,240.50."), "E411")) == 1


def test_the_words_about_a_field_give_no_value_away() -> None:
    told = ONE.replace("pump.amount }", 'pump.amount "1240.50 or so" }')
    (found,) = said(task_of(told, tools=READS), "E411")
    assert "what is to be delivered" in found.message
    assert found.span.text == "1240.50"


def test_the_names_and_the_values_that_are_allowed_tell_nothing() -> None:
    level = 'deliver it answer { level: desk.Level = pump.owner.level } check 1 "says it" delivered it'
    assert said(task_of(level, tools="desk"), "E411") == []


def test_a_contract_that_nothing_asks_for_is_idle() -> None:
    assert len(idle(task_of('deliver it answer { n: int = 1 } check 1 "x" answer contains "x"', tools=READS))) == 1
    assert idle(task_of(ONE, tools=READS)) == []


def idle(task: typed.Task) -> list[str]:
    return [each.code for found in follow(task) for each in found.diagnostics if each.code == "W270"]
