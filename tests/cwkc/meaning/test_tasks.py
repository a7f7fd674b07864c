"""Tasks, grading, files: what is accepted and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cwkc.meaning import typed

from .support import DESK, ROWS, check, codes, task, the_task

EACH = 'check 0.2 "each" each t in none: t.status == closed'


def test_a_task_knows_its_parts() -> None:
    body = """
  let target = only t in desk.tickets where t.hours == 4
  require "looks first" called desk.get_ticket(ticket_id: target) before called desk.set_status else cap 0.5
  forbid "drops" tried desk.drop else safety 0.25
  policy "Never write to Bo." forbid "writes to Bo" called gmail.send_message(to: "bo@desk.test")
  only changes target.status, new gmail.sent
  limit 20 turns, 5 calls
  given 3d
"""
    checks = 'check 0.5 "a" target.status == closed  check 1/2 "b" answer contains "T-1"'
    program, diagnostics = check(task(body, checks))
    assert diagnostics == ()
    built = the_task(program)
    assert built.truths["target"].value == "T-1"
    assert built.requirements[0].amount == Fraction(1, 2)
    assert built.limits == {"turns": 20, "calls": 5}
    assert built.policies == ("Never write to Bo.",)
    frame = built.forbids[-1]
    assert isinstance(frame, typed.FrameDef)
    assert [(a.kind, a.id, a.field, a.store) for a in frame.allowed] == [
        ("field", "T-1", "status", None),
        ("new", None, None, "gmail.sent"),
    ]


def test_a_tool_only_reads_when_nothing_in_it_writes() -> None:
    program, _ = check(task(""))
    tools = {tool.name: tool.reads_only for tool in the_task(program).tools}
    assert tools["desk.get_ticket"]
    assert tools["desk.list_tickets"]
    assert not tools["desk.set_status"]
    assert not tools["desk.drop"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('forbid "x" tried gmail.delete_everything', ["E204"]),
        ('forbid "x" called desk.drop(ticket: @T-1)', ["E218"]),
        ('forbid "x" called desk.set_status(status: done)', ["E212"]),
        ('forbid "x" called desk.set_status where to == 3', ["E201"]),
        ('forbid "x" called desk.set_status else safety 1.5', ["E251"]),
        ('require "x" (@T-1.status == closed) before called desk.drop', ["E216"]),
        ('check 0.2 "closes" @T-2.hours == 1', ["E262"]),
        ('check 0.2 "each" each t in desk.tickets: t.status == closed', ["E266"]),
        ("let none = all t in desk.tickets where t.hours == 9 " + EACH, ["E253"]),
        ("only changes desk.people.nme", ["E205"]),
        ("only changes new @T-1", ["E252"]),
        ("limit 3 tokens", ["E239"]),
        ("limit 0 calls", ["E239"]),
        ('allow E201 "why"', ["E250"]),
        ("reward completion * luck", ["E201"]),
        ("colour: red", ["E234"]),
        ("capabilities: 3", ["E235"]),
        ("let a = 1\n let a = 2", ["E262"]),
        ("extend desk.Ticket { title: text }", ["E262"]),
        ("extend desk.Tickets { x: text }", ["E220"]),
        ('judge 0.2 "nice" """is it nice"""', []),
        ('judge 0.2 "closes" "is it nice"', ["E262"]),
        ('judge 0.2 "nice" "  "', ["E286"]),
        ('judge 0.2 "nice" $"is it nice to {somebody}"', ["E201"]),
        ('judge 0.2 "nice" $"does it say {answer}"', ["E201"]),
        ('user { persona "Bo" }', []),
        ('user { knows { a: "x" when learned b } }', ["E300"]),
        ('forbid "arguments by either name" called desk.set_status where arg.status == closed', []),
        ('forbid "ambiguous" called desk.set_status where hours == 1', ["E201"]),
        ('let status = 1\n forbid "x" called desk.set_status where status == 1', ["E202"]),
    ],
)  # fmt: skip
def test_what_grading_may_say(body: str, expected: list[str]) -> None:
    assert codes(task(body)) == expected


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ('@T-4 { title: "x", opened: now + 1h }', ["E246"]),
        ('@T-4 { title: "x" }', ["E224"]),
        ('@T-4 { title: "x", opened: now, owner: @P-9 }', ["E214"]),
        ('@T-4 { title: "x", opened: now, ownr: @P-1 }', ["E205"]),
        ('@T-4 { title: "x", opened: now, owner: "P-1" }', ["E209"]),
        ('@T-4 { title: "x", opened: "2026-03-14" }', ["E213"]),
        ('@T-4 { title: "see you Monday 2026-03-10", opened: now }', ["E245"]),
        ('@T-4 { title: "see you Tuesday 2026-03-10", opened: now }', []),
        ('@T-1 { title: "again", opened: now }', ["E262"]),
        ("@T-4 { title: @T-1.title, opened: now }", ["E290"]),
        ('@T-4 { title: "x", opened: now, hours: count(desk.people) }', ["E290"]),
    ],
)
def test_initial_records(row: str, expected: list[str]) -> None:
    assert codes(task(f"  data desk.tickets {{ {row} }}")) == expected


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ('@T-1 { title: "again", opened: now }', ["E262"]),
        ('@T-4 { title: "x", opened: now, hour: 9 }', ["E205"]),
    ],
)
def test_what_follows_from_a_broken_record_is_not_said(row: str, expected: list[str]) -> None:
    body = f"""  data desk.tickets {{ {row} }}
  let one = only t in desk.tickets where t.hours == 9
  let some_of = all t in desk.tickets where t.hours == 9
"""
    assert codes(task(body, 'check 1 "closes" each t in some_of: t.status == closed')) == expected


def test_a_store_that_is_not_there_leaves_no_truth_to_judge() -> None:
    rows = ROWS.replace("desk.tickets", "desk.ticket")
    assert "E231" not in codes(task("  let it = only t in desk.tickets where t.hours == 4", rows=rows))


def test_a_mistake_in_a_world_is_told_once() -> None:
    rows = ROWS.replace("data desk.tickets {", 'data desk.tickets { @T-9 { title: "x" }')
    text = f"{DESK} world office {{ {rows} }}"
    for name in ("a", "b"):
        text += f"""
task {name} in office {{
  now: 2026-03-14T09:00:00Z request "x" tools desk check 1 "c" @T-1.status == closed
}}"""
    assert codes(text) == ["E224"]


def test_a_task_whose_service_is_broken_goes_no_further() -> None:
    program, diagnostics = check(task("").replace("rate: decimal", "rate: decimals"))
    assert [each.code for each in diagnostics] == ["E220"]
    assert program.tasks == ()


def test_nor_does_one_of_whose_service_nothing_is_said() -> None:
    """Unknown names are passed over where a file could not be read whole."""
    text = task("").replace("rate: decimal = 1.5", "rate: decimal = much")
    program, diagnostics = check(f"{text} task broken {{ now }}")
    assert "E201" not in [each.code for each in diagnostics]
    assert program.tasks == ()


def test_a_pattern_is_a_regular_expression() -> None:
    text = task("", 'check 1 "c" @T-1.title matches "?"')
    assert codes(text) == ["E213"]


@pytest.mark.parametrize(
    ("condition", "help"),
    [
        ("called drop(ticket_id: @T-1)", "a tool is named with its service: `desk.drop`"),
        ("called desk_drop(ticket_id: @T-1)", "a tool is named with its service: `desk.drop`"),
        ("desk.drop", "it is a tool, and whether it was called is `called desk.drop`"),
        ("@T-1.status == Status.closed", "an enum's value is written alone, without `Status.`"),
        ("@T-1.status == desk.Status.closed", "an enum's value is written alone, without `desk.Status.`"),
        ('answer.contains("done")', "it is an operator: `text contains …`"),
    ],
)
def test_what_other_languages_write_is_put_right(condition: str, help: str) -> None:
    _, (diagnostic,) = check(task("", f'check 1 "c" {condition}'))
    assert diagnostic.help == help


def test_one_person_one_address() -> None:
    rows = ROWS + '  data contacts.contacts { @C-1 { name: "ANA", email: "ana@elsewhere.test" } }'
    text = task("", rows=rows).replace("use gmail", "use gmail, contacts")
    assert "E247" in codes(text)


def test_a_world_and_a_grade_join_their_task() -> None:
    text = f"""{DESK}
world office {{ {ROWS} }}
task t in office {{ now: 2026-03-14T09:00:00Z request "Close it." tools desk }}
grade t {{ let it = only t in desk.tickets where t.hours == 4 check 1 "closes" it.status == closed }}
"""
    program, diagnostics = check(text)
    assert diagnostics == ()
    assert the_task(program).truths["it"].value == "T-1"
    assert codes(text.replace("grade t", "grade u")) == ["E238", "E236"]
    assert codes(text.replace("in office", "in offic")) == ["E237"]


def test_files_use_each_other() -> None:
    shared = f"{DESK}\nworld office {{ {ROWS} }}"
    main = """cwk 1 use "shared.cwk"
task t in office { now: 2026-03-14T09:00:00Z request "x" tools desk check 1 "c" @T-1.status == closed }
"""
    program, diagnostics = check(main, shared=shared)
    assert diagnostics == ()
    assert set(the_task(program).sources) == {"main.cwk", "shared.cwk", "stdlib/gmail.cwk"}
    assert codes(main) == ["E227"]
    assert codes(main, shared=shared.replace("use gmail", 'use gmail\nuse "main.cwk"')) == ["E226"]


def test_two_tasks_of_one_name() -> None:
    text = task("") + task("").replace(DESK, "")
    assert codes(text) == ["E262"]


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("tool x (t: Ticket) -> Ticket { set t { status: closed } }", ["E242"]),
        ("tool x (t: Ticket) { return t }", ["E241"]),
        ("tool x (t: Ticket) -> Person { return t }", ["E206"]),
        ("tool x () { insert tickets { opened: now } }", ["E224"]),
        ("tool x (t: Ticket) { let t = 1 }", ["E262"]),
        ("tool x (hours: int?) { set tickets[\"T-1\"] { hours } }", []),
        ("tool x (owner: Person?) { insert tickets { title: \"a\", opened: now, owner } }", []),
        ("tool x (a: text?) { insert people { name: a, email: \"a@b.test\" } }", ["E225"]),
        ("tool x (t: Ticket) -> [Ticket.{titel}] { return [t] }", ["E205"]),
        ("tool x (t: Tiket) -> Ticket { return t }", ["E220"]),
        ("tool x () -> int { return count(tickets) }", []),
        ("tool x () -> Ticket { if 1 == 1 { return tickets[\"a\"] } else { fail no \"no\" } }", []),
        ("tool x () -> Ticket { return @T-1 }", ["E244"]),
    ],
)  # fmt: skip
def test_tools(tool: str, expected: list[str]) -> None:
    assert codes(DESK.rstrip()[:-1] + tool + "\n}") == expected
