"""What an agent is to find out does not stand in what it is told."""

import pytest

from .support import ROWS, SERVICE, messages, said, task_of

OWNER = "let owner = pump.owner"
TOOLS = "desk.{list_cases, get_case, find_person, finish}, gmail.send_message"


def open_values(request: str, body: str, **words: str) -> list[str]:
    """The words in the request that give something away."""
    return [each.span.text for each in said(task_of(body, tools=TOOLS, request=request, **words), "E411")]


FINISH = 'check 1 "finishes it" pump.done == true'
ANSWER = 'check 1 "says it" answer contains pump.id'


@pytest.mark.parametrize(
    ("told_text", "expression", "told"),
    [
        ("Finish C-1.", "pump.id", ["C-1"]),
        ("Finish c-1.", "pump.id", ["c-1"]),
        ("Finish C-10, and AC-1.", "pump.id", []),
        ("The pump drips. Finish it.", "pump.id", []),
        ("About the PUMP  leaks: finish it.", "pump.title", ["PUMP  leaks"]),
        ("About the PUMP  leaks: finish it.", "pump.id", []),
        ("It is with ANA@work.test.", "pump.owner.email", ["ANA@work.test"]),
        ("It is with ana@work.test.example.", "pump.owner.email", []),
        ("Ana Costa owns it.", "pump.owner.name", ["Ana Costa"]),
        ("Anana Costa owns it.", "pump.owner.name", []),
    ],
)
def test_texts_ids_and_addresses(told_text: str, expression: str, told: list[str]) -> None:
    body = f'check 1 "says it" answer contains {expression}'
    assert open_values(told_text, body) == told


@pytest.mark.parametrize(
    ("told_text", "expression", "told"),
    [
        ("It costs 1,240.50.", "pump.amount", ["1,240.50"]),
        ("It costs 1240.5 EUR.", "pump.amount", ["1240.5"]),
        ("It costs 99.", "@C-2.amount", []),
        ("It costs 310.", "@C-3.amount", ["310"]),
        ("See C-310 and 3100.", "@C-3.amount", []),
    ],
)
def test_numbers(told_text: str, expression: str, told: list[str]) -> None:
    assert open_values(told_text, f'check 1 "says it" answer states {expression} within 0') == told


@pytest.mark.parametrize(
    ("words", "told"),
    [("1990-05-08", True), ("8 May 1990", True), ("May 8th, 1990", True), ("8 May", False), ("9 May 1990", False)],
)
def test_dates(words: str, told: bool) -> None:
    body = 'let day = $"{pump.owner.birthday}" check 1 "says it" answer contains day'
    assert open_values(f"Born on {words}.", body) == ([words] if told else [])


def test_moments_count_by_their_day_and_today_is_no_secret() -> None:
    body = 'let day = $"{pump.opened}" check 1 "says it" answer contains day'
    assert open_values("Opened on 13 March.", body) == ["13 March"]
    today = ROWS.replace("now - 30h", "now - 1h")
    assert open_values("Opened on 14 March.", body, rows=today) == []


def test_words_of_a_closed_list_and_short_texts_are_no_secrets() -> None:
    body = """
  let chief = only p in desk.people where p.level == high and not (p.name == "Bo")
  check 1 "says who" answer contains chief.name
"""
    short = ROWS.replace('name: "Bo Lind"', 'name: "Bo"')
    assert open_values("Who is high? Not Bo.", body, rows=short) == []


@pytest.mark.parametrize("test", ['c.title == "Pump leaks"', 'c.title contains "leaks"', 'c.title in ["Pump leaks"]'])
def test_words_that_the_author_chooses_by_are_the_tasks_own(test: str) -> None:
    body = f'let case = only c in desk.cases where {test} check 1 "finishes" case.done == true'
    assert open_values("Finish the case pump leaks.", body) == []


def test_what_is_chosen_by_something_computed_is_read() -> None:
    body = "let case = only c in desk.cases where c.title == @C-1.title " + FINISH.replace("pump.", "case.")
    assert open_values("Finish the case pump leaks.", body) == ["pump leaks"]
    assert open_values("Finish the case pump leaks.", f'{body} given "Pump leaks"') == []


def test_only_records_that_are_chosen_are_read() -> None:
    assert open_values("Finish the pump's case, and leave Valve jams, C-2 and 310 be.", FINISH) == []


def test_only_what_a_full_score_turns_on_is_sought() -> None:
    body = f'let rest = all c in desk.cases where c.id != pump.id {FINISH} forbid "others" some c in rest where c.done'
    assert open_values("Finish the pump's case, not C-2.", body) == []


@pytest.mark.parametrize("given", ["pump", "@C-1", '"C-1"', "[pump]"])
def test_given_exempts(given: str) -> None:
    assert open_values("Finish C-1.", FINISH) == ["C-1"]
    assert open_values("Finish C-1.", f"{FINISH} given {given}") == []


def test_a_policy_is_told_as_well() -> None:
    body = f"""{FINISH}
  policy "Write to ana@work.test alone."
  forbid "writes to others" called gmail.send_message where to != pump.owner.email
  check 0 "writes" some m in gmail.sent where m.to == pump.owner.email
"""
    (found,) = said(task_of(body, tools=TOOLS), "E411")
    assert found.span.text == "ana@work.test"
    assert "stands in a policy" in found.message


@pytest.mark.parametrize(
    ("described", "told"),
    [
        ("Read a case. C-3 is the wrong one.", True),
        ("Read a case, by its id, like C-3.", False),
        ("Read a case or a pipe.", False),
    ],
)
def test_how_a_tool_describes_itself_is_told_as_well(described: str, told: bool) -> None:
    """But neither its examples nor its plain words are answers."""
    service = SERVICE.replace('"Read a case."', f'"{described}"')
    named = 'let last = only c in desk.cases where c.title == "Pipes" check 1 "says it" answer contains last.id'
    rows = ROWS.replace('"Pipe"', '"Pipes"')
    assert bool(messages(task_of(named, tools=TOOLS, rows=rows, service=service), "E411")) is told


def test_a_value_put_into_the_request() -> None:
    (found,) = said(task_of(FINISH, tools=TOOLS, request='$"Finish {pump.id}."'), "E411")
    assert found.span.text == '$"Finish {pump.id}."'
    assert "add `given @C-1`" in found.help


def test_the_row_and_the_reader_are_named() -> None:
    body = 'let address = pump.owner.email check 1 "tells" some m in gmail.sent where m.to == address'
    (found,) = said(task_of(body, tools=TOOLS, request="Tell ana@work.test."), "E411")
    assert "it is the `email` of `@P-1` that `address` reads" in found.message
    assert [label.span.text for label in found.related] == ['email: "ana@work.test"']
