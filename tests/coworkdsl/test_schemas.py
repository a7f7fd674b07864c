"""The JSON files of a pack against their schemas."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import coworkdsl
from coworkdsl import Pack, export_run

SCHEMAS = Path(coworkdsl.__file__).parent / "schemas"
FILES = {
    "pack": "pack.json",
    "task": "tasks/triage/task.json",
    "world": "tasks/triage/world.json",
    "proof": "tasks/triage/proof.json",
}


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_every_file_has_a_schema() -> None:
    assert {path.name for path in SCHEMAS.iterdir()} == {
        f"{name}.schema.json" for name in (*FILES, "faults", "run", "family", "member")
    }


@pytest.mark.parametrize("name", FILES)
def test_a_packs_files_are_valid(desk_files: dict[str, str], name: str) -> None:
    validator(name).validate(json.loads(desk_files[FILES[name]]))


def test_a_kept_run_is_valid(desk: Pack) -> None:
    env = desk.env("triage")
    env.call("helpdesk_get_ticket", {"ticket_id": "TK-3"})
    env.say("TK-3")
    document = export_run(env) | {"model": "some model"}
    validator("run").validate(document)


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("pack", {"format": 2, "tasks": []}),
        ("pack", {"format": 1, "tasks": [{"id": "../x", "title": "x"}]}),
        ("task", {"format": 1, "id": "x"}),
        ("world", {"format": 1, "now": "x", "records": {}, "stores": {"s": {"record": "r"}}, "rows": {}}),
        (
            "world",
            {
                "format": 1,
                "now": "x",
                "records": {"r": {"fields": {"f": {"type": {"list": "float"}}}, "stores": []}},
                "stores": {},
                "rows": {},
            },
        ),
        (
            "proof",
            {
                "format": 1,
                "theorems": [{"name": "witness", "verdict": "true", "statement": "", "evidence": {}}],
                "witness": None,
                "allowed": [],
            },
        ),
        ("faults", {"format": 1, "faults": [{"tool": "x.y", "kind": "broken", "call": 1}]}),
        ("faults", {"format": 1, "faults": [{"tool": "x.y", "kind": "stale", "call": 1, "rate": "0.5"}]}),
        ("run", {"format": 1, "task": "x", "messages": [{"role": "tool", "content": ""}]}),
        ("run", {"format": 1, "task": "x", "messages": [{"role": "agent"}]}),
    ],
)
def test_damage_is_found(name: str, document: Any) -> None:
    assert not validator(name).is_valid(document)
