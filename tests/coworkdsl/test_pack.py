"""Packs on disk and in memory."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from coworkdsl import Pack, PackError

DESK = Path(__file__).parent / "desk"
TASK = "tasks/triage/task.json"
WORLD = "tasks/triage/world.json"
GRADER = "tasks/triage/grader.py"


def changed(text: str, *path: Any, to: Any) -> str:
    """A JSON text with the value at the path replaced."""
    document = inner = json.loads(text)
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return json.dumps(document)


def use(pack: Pack) -> None:
    pack.env("triage").score()


def test_a_folder_and_its_texts_are_the_same_pack(desk: Pack) -> None:
    opened = Pack.open(DESK)
    assert list(opened.tasks) == list(desk.tasks) == ["triage"]
    assert opened.tasks["triage"].title == "Escalate the stale ticket and tell Ines"
    assert opened.env("triage").tools == desk.env("triage").tools
    assert opened.env("triage").score().to_json() == desk.env("triage").score().to_json()


def test_packs_live_side_by_side(desk: Pack, desk_files: dict[str, str]) -> None:
    path = "services/helpdesk.py"
    other = Pack.from_files(desk_files | {path: desk_files[path].replace("a closed ticket", "this ticket")})
    before = set(sys.modules)
    messages = [
        pack.env("triage").call("helpdesk_update_ticket", {"ticket_id": "TK-4"})["error"]["message"]
        for pack in (desk, other, desk)
    ]
    assert messages == ["a closed ticket cannot be changed", "this ticket cannot be changed", messages[0]]
    assert set(sys.modules) == before


def test_opening_runs_nothing(desk_files: dict[str, str]) -> None:
    pack = Pack.from_files({"pack.json": desk_files["pack.json"]})
    assert pack.tasks["triage"].id == "triage"
    with pytest.raises(PackError, match=r"tasks/triage/task\.json: no such file in the pack"):
        pack.env("triage")


def test_an_unknown_task(desk: Pack) -> None:
    with pytest.raises(PackError, match="the pack has no task `gone`"):
        desk.env("gone")


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="no such folder"):
        Pack.open(tmp_path / "gone")
    with pytest.raises(PackError, match=r"pack\.json: no such file in"):
        Pack.open(tmp_path)
    (tmp_path / "pack.json").write_bytes(b"\xff")
    with pytest.raises(PackError, match=r"pack\.json: cannot be read"):
        Pack.open(tmp_path)


@pytest.mark.parametrize(
    ("file", "path", "to", "problem"),
    [
        ("pack.json", ["format"], 2, "pack.json: has format 2; this version reads format 1"),
        ("pack.json", ["tasks"], {}, "pack.json: `tasks` must be an array"),
        (
            "pack.json",
            ["tasks", 0],
            "triage",
            "pack.json: each of `tasks` and `families` must be an object with an `id`",
        ),
        (
            "pack.json",
            ["tasks", 0, "id"],
            "../x",
            "pack.json: `../x` is no task id: letters, digits, `_`, `-` and `.` make one",
        ),
        (TASK, ["request"], 3, "tasks/triage/task.json: `request` must be a text"),
        (TASK, ["limits", "calls"], "many", "tasks/triage/task.json: `limits` must be whole numbers"),
        (TASK, ["services"], ["helpdesk"], "tasks/triage/task.json: no service has the tool 'mail_send_message'"),
        (TASK, ["services"], ["gone"], "services/gone.py: no such file in the pack"),
        (TASK, ["tools", 0], "x", "tasks/triage/task.json: `tools` must hold function tools"),
        (
            WORLD,
            ["now"],
            "today",
            "tasks/triage/world.json: `now` must be a date and time with a zone, in whole seconds, "
            'like "2026-03-14T09:00:00Z"; got "today"',
        ),
        (
            WORLD,
            ["stores", "mail.sent", "record"],
            "mail.Gone",
            "tasks/triage/world.json: store `mail.sent` holds the unknown record `mail.Gone`",
        ),
        (
            WORLD,
            ["rows", "helpdesk.tickets", "TK-1", "cost"],
            12.5,
            'tasks/triage/world.json: `helpdesk.tickets.TK-1.cost` must be a decimal as a text like "12.50"; got 12.5',
        ),
        (
            WORLD,
            ["rows", "helpdesk.tickets", "TK-1", "colour"],
            "red",
            "tasks/triage/world.json: `helpdesk.tickets.TK-1` has no field `colour`",
        ),
        (
            WORLD,
            ["rows", "helpdesk.tickets"],
            [],
            "tasks/triage/world.json: `helpdesk.tickets` must be an object; got an array",
        ),
    ],
)
def test_damaged_documents(desk_files: dict[str, str], file: str, path: list[Any], to: Any, problem: str) -> None:
    with pytest.raises(PackError) as caught:
        use(Pack.from_files(desk_files | {file: changed(desk_files[file], *path, to=to)}))
    assert str(caught.value) == problem


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("pack.json", "{", "pack.json: not JSON: Expecting property name enclosed in double quotes"),
        ("pack.json", "[]", "pack.json: must hold a JSON object"),
        ("pack.json", "[" * 100_000, "pack.json: not JSON: "),
        ("services/mail.py", "TOOLS = [", "services/mail.py: cannot be loaded: SyntaxError"),
        ("services/mail.py", "import gone_away", "services/mail.py: cannot be loaded: ModuleNotFoundError"),
        ("services/mail.py", "", "services/mail.py: defines no TOOLS"),
        (GRADER, "CHECKS = REQUIREMENTS = ()", "tasks/triage/grader.py: has no 'FORBIDS'"),
    ],
    ids=range(7),
)
def test_damaged_texts(desk_files: dict[str, str], file: str, text: str, problem: str) -> None:
    with pytest.raises(PackError) as caught:
        use(Pack.from_files(desk_files | {file: text}))
    assert str(caught.value).startswith(problem)


def test_a_type_descriptor_of_a_newer_version(desk_files: dict[str, str]) -> None:
    path = "services/mail.py"
    with pytest.raises(PackError, match=r"services/mail\.py: tool `send_message`: `colour` is no type descriptor"):
        use(Pack.from_files(desk_files | {path: desk_files[path].replace('"email"', '"colour"')}))
