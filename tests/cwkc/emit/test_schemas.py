"""What the agent is shown of a tool, and that the runtime takes what the schema allows."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from coworkdsl import Pack
from cwkc.emit import emit_pack

from ..generators import program, task_of

TOOL = """tool probe "Probes." (
  item: Item "Which one", others: [Item], level: Level?, teams: [Team]?, at: datetime = 2026-03-14T09:00:00+02:00,
  span: duration = 2h "How long", price: decimal = 12.50, email: email?, url: url?, ready: bool = false, day: date?
) -> bool { return ready }"""

EXPECTED: dict[str, Any] = {
    "item": {"type": "string", "description": "Which one (id of a desk.Item)"},
    "others": {"type": "array", "items": {"type": "string", "description": "id of a desk.Item"}},
    "level": {"type": ["string", "null"], "enum": ["low", "mid", "high", None]},
    "teams": {"type": ["array", "null"], "items": {"type": "string", "description": "id of a desk.Team"}},
    "at": {"type": "string", "format": "date-time", "default": "2026-03-14T09:00:00+02:00"},
    "span": {"type": "string", "format": "duration", "description": "How long", "default": "PT2H"},
    "price": {"type": "number", "default": 12.5},
    "email": {"type": ["string", "null"], "format": "email"},
    "url": {"type": ["string", "null"], "format": "uri"},
    "ready": {"type": "boolean", "default": False},
    "day": {"type": ["string", "null"], "format": "date"},
}
LEAST: dict[str, Any] = {"item": "IT-1", "others": []}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return Pack.from_files(emit_pack((task_of(program(tools=TOOL)),), {}))


def parameters(pack: Pack) -> dict[str, Any]:
    (tool,) = (tool["function"] for tool in pack.env("desk_work").tools if tool["function"]["name"] == "desk_probe")
    assert tool["description"] == "Probes."
    schema: dict[str, Any] = tool["parameters"]
    return schema


def test_a_tool_is_described(pack: Pack) -> None:
    assert parameters(pack) == {
        "type": "object",
        "properties": EXPECTED,
        "required": ["item", "others"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    "arguments",
    [
        LEAST,
        {**LEAST, "level": None, "teams": None, "email": None, "url": None, "day": None},
        {**LEAST, **{name: schema["default"] for name, schema in EXPECTED.items() if "default" in schema}},
        {**LEAST, "others": ["IT-2", "AR-1"], "level": "mid", "teams": ["TM-1"], "ready": True},
        {"item": "IT-1"},
        {**LEAST, "level": "huge"},
        {**LEAST, "ready": None},
        {**LEAST, "surplus": 1},
    ],
)
def test_the_runtime_takes_what_the_schema_allows(pack: Pack, arguments: dict[str, Any]) -> None:
    allowed = jsonschema.Draft202012Validator(parameters(pack)).is_valid(arguments)
    assert ("error" not in pack.env("desk_work").call("desk_probe", arguments)) == allowed
