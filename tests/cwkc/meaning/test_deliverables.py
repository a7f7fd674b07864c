"""`deliver` and `delivered`: what a contract holds, what the agent is told of it, and what is refused."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from coworkdsl.contracts import Contract
from cwkc.meaning import typed
from cwkc.meaning.contracts import contract_words

from .support import check, codes, task, the_task

ASKED = 'check 1 "delivers" delivered it'
OPEN = "let open_ones = all t in desk.tickets where t.status == open"


def deliverable(body: str) -> typed.DeliverDef:
    program, diagnostics = check(task(body, ASKED).replace("use gmail", "use gmail, files"))
    assert diagnostics == ()
    return the_task(program).deliverables["it"]


def refused(body: str, asked: str = ASKED) -> list[str]:
    return codes(task(body, asked).replace("use gmail", "use gmail, files"))


def test_one_row_has_the_values_of_the_initial_world() -> None:
    found = deliverable(
        'deliver it "a.json" json { rate: decimal = @P-2.rate  day: date = date(now)  who: email = @P-1.email'
        "  status: desk.Status = closed }"
    )
    columns = (("rate", "decimal"), ("day", "date"), ("who", "email"), ("status", "enum"))
    assert found.contract == Contract(
        "json", columns, ((Fraction(9, 4), date(2026, 3, 14), "Ana@Desk.test", "closed"),)
    )


def test_rows_are_told_apart_by_their_key() -> None:
    found = deliverable(f"{OPEN}\ndeliver it answer rows t in open_ones key t.id {{ title: text = t.title }}")
    rows = (("T-1", "Printer is ON fire"), ("T-3", "Lost key"))
    assert found.contract == Contract("text", (("id", "text"), ("title", "text")), rows, "id")


def test_a_truth_further_down_may_be_promised() -> None:
    assert deliverable('deliver it "a.txt" text { n: int = n }\nlet n = count(desk.tickets)').contract.rows == ((3,),)


def test_the_whole_condition_earns_a_share_and_a_part_does_not() -> None:
    body = "deliver it answer { n: int = 3 }"
    checks = 'check 0.5 "all" delivered it\n check 0.5 "both" delivered it and @T-1.status == closed'
    program, _ = check(task(body, checks))
    assert [each.share for each in the_task(program).checks] == ["delivered", None]


def test_the_agent_is_told_format_fields_and_allowed_values() -> None:
    found = deliverable(
        f'{OPEN}\ndeliver it "a.csv" csv rows t in open_ones key t.id {{ status: desk.Status = t.status "as it is now"'
        "  late: bool = true }"
    )
    assert contract_words(found).splitlines() == [
        "Write the file a.csv: CSV, a header row with the names of the fields, then one row for each `id` that is asked"
        " for, and for no other. The fields are:",
        "- `id`: a text, by which each is told apart",
        "- `status`: one of open, closed (as it is now)",
        "- `late`: true or false",
        "It looks like this, with values in place of <…>:",
        "id,status,late",
        "<id>,<status>,<late>",
    ]


@pytest.mark.parametrize(
    ("body", "opening", "shape"),
    [
        ('deliver it "a.json" json { n: int = 1 }', "Write the file a.json: JSON, one object.", '{"n": <n>}'),
        ('deliver it "a.csv" csv { n: int = 1 }', "names of the fields, then one row.", "n\n<n>"),
        ('deliver it "a.xlsx" xlsx { n: int = 1 }', "an .xlsx workbook, its bytes in base64.", "n\n<n>"),
        (
            'deliver it "a.xlsx" xlsx rows t in desk.tickets key t.id { n: int = 1 }',
            "names of the fields, then one row for each `id` that is asked for, and for no other.",
            "id,n\n<id>,<n>",
        ),
        ('deliver it "a.txt" text { n: int = 1 }', "plain text, a line for each field.", "n: <n>"),
        ("deliver it answer { n: int = 1 }", "Your last message has a line for each field.", "n: <n>"),
        (
            'deliver it "a.json" json rows t in desk.tickets key t.id { n: int = 1 }',
            "JSON, a list with one object for each `id` that is asked for, and for no other.",
            '[{"id": <id>, "n": <n>}, …]',
        ),
        (
            "deliver it answer rows t in desk.tickets key t.id { n: int = 1 }",
            "a line for each `id` that is asked for, and for no other.",
            "id: <id>; n: <n>",
        ),
    ],
)
def test_each_form_is_told(body: str, opening: str, shape: str) -> None:
    words = contract_words(deliverable(body))
    assert opening in words
    assert words.endswith(f":\n{shape}")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("deliver it answer { n: int = 1 }\ndeliver it answer { n: int = 2 }", ["E262"]),
        ("deliver it answer { n: int = 1  n: int = 2 }", ["E262"]),
        ("deliver it answer rows t in desk.tickets key t.id { id: text = t.id }", ["E262"]),
        ("deliver it answer {}", ["E277"]),
        ('deliver it "a.xlsx" xlsx { n: text = "=one\\ntwo; three" }', []),
        ('deliver it "a.xlsx" xlsx { n: decimal = 1 / 3 }', ["E275"]),
        ('deliver it "a.yaml" yaml { n: int = 1 }', ["E272"]),
        ("deliver it answer { n: int? = 1 }", ["E273"]),
        ("deliver it answer { n: [int] = [1] }", ["E273"]),
        ("deliver it answer { who: desk.Person = @P-1 }", ["E273"]),
        ("deliver it answer rows t in desk.tickets key t.owner { n: int = 1 }", ["E273"]),
        ("deliver it answer rows t in desk.tickets key t.status { n: int = 1 }", ["E276"]),
        ("deliver it answer rows t in desk.tickets key lower(t.title) { n: int = 1 }", ["E279"]),
        ("deliver it answer rows t in desk.tickets key t.id { n: int = t.hours }", ["E274"]),
        ("deliver it answer rows t in @T-1.title key t.id { n: int = 1 }", ["E206"]),
        (
            'let none = all t in desk.tickets where t.title == "x"\n'
            "deliver it answer rows t in none key t.id { n: int = 1 }",
            ["E253"],
        ),
        ("deliver it answer { n: int = 1 / 0 }", ["E206"]),
        ("deliver it answer { n: decimal = 1 / 0 }", ["E230"]),
        ("deliver it answer { n: decimal = 1 / 3 }", ["E275"]),
        ('deliver it answer { n: text = "one\\ntwo" }', ["E275"]),
        ('deliver it answer { n: text = "one; two" }', []),
        ('deliver it answer rows t in desk.tickets key t.id { n: text = "one; two" }', ["E275"]),
        ("deliver it answer { n: Nothing = 1 }", ["E220"]),
        ('deliver it answer { n: int = "x" }', ["E206"]),
        ("deliver it answer { n: bool = called desk.drop }", ["E215"]),
        ('deliver it answer { n: int = 1 "as of Monday, 2026-03-14" }', ["E245"]),
        ("", ["E278"]),
        ("let x = only t in desk.tickets\ndeliver it answer { n: text = x.title }", ["E232"]),
        ("let x = @T-1.titel\ndeliver it answer rows t in x key t.id { n: text = t.title }", ["E205"]),
    ],
)
def test_what_is_refused(body: str, expected: list[str]) -> None:
    assert refused(body) == expected


NEW_TICKET = 'on opened at now + 1d silent { insert desk.tickets { @T-9 { title: "Door", opened: now } } }'
FOUND = f'{NEW_TICKET}\nlet found after opened = all t in desk.tickets where t.title contains "door"\n'
FOUND += "let late after opened = only t in found\nlet title after opened = late.title\n"


@pytest.mark.parametrize(
    ("contract", "expected"),
    [
        ("{ n: text = late.title }", ["E307"]),
        ('{ n: bool = some t in found where t.title contains "lock" }', ["E307"]),
        ("{ n: int = sum(t.hours for t in found) }", ["E307"]),
        ("rows t in found key t.id { n: text = t.title }", ["E307"]),
        ("{ n: text = title }", []),
        ("{ n: int = count(found) }", []),
        ("rows t in found key t.id { n: text = @T-1.title }", []),
    ],
)
def test_a_contract_reads_no_field_of_a_record_that_comes_later(contract: str, expected: list[str]) -> None:
    assert refused(f"{FOUND}deliver it answer {contract}") == expected


def test_files_need_their_service() -> None:
    assert codes(task('deliver it "a.json" json { n: int = 1 }', ASKED)) == ["E270"]


def test_delivered_is_a_fact_about_the_run() -> None:
    body = "deliver it answer { n: int = 1 }\nlet x = delivered it"
    assert refused(body) == ["E215"]
    assert refused('deliver it answer { n: int = 1 }\nalways "x" delivered it') == ["E215"]
