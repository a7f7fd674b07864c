"""A list of tools becomes a service that checks clean; names and arguments tell what the tools do."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cwkc.diagnostics.terminal import Page, render
from cwkc.importing import Imported, import_mcp
from tests.cwkc.importing.test_openapi import LEAVES, OBJECTS, TEXTS, WORDS, assert_clean

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def tool(name: str, needed: tuple[str, ...] = (), **properties: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {key: {"type": each} for key, each in properties.items()}}
    return {"name": name, "description": f"Does {name}", "inputSchema": {**schema, "required": list(needed)}}


def imported(content: Any, folder: Path, name: str = "tracker.json") -> Imported:
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    result, found = import_mcp(path)
    assert result is not None, render(found, Page())
    return result


TRACKER = [
    tool("list_issues", state="string", limit="integer"),
    tool("get_issue", ("number",), number="integer"),
    tool("create_issue", ("title",), title="string", body="string", state="string"),
    tool("issue_update", ("number",), number="integer", body="string"),
    tool("delete_issue", ("number",), number="integer"),
    tool("merge", ("branch",), branch="string"),
]

TRACKER_TEXT = """\
cwk 1

service tracker {
  record Issue {
    title: text
    body: text?
    state: text?
  }

  store issues: Issue key number ids "ISSUE-"

  # TODO tracker.json:1: `limit` is left to do, as `list_issues` does nothing with this parameter; use it in the body, or remove it
  tool list_issues "Does list_issues" (state: text?, limit: int?) -> [Issue] {
    return all found in issues where (state is null or found.state == state)
  }

  tool get_issue "Does get_issue" (number: Issue) -> Issue {
    return number
  }

  tool create_issue "Does create_issue" (title: text, body: text?, state: text?) -> Issue {
    let created = insert issues { title, body, state }
    return created
  }

  tool issue_update "Does issue_update" (number: Issue, body: text?) -> Issue {
    set number { body }
    return number
  }

  tool delete_issue "Does delete_issue" (number: Issue) {
    delete number
  }

  # TODO tracker.json:1: `merge` is left to do, as what it does cannot be told from its description; write its body
  tool merge "Does merge" (branch: text) {}
}
"""  # noqa: E501


@pytest.mark.parametrize(
    "content", [TRACKER, {"tools": TRACKER}, {"jsonrpc": "2.0", "id": 1, "result": {"tools": TRACKER}}]
)
def test_names_and_arguments_tell_stores_and_bodies(content: Any, tmp_path: Path) -> None:
    result = imported(content, tmp_path)
    assert result.text == TRACKER_TEXT
    assert_clean(result, tmp_path)


def test_a_word_before_every_name_is_the_service(tmp_path: Path) -> None:
    result = imported([tool("notes_list"), tool("notes_get", ("id",), id="string"), tool("notes_share")], tmp_path)
    assert result.name == "notes"
    assert "tool share" in result.text
    assert_clean(result, tmp_path)


def test_a_verb_before_every_name_is_none(tmp_path: Path) -> None:
    result = imported([tool("get_weather"), tool("get_time")], tmp_path, "My server.json")
    assert (result.name, "tool get_weather" in result.text) == ("my_server", True)


def test_what_reading_gives_is_known_of_records(tmp_path: Path) -> None:
    read = {**tool("get_page", ("page_id",), page_id="string"), "outputSchema": tool("", title="string")["inputSchema"]}
    result = imported([read, tool("list_pages")], tmp_path)
    assert "record Page {\n    title: text?\n  }" in result.text
    assert_clean(result, tmp_path)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("[]", "E602", 1),
        ('{"tools": []}', "E602", 1),
        ('[\n{"name": "a"},\n{"title": "b"}]', "E602", 3),
        ("[3]", "E602", 1),
        ('{"tools":\n [}', "E601", 2),
        ('{"tools":\n [NaN]}', "E601", 2),
    ],
)
def test_what_is_no_list_of_tools_is_told_with_its_place(text: str, code: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text(text, encoding="utf-8")
    result, found = import_mcp(path)
    assert result is None
    assert [(each.code, each.span.line) for each in found] == [(code, line)]


VERBS = st.sampled_from(["list", "get", "create", "update", "delete", "search", "run", ""])
NAMES = st.builds(
    lambda verb, noun: f"{verb}_{noun}".strip("_") or "x", VERBS, st.sampled_from(["item", "items"]) | WORDS
)
NAMED = st.builds(
    lambda key, rest: {"type": "object", "properties": {**rest, key: {"type": "string"}}, "required": [key]},
    st.sampled_from(["item_id", "id", "only", "items", "name"]),
    st.dictionaries(WORDS, LEAVES, max_size=4),
)
TOOLS = st.builds(
    lambda name, text, schema, given: {"name": name, "description": text, "inputSchema": schema, "outputSchema": given},
    NAMES,
    TEXTS,
    OBJECTS | NAMED,
    OBJECTS | NAMED,
)
CRUD = st.builds(
    lambda given, *schemas: [
        {"name": f"{verb}_item", "inputSchema": schema, "outputSchema": given}
        for verb, schema in zip(("get", "create", "update", "delete", "list"), schemas, strict=True)
    ],
    OBJECTS,
    *([NAMED] * 5),
)
DOCUMENTS = st.lists(TOOLS, min_size=1, max_size=6) | CRUD


@QUICK
@given(DOCUMENTS)
def test_every_list_becomes_a_service_that_checks_clean(tmp_path: Path, content: list[dict[str, Any]]) -> None:
    assert_clean(imported(content, tmp_path), tmp_path)
