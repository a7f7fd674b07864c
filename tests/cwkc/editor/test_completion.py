"""What is offered at a place, most of them places in statements that cannot be read yet."""

import pytest

from cwkc.editor import Analysis
from cwkc.editor.completion import completion
from cwkc.meaning.deliverables import _FORMATS
from cwkc.resources import standard_services
from tests.cwkc.editor.support import SERVICE, WHOLE, analyse, marked, within


def labels(statement: str) -> list[str]:
    return offered(*within(statement))


def offered(analysis: Analysis, offset: int) -> list[str]:
    found = completion(analysis, offset)
    return [item.label for item in found.items] if found else []


def of_text(text: str) -> list[str]:
    whole, offset = marked(text)
    return offered(analyse(whole), offset)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("data desk.|", ["people", "tickets"]),
        ("data desk.tickets { @T-9 { | } }", ["title", "owner", "status", "opened"]),
        ('data desk.tickets { @T-9 { title: "a", | } }', ["owner", "status", "opened"]),
        ('check 0 "x" target.|', ["title", "owner", "status", "opened", "id"]),
        ('check 0 "x" target.owner.|', ["name", "email", "id"]),
        ('check 0 "x" (only t in desk.tickets where t.status == open).|', ["title", "owner", "status", "opened", "id"]),
        ("let x = only p in desk.people where p.|", ["name", "email", "id"]),
        ("let x = every t in desk.tickets where t.owner == target.owner: t.|", ["title", "owner", "status"]),
        ('check 0 "x" called desk.|', ["list_tickets", "get_ticket", "set_status"]),
        ('check 0 "x" called desk.set_status(|', ["ticket_id", "status"]),
        ('check 0 "x" called desk.set_status(ticket_id: target, |)', ["status"]),
        ('check 0 "x" called desk.set_status(ticket_id: @|', ["@T-1", "@T-2"]),
        ('check 0 "x" @|', ["@P-1", "@T-1", "@T-2"]),
        ("tools |", ["desk"]),
        ("tools desk.|", ["list_tickets", "get_ticket", "set_status"]),
        ("tools desk.{get_ticket, |", ["list_tickets", "set_status"]),
        ("extend desk.|", ["Person", "Ticket"]),
        ("only changes target.|", ["title", "owner", "status", "opened", "id"]),
        ("limit 20 |", ["turns", "calls", "seconds"]),
        ('deliver x "a.csv" |', [*_FORMATS]),
        ('forbid "x" called desk.set_status where arg.|', ["ticket_id", "status"]),
        ('request $"a {tar|"', ["target", "owner"]),
        ('request $"a {target.o|"', ["title", "owner", "status", "opened", "id"]),
    ],
)
def test_exactly_what_fits(statement: str, expected: list[str]) -> None:
    found = labels(statement)
    assert found[: len(expected)] == expected
    assert not [label for label in found[len(expected) :] if label not in ("id", "opened")]


@pytest.mark.parametrize(
    ("statement", "first", "without"),
    [
        ('check 0 "x" target.status == |', ["open", "closed"], "t"),
        ('check 0 "x" target.status in [open, |', ["open", "closed"], "t"),
        ("data desk.tickets { @T-9 { status: |", ["open", "closed"], "deliver"),
        ('check 0 "x" called desk.set_status(status: |', ["open", "closed"], "before"),
        ('check 0 "x" called desk.set_status(status: != |', ["open", "closed"], "before"),
        ('forbid "x" called desk.set_status where |', ["ticket_id", "status", "target"], "t"),
        ("only changes |", ["target", "owner", "desk"], "t"),
        ("let x = some p in desk.people where |", ["p", "target"], "t"),
    ],
)
def test_what_is_likeliest_stands_first(statement: str, first: list[str], without: str) -> None:
    found = labels(statement)
    assert found[: len(first)] == first
    assert without not in found


def test_warnings_can_be_allowed_and_errors_cannot() -> None:
    found = labels("allow |")
    assert {"W401", "W402"} <= {*found}
    assert not [code for code in found if code.startswith("E")]


def test_a_truth_can_be_used_below_its_definition_alone() -> None:
    text, offset = marked(WHOLE.replace("let target = only", "let early = |\n  let target = only"))
    found = offered(analyse(text), offset)
    assert "desk" in found
    assert "target" not in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("|", ["cwk"]),
        ("cwk 1\n\n|", ["enum", "family", "grade", "plan", "record", "service", "task", "use", "vocabulary", "world"]),
        ("cwk 1\nuse |", [*standard_services()]),
        ("cwk 1\nuse crm, |", [*standard_services()]),
    ],
)
def test_at_the_top(text: str, expected: list[str]) -> None:
    assert of_text(text) == expected


def test_where_a_statement_may_begin() -> None:
    found = labels("|")
    assert {"check", "let", "request", "now:", "deliver"} <= {*found}
    assert "service" not in found


def in_tool(body: str) -> list[str]:
    head = SERVICE.rstrip().removesuffix("}")
    return of_text(f"{head}  tool made (ticket_id: Ticket, note: text) -> Ticket {{\n    {body}\n  }}\n}}\n")


def test_in_a_tool() -> None:
    assert in_tool("return |")[:4] == ["ticket_id", "note", "people", "tickets"]
    assert in_tool("return ticket_id.|")[:2] == ["title", "owner"]
    assert in_tool("set ticket_id { status: | }")[:2] == ["open", "closed"]
    assert in_tool("insert tickets { title: note, |")[:3] == ["owner", "status", "opened"]
    assert in_tool("insert |")[:2] == ["people", "tickets"]
    assert in_tool("let other = ticket_id.owner\n    return |")[:3] == ["ticket_id", "note", "other"]


def test_where_a_type_is_wanted() -> None:
    head = SERVICE.rstrip().removesuffix("}")
    found = of_text(f"{head}  record More {{\n    x: |\n  }}\n}}\n")
    assert {"text", "datetime", "Status", "Person", "Ticket"} <= {*found}
    assert "check" not in found
    assert of_text(f"{WHOLE}\nservice more {{\n  record R {{\n    x: desk.|\n  }}\n}}\n") == [
        "Status",
        "Person",
        "Ticket",
    ]


@pytest.mark.parametrize("statement", ["# a comment |", 'request "in a text |"', 'request "not closed |'])
def test_nothing_in_comments_and_texts(statement: str) -> None:
    analysis, offset = within(statement)
    assert completion(analysis, offset) is None


def test_what_is_replaced_is_the_word_that_has_been_begun() -> None:
    analysis, offset = within('check 0 "x" called desk.set_status(ticket_id: @T-|')
    found = completion(analysis, offset)
    assert found is not None
    assert found.span.text == "@T-"


def test_a_mistake_further_up_does_no_harm() -> None:
    broken = WHOLE.replace('check 0.25 "reads it" called', 'check 0.25 "reads it" called called')
    analysis, offset = within('check 0 "x" target.|', broken)
    assert offered(analysis, offset)[:2] == ["title", "owner"]
