"""Every value that a full score needs can be learned, or it is said which cannot."""

import pytest

from .support import ROWS, messages, said, task_of

LISTS = "desk.{list_cases}"
READS = "desk.{list_cases, get_case}"
MAILS = "gmail.send_message"


def missing(body: str, tools: str, **words: str) -> list[str]:
    return messages(task_of(body, tools=tools, **words), "E410")


def owner(rest: str = "") -> str:
    return f"""
  check 1 "tells the owner" some m in gmail.sent where m.to == pump.owner.email
{rest}
"""


def test_a_chain_of_reads() -> None:
    """The case's note has the name, and the name finds the address."""
    assert missing(owner(), f"desk.{{list_cases, get_case, find_person}}, {MAILS}") == []


def test_a_field_that_no_tool_shows() -> None:
    (found,) = said(task_of(owner(), tools=f"{READS}, {MAILS}"), "E410")
    assert "`ana@work.test`, the `email` of `@P-1`" in found.message
    assert "no offered tool would" in found.help
    assert [label.span.text for label in found.related] == ['email: "ana@work.test"']


def test_the_last_thing_that_is_known_is_named() -> None:
    body = 'check 1 "says the salary" answer states pump.owner.salary within 0'
    (found,) = said(task_of(body, tools="desk.{list_cases, get_case, find_person}"), "E410")
    assert "of `@P-1` `desk_find_person` shows `name`, `email`, and no offered tool shows `salary`" in found.help


def test_an_id_that_nothing_shows() -> None:
    body = 'check 1 "finishes it" pump.done == true'
    assert missing(body, "desk.{get_case, finish}") == [
        "`finishes it` needs the id `C-1`, and nothing that an agent can learn gives it away"
    ]
    assert missing(body, "desk.{list_cases, finish}") == []


def test_an_id_is_known_from_a_text_and_not_from_a_longer_one() -> None:
    body = 'check 1 "finishes it" pump.done == true'
    assert missing(body, "desk.{finish}", request="Finish C-1, please.") == []
    assert missing(body, "desk.{finish}", request="Finish C-1x and C-10 and AC-1.") != []


def test_a_search_finds_what_known_words_match() -> None:
    body = 'check 1 "names a person" answer contains @P-2.name'
    tools = "desk.{search_people}"
    assert missing(body, tools) != []
    assert missing(body, tools, request="What is the whole name of Lind?") == []


def test_limits_by_default_can_be_raised() -> None:
    assert missing('check 1 "names the last" answer contains @C-3.title', LISTS) == []


def test_days_near_the_clock_can_be_tried() -> None:
    assert missing('check 1 "says the amount" answer states pump.amount within 0', "desk.{cases_on}") == []
    far = ROWS.replace("now - 30h", "now - 300d")
    assert missing('check 1 "says the amount" answer states pump.amount within 0', "desk.{cases_on}", rows=far) != []


def test_a_tool_that_refuses_shows_nothing() -> None:
    locked = ROWS.replace("amount: 1240.50", "amount: 1240.50, locked: true")
    body = 'check 1 "says the amount" answer states pump.amount within 0'
    assert missing(body, READS, rows=locked) != []
    assert missing(body, "desk.{list_cases, get_case, unlock}", rows=locked) == []


def test_what_a_rule_forbids_is_no_source() -> None:
    body = 'check 1 "says the amount" answer states pump.amount within 0'
    tools = "desk.{list_cases, finish}"
    assert missing(body, tools) == []
    assert missing(f'{body} forbid "finishes" tried desk.finish', tools) != []
    assert missing(f"{body} only changes new gmail.sent", tools) != []
    assert missing(f"{body} only changes pump.done", tools) == []


@pytest.mark.parametrize(
    ("expression", "tools", "known"),
    [
        ("sum(c.amount for c in desk.cases)", READS, True),
        ("sum(c.amount for c in desk.cases)", LISTS, False),
        ("count(all c in desk.cases where c.amount > 300)", READS, True),
        ("count(all c in desk.cases where c.amount > 300)", LISTS, False),
        ("pump.amount * 2 + 10", READS, True),
        ("pump.amount + pump.owner.salary", READS, False),
        ("round(pump.amount / 3, 2)", READS, True),
        ("100 * pump.amount / 3", READS, True),
        ("pump.amount + 4711", READS, False),
    ],
)
def test_computed_numbers(expression: str, tools: str, known: bool) -> None:
    assert (missing(f'let n = {expression} check 1 "says it" answer states n within 0', tools) == []) is known


@pytest.mark.parametrize(
    ("expression", "known"),
    [
        ('$"{pump.title} ({pump.id})"', True),
        ("weekday(date(pump.opened))", True),
        ("pump.owner.name", True),
        ("lower(pump.owner.email)", False),
    ],
)
def test_computed_texts(expression: str, known: bool) -> None:
    assert (missing(f'let it = {expression} check 1 "says it" answer contains it', READS) == []) is known


@pytest.mark.parametrize(
    ("condition", "known"),
    [
        ('answer contains "pump leaks"', True),
        ('answer contains "do it"', True),
        ('answer contains "minimal"', False),
        ('answer contains "15:30"', True),
        ('answer contains "2026-03-16"', True),
        ('answer contains "2027-03-16"', False),
        ('answer contains "ok"', True),
        ("answer states 12 within 0", True),
        ("answer states 1240.50 within 0", True),
        ("answer states 4711 within 0", False),
        ('answer mentions any of ["minimal", "pump"]', True),
        ('answer mentions all of ["minimal", "pump"]', False),
        ('answer lists "Pump", "Valve" in order', True),
        ('answer matches "[Pp]ump +leaks$"', True),
        ('answer matches "^[A-Z]{2}-[0-9]+$"', True),
        ('answer matches "REFERENCE-[A-Z]{3}"', False),
        ('answer matches "(REFERENCE|pump)"', True),
        ('called gmail.send_message(to: "chief@work.test")', False),
        ('called gmail.send_message(to: "me@work.test") or answer contains "pump"', True),
        ("some m in gmail.sent where m.to in [@P-1.email, @P-2.email]", False),
        ('not (answer contains "minimal") and called desk.list_cases', True),
        ('count(called gmail.send_message(to: "chief@work.test")) >= 2', False),
        ("called desk.get_case(case_id: pump) before called desk.list_cases", True),
    ],
)
def test_what_a_condition_needs(condition: str, known: bool) -> None:
    assert (missing(f'check 1 "does" {condition}', f"{READS}, {MAILS}") == []) is known


def test_given_says_it() -> None:
    body = 'check 1 "says it" answer contains "minimal"'
    assert missing(body, READS) != []
    assert missing(f'{body} given "minimal"', READS) == []
    assert missing(owner("given pump.owner.email"), f"{LISTS}, {MAILS}") == []


def test_records_chosen_by_what_nobody_can_see() -> None:
    """Names are shown, and who is high is not."""
    body = (
        'let chief = only p in desk.people where p.level == high check 1 "names the chief" answer contains chief.name'
    )
    tools = "desk.{list_cases, get_case, find_person}"
    assert missing(body, tools, request="Name whoever is high.") == [
        "`names the chief` needs to know `chief`, chosen by `level` of `@P-1`,"
        " and nothing that an agent can learn gives it away"
    ]
    assert missing(f"{body} given chief.name", tools) == []


def test_one_message_for_all_that_is_missing_at_one_place() -> None:
    body = 'let all_of = all c in desk.cases check 1 "finishes all" each c in all_of: c.done == true'
    (message,) = missing(body, "desk.{finish}")
    assert "needs the ids `C-1`, `C-2`, `C-3`" in message


def test_a_share_needs_all_that_it_counts() -> None:
    body = """
  let others = all c in desk.cases where c.id != pump.id
  check 1 "reads them" share count(all c in others where called desk.get_case(case_id: c)) / count(others)
"""
    assert missing(body, READS) == []
    (message,) = missing(body, "desk.{get_case}", request="C-2 comes first.")
    assert "the id `C-3`" in message
