"""A task of Claw-Eval becomes a task whose tools, records and rules are those of its folder."""

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml

from coworkdsl import Pack
from cwkc import driver
from cwkc.diagnostics.terminal import Page, render
from cwkc.importing import Imported, import_claw_eval

MAILS = [
    {
        "message_id": "msg_7",
        "from": "nadia@harbour.test",
        "to": "me@harbour.test",
        "subject": "Crane inspection",
        "body": "Two things:\n- the crane\n- the log",
        "date": "2026-05-04T10:20:00+02:00",
        "labels": ["INBOX"],
        "is_read": False,
        "importance": 3,
    }
]


def tool(name: str, *needed: str, **properties: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {key: {"type": each} for key, each in properties.items()}}
    return {"name": name, "description": name, "input_schema": {**schema, "required": list(needed)}}


def definition(tools: list[dict[str, Any]], **others: Any) -> dict[str, Any]:
    endpoints = [{"tool_name": each["name"], "url": f"http://localhost:1/{each['name']}"} for each in tools]
    return {
        "task_id": "T900_harbour",
        "task_name": "Harbour mail",
        "category": "communication",
        "difficulty": "easy",
        "prompt": {"text": "Read the mail.\nThen answer it.\n", "language": "en"},
        "tools": tools,
        "tool_endpoints": endpoints,
        "environment": {"max_turns": 12, "timeout_seconds": 60},
        **others,
    }


def folder(place: Path, task: dict[str, Any], **fixtures: Any) -> Path:
    """A task's folder; `gmail__inbox=…` is the fixture `gmail/inbox.json`."""
    (place / "task.yaml").write_text(yaml.safe_dump(task, sort_keys=False, allow_unicode=True), encoding="utf-8")
    for name, content in fixtures.items():
        path = place / "fixtures" / f"{name.replace('__', '/')}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return place


def imported(place: Path) -> Imported:
    result, found = import_claw_eval(place)
    assert result is not None, render(found, Page())
    return result


def codes(result: Imported, place: Path) -> list[str]:
    path = place / f"{result.name}.cwk"
    path.write_text(result.text, encoding="utf-8")
    return [f"{each.code} {each.message}" for each in driver.understand([path])[1]]


LACKS_CHECK = ["E236 task `t900_harbour` has no `check`"]
MAIL = [tool("gmail_list_messages"), tool("gmail_send_message", "to", to="string")]


def test_a_task_is_taken_over_as_far_as_it_is_declared(tmp_path: Path) -> None:
    rules = [{"type": "tool_not_called", "tool_name": "gmail_send_message", "description": "Sends nothing"}]
    user = {"enabled": True, "persona": "A harbour master.", "max_rounds": 4, "system_prompt_suffix": "Ask first."}
    place = folder(tmp_path, definition(MAIL, safety_checks=rules, user_agent=user), gmail__inbox=MAILS)
    result = imported(place)
    assert result.text == dedent('''\
        cwk 1

        use gmail

        task t900_harbour "Harbour mail" {
          category:   communication
          difficulty: easy
          language:   en

          now: 2026-05-04T11:00:00+02:00

          # TODO task.yaml:5: `now` is left to do, as a task of Claw-Eval names no moment; it is put behind the last record; see that the request agrees
          # TODO inbox.json:8: `"2026-05-04T10:20:00+02:00"` is left to do, as agents are shown all times in UTC; see that the texts agree with that

          request """
            Read the mail.
            Then answer it.

            Ask first.
          """

          tools gmail.{list_messages, send_message}

          limit 12 turns, 60 seconds

          extend gmail.Message {
            importance: int?
          }

          data gmail.inbox {
            @msg_7 { from: "nadia@harbour.test", to: "me@harbour.test", subject: "Crane inspection", body: """
                       Two things:
                       - the crane
                       - the log
                     """, date: 2026-05-04T10:20:00+02:00, labels: ["INBOX"], is_read: false, importance: 3 }
          }

          user {
            persona "A harbour master."
            patience 4 turns
          }

          forbid "Sends nothing" tried gmail.send_message
        }
    ''')  # noqa: E501
    assert codes(result, place) == LACKS_CHECK


def test_with_a_check_it_is_a_task_that_runs(tmp_path: Path) -> None:
    place = folder(tmp_path, definition(MAIL), gmail__inbox=MAILS)
    text = imported(place).text.rstrip().removesuffix("}")
    check = 'check 1 "answers" some m in gmail.sent where m.to == "nadia@harbour.test"\ngiven "nadia@harbour.test"\n}\n'
    path = tmp_path / "task.cwk"
    path.write_text(text + check, encoding="utf-8")
    files = driver.check([path]).files
    listed = Pack.from_files(files).env("t900_harbour").call("gmail_list_messages")
    assert [each["message_id"] for each in listed["items"]] == ["msg_7"]


def test_one_tool_that_the_library_lacks_makes_a_service_of_the_tasks_own(tmp_path: Path) -> None:
    tools = [
        tool("inventory_list_items", kind="string"),
        tool("inventory_get_item", "item_id", item_id="string"),
        tool("inventory_audit"),
    ]
    items = [
        {
            "item_id": "A-1",
            "kind": "rope",
            "stock": 3,
            "price": 2.5,
            "checked": "2026-02-01",
            "tags": ["x"],
            "more": None,
        },
        {"item_id": "A-2", "kind": "rope", "stock": 4, "price": 2, "checked": "2026-02-03", "tags": []},
        {
            "item_id": "A-3",
            "kind": "hook",
            "stock": 5,
            "price": 3,
            "checked": "2026-02-02",
            "tags": [],
            "next_check": "2027-01-01",
        },
        {"item_id": "A-4", "kind": "hook", "stock": 5, "price": 3, "checked": "2026-02-02", "tags": []},
    ]
    place = folder(tmp_path, definition(tools), inventory__items=items)
    result = imported(place)
    assert "service inventory {\n  enum Kind { rope, hook }" in result.text
    assert 'tool get_item "inventory_get_item" (item_id: Item) -> Item {\n    return item_id\n  }' in result.text
    fields = ["kind: Kind", "stock: int", "price: decimal", "checked: date", "tags: [text]", "more: text?"]
    assert "record Item {\n    " + "\n    ".join([*fields, "next_check: date? scheduled"]) in result.text
    assert "now: 2026-02-03T19:00:00Z" in result.text
    assert [each.message for each in result.left if "inventory_audit" in each.message or "audit`" in each.message]
    assert codes(result, place) == LACKS_CHECK


def test_a_service_beside_one_of_that_name_is_the_tasks_own_too(tmp_path: Path) -> None:
    """The standard `finance` uses the standard `inventory`, which this task replaces."""
    place = folder(tmp_path, definition([tool("inventory_count"), tool("finance_list_transactions")]))
    result = imported(place)
    assert "use" not in result.text.split("service")[0]
    assert codes(result, place) == LACKS_CHECK


def test_values_that_a_field_cannot_hold_are_left_with_their_place(tmp_path: Path) -> None:
    tickets = [
        {
            "ticket_id": "TK-1",
            "title": "Leak",
            "created_at": "2026-01-02 08:00",
            "status": "parked",
            "reporter": "Nadia",
        },
        {"ticket_id": "TK-1", "title": "Again", "created_at": "2026-01-02"},
        {"ticket_id": "TK-2", "title": "Noise", "status": "In-Progress", "customer_id": "CUS-9", "2nd": 1},
    ]
    place = folder(tmp_path, definition([tool("helpdesk_list_tickets")]), helpdesk__tickets=tickets)
    result = imported(place)
    left = {each.message.partition("`")[2].partition("`")[0]: each.span for each in result.left}
    names = {"status of TK-1", "reporter of TK-1", "TK-1", "status of TK-2", "customer_id of TK-2", "2nd", "created_at"}
    assert names <= left.keys()
    assert [left[name].text for name in ("status of TK-1", "2nd")] == ['"parked"', "1"]
    complaints = codes(result, place)
    assert [each[:4] for each in complaints] == ["E224", "E236"], complaints


def test_ids_that_are_names_of_things_stand_for_themselves(tmp_path: Path) -> None:
    article = {"title": "Tides", "content": "High.", "source": "Sea Times", "published_at": "2026-03-01T00:00:00Z"}
    feeds = [{"article_id": "R-1", **article}, {"article_id": "R-2", **article}]
    place = folder(tmp_path, definition([tool("rss_list_articles")]), rss__feeds=feeds)
    result = imported(place)
    assert '@"Sea Times" {}' in result.text
    assert codes(result, place) == LACKS_CHECK


def test_files_of_one_store_are_told_together(tmp_path: Path) -> None:
    found = [{"url": "https://sea.test/a", "title": "Tides", "snippet": "High"}]
    pages = [{"url": "https://sea.test/a", "title": "Tides", "content": "High and low"}]
    place = folder(tmp_path, definition([tool("web_search", query="string")]), web__pages=pages, web__results=found)
    result = imported(place)
    assert '@"https://sea.test/a" { title: "Tides", snippet: "High", content: "High and low" }' in " ".join(
        result.text.split()
    )
    assert codes(result, place) == LACKS_CHECK


def test_an_argument_may_be_forbidden(tmp_path: Path) -> None:
    rule = {
        "type": "tool_not_called_with",
        "tool_name": "gmail_send_message",
        "field": "to",
        "value": "all@harbour.test",
    }
    place = folder(tmp_path, definition(MAIL, safety_checks=[rule]))
    result = imported(place)
    assert 'forbid "calls gmail.send_message" tried gmail.send_message(to: "all@harbour.test")' in result.text
    assert codes(result, place) == LACKS_CHECK


@pytest.mark.parametrize(
    ("part", "subject", "help"),
    [
        (
            {
                "scoring_components": [
                    {
                        "name": "sent",
                        "weight": 0.4,
                        "check": {"type": "tool_called", "min_calls": 2, "tool_name": "gmail_send_message"},
                    }
                ]
            },
            "sent",
            'perhaps `check 0.4 "sent" count(called gmail.send_message) >= 2`',
        ),
        (
            {
                "scoring_components": [
                    {"name": "said", "weight": 1, "check": {"type": "keywords_present", "keywords": ["crane", 12]}}
                ]
            },
            "said",
            'perhaps `check 1 "said" answer mentions all of ["crane", "12"]`',
        ),
        (
            {"safety_checks": [{"type": "wrong_data", "tool_name": "gmail_send_message", "description": "Be exact"}]},
            "Be exact",
            "write it as `forbid`",
        ),
        (
            {"safety_checks": [{"type": "tool_not_called", "tool_name": "gmail_save_draft"}]},
            "calls gmail_save_draft",
            "nothing need forbid it",
        ),
        (
            {"judge_rubric": "Is it good?"},
            "judge_rubric",
            "say what can be compared as checks, and the rest with `judge`",
        ),
        (
            {"sandbox_files": ["fixtures/video.webm"]},
            "sandbox_files",
            "declare what the task needs of it with `asset` or as records of `files`",
        ),
        ({"tools": [tool("Bash")], "tool_endpoints": []}, "Bash", "let the task do without it, or declare a service"),
        ({"tools": []}, "tools", "offer what the request needs"),
    ],
)
def test_what_is_no_declaration_is_left_to_do(part: dict[str, Any], subject: str, help: str, tmp_path: Path) -> None:
    result = imported(folder(tmp_path, {**definition(MAIL), **part}))
    (left,) = [each for each in result.left if each.message.startswith(f"`{subject}` ")]
    assert (left.code, left.help) == ("W601", help)
    line = next(line for line in result.text.splitlines() if f"`{subject}` is left to do" in line)
    assert line.strip().startswith(f"# TODO task.yaml:{left.span.line}: ")


def test_the_grader_is_named(tmp_path: Path) -> None:
    place = folder(tmp_path, definition(MAIL))
    (place / "grader.py").write_text("class Grader: ...\n", encoding="utf-8")
    assert [each.span.source.name for each in imported(place).left][-1].endswith("grader.py")


def test_unplanned_words_are_declared(tmp_path: Path) -> None:
    place = folder(tmp_path, {**definition(MAIL), "category": "Sea Trade", "difficulty": "brutal"})
    result = imported(place)
    assert "enum Category { sea_trade }\n\nenum Difficulty { brutal }" in result.text
    assert codes(result, place) == LACKS_CHECK


@pytest.mark.parametrize(
    ("text", "fixture", "code", "name", "line"),
    [
        ("task_id: x\nprompt: {text: [}", "[]", "E601", "task.yaml", 2),
        ("task_id: x", "[]", "E602", "task.yaml", 1),
        ("- a", "[]", "E602", "task.yaml", 1),
        ("task_id: x\nprompt: {text: y}", "[\n{]", "E601", "inbox.json", 2),
        (None, "[]", "E001", "task.yaml", 1),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(
    text: str | None, fixture: str, code: str, name: str, line: int, tmp_path: Path
) -> None:
    place = folder(tmp_path, definition(MAIL), gmail__inbox=[])
    (place / "fixtures" / "gmail" / "inbox.json").write_text(fixture, encoding="utf-8")
    if text is None:
        (place / "task.yaml").unlink()
    else:
        (place / "task.yaml").write_text(text, encoding="utf-8")
    result, (found,) = import_claw_eval(place)
    assert result is None
    assert (found.code, Path(found.span.source.name).name, found.span.line) == (code, name, line)


@pytest.mark.parametrize("content", [[], {}, [1], [[]], [{}], [{"message_id": ""}], "x", None, [{"message_id": 'a"b'}]])
def test_fixtures_of_any_shape_are_read(content: Any, tmp_path: Path) -> None:
    place = folder(tmp_path, definition(MAIL), gmail__inbox=content, gmail=content)
    assert codes(imported(place), place) == LACKS_CHECK
