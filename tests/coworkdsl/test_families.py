"""Members of families, as a pack's reader meets them; and what is said of damage."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coworkdsl import Pack, PackError

GRADER = """from coworkdsl import runtime as rt

TARGET = HOLES["target"]


def check(run):
    return run.final.field("helpdesk.Ticket", TARGET, "priority") == "critical"


def evidence(run):
    return (("target", TARGET),)


CHECKS = (rt.Check("raises it", weight=rt.Fraction(1), test=check, evidence=evidence, place="x.cwk:1"),)
REQUIREMENTS = ()
FORBIDS = ()
"""
ROWS: list[dict[str, Any]] = [
    {"id": "stale.1", "parameters": {"n": 1}},
    {
        "id": "stale.2",
        "parameters": {"n": 2},
        "request": "Two.",
        "world": {"title": "Zwei"},
        "grading": {"target": "TK-2"},
        "witness": [],
    },
]


@pytest.fixture
def family_files(desk_files: dict[str, str]) -> dict[str, str]:
    """The desk's pack, with a family of two over the same world."""
    index = json.loads(desk_files["pack.json"])
    index["families"] = [{"id": "stale", "title": "Stale", "members": 2, "size": 2}]
    task, world = (json.loads(desk_files[f"tasks/triage/{name}.json"]) for name in ("task", "world"))
    task |= {"id": "stale", "request": {"$hole": "request"}}
    world["rows"]["helpdesk.tickets"]["TK-3"]["title"] = {"$hole": "title"}
    first = {"request": "One.", "world": {"title": "Eins"}, "grading": {"target": "TK-3"}}
    family = {"format": 1, "id": "stale", "title": "Stale", "parameters": [], "size": 2, "members": 2, "first": first}
    return desk_files | {
        "pack.json": json.dumps(index),
        "families/stale/task.json": json.dumps(task),
        "families/stale/world.json": json.dumps(world),
        "families/stale/family.json": json.dumps(family),
        "families/stale/proof.json": desk_files["tasks/triage/proof.json"],
        "families/stale/grader.py": GRADER,
        "families/stale/members.jsonl": lines(*ROWS),
    }


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def on_disk(files: dict[str, str], folder: Path) -> Pack:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Pack.open(folder)


@pytest.fixture(params=["memory", "disk"])
def pack(request: pytest.FixtureRequest, family_files: dict[str, str], tmp_path: Path) -> Pack:
    return Pack.from_files(family_files) if request.param == "memory" else on_disk(family_files, tmp_path)


def test_members_are_tasks_behind_those_that_stand_alone(pack: Pack) -> None:
    ids = list(pack.tasks)
    assert ids[-2:] == ["stale.1", "stale.2"]
    assert "triage" in ids[:-2]
    assert len(pack.tasks) == len(ids)
    assert "stale.2" in pack.tasks
    assert "stale.3" not in pack.tasks
    assert "other.1" not in pack.tasks


def test_a_row_says_how_its_member_differs_from_the_first(pack: Pack) -> None:
    one, two = pack.task("stale.1"), pack.task("stale.2")
    assert (one.id, one.request, two.request) == ("stale.1", "One.", "Two.")
    assert one.base.view().field("helpdesk.Ticket", "TK-3", "title") == "Eins"
    assert two.base.view().field("helpdesk.Ticket", "TK-3", "title") == "Zwei"
    assert (one.proof["witness"] == [], two.proof["witness"]) == (False, [])
    assert one.base.view().layout is two.base.view().layout


def test_each_member_is_graded_by_its_own_values(pack: Pack) -> None:
    for id, target in (("stale.1", "TK-3"), ("stale.2", "TK-2")):
        env = pack.env(id)
        assert env.score().exact.completion == 0
        env.call("helpdesk_update_ticket", {"ticket_id": target, "priority": "critical"})
        assert env.score().exact.completion == 1


def test_a_member_is_kept_for_its_next_environment(pack: Pack) -> None:
    assert pack.task("stale.1") is pack.task("stale.1")


def test_only_the_rows_that_are_asked_for_are_kept(family_files: dict[str, str]) -> None:
    rows = [{"id": f"stale.{n}", "parameters": {"n": n}} for n in range(1000)]
    index = json.loads(family_files["pack.json"])
    index["families"][0]["members"] = 1000
    family_files |= {"families/stale/members.jsonl": lines(*rows), "pack.json": json.dumps(index)}
    pack = Pack.from_files(family_files)
    seen: Iterator[str] = (pack.task(id).request for id in pack.tasks if id.startswith("stale."))
    assert set(seen) == {"One."}
    assert pack.families["stale"].member.cache_info().currsize < 100


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("families/stale/members.jsonl", lines(ROWS[0]), "has 1 members"),
        ("families/stale/members.jsonl", "nonsense\n", "is not JSON"),
        ("families/stale/members.jsonl", lines({"id": "stale.1"}), "`parameters`"),
        ("families/stale/members.jsonl", lines(ROWS[0] | {"world": {"title": 3}}, ROWS[1]), "must be a text"),
        ("families/stale/members.jsonl", lines(ROWS[0] | {"request": 3}, ROWS[1]), "has no request"),
        (
            "families/stale/members.jsonl",
            lines(ROWS[0] | {"grading": {"target": {}}}, ROWS[1]),
            "no value with its type",
        ),
        ("families/stale/family.json", '{"format": 1, "parameters": [], "size": 2, "first": {"request": "x"}}', "hole"),
        ("families/stale/grader.py", "CHECKS = HOLES['nothing']", "cannot be loaded"),
        ("families/stale/grader.py", "def", "cannot be loaded"),
        ("families/stale/world.json", "{}", "format"),
    ],
)
def test_damage_is_told(family_files: dict[str, str], path: str, text: str, message: str) -> None:
    pack = Pack.from_files(family_files | {path: text})
    with pytest.raises(PackError, match=message):
        use(pack)


def use(pack: Pack) -> None:
    env = pack.env("stale.1")
    env.call("helpdesk_update_ticket", {"ticket_id": "TK-3", "priority": "critical"})
    assert env.request
    env.score()


@pytest.mark.parametrize("members", [0, "two", None])
def test_the_index_counts_the_members(family_files: dict[str, str], members: Any) -> None:
    index = json.loads(family_files["pack.json"])
    index["families"][0]["members"] = members
    with pytest.raises(PackError, match="members"):
        Pack.from_files(family_files | {"pack.json": json.dumps(index)})
