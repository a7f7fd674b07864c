"""A small pack, `desk`, whose services and grader are written by hand in the form of emitted code."""

import json
from pathlib import Path

import pytest

from coworkdsl import Environment, Pack

DESK = Path(__file__).parent / "desk"
USER = """
from coworkdsl import runtime as rt

FACTS = (
    rt.Fact("which", "The stale one.", asked=lambda run: rt.contains(run.said, "which"), place="triage.cwk:20"),
    rt.Fact("hint", "There is no hurry.", asked=None, place="triage.cwk:21"),
)


def on_reopened(w):
    cost = rt.div(1, w.field("helpdesk.Ticket", "TK-1", "cost"))
    w.update("helpdesk.Ticket", "TK-4", {"status": "open", "cost": cost})
    return (rt.interpolate("TK-4 costs ", w.field("helpdesk.Ticket", "TK-4", "cost"), "."),)


def on_mail(w):
    fields = {"to": "ines@ourco.test", "subject": "x", "body": "", "date": w.now}
    w.place("mail.sent", "out_2", fields)
    w.place("mail.inbox", "m-4", fields)
    return ()


def on_gone(w):
    w.delete("helpdesk.Ticket", "TK-2")
    return ("I dropped TK-2.",)


def on_bye(w):
    return ("Thank you.",)


EVENTS = (
    rt.ScriptedEvent("reopened", on_reopened, "triage.cwk:22", when=lambda run: bool(run.tried("helpdesk.charge"))),
    rt.ScriptedEvent("mail", on_mail, "triage.cwk:23", at=rt.parse_datetime("2026-03-17T09:00:00Z"), silent=True),
    rt.ScriptedEvent("late", on_mail, "triage.cwk:24", at=rt.parse_datetime("2026-03-18T09:00:00Z")),
    rt.ScriptedEvent("gone", on_gone, "triage.cwk:25", turn=2),
    rt.ScriptedEvent("bye", on_bye, "triage.cwk:26", when=lambda run: len(run.writes) >= 12, ends=True),
)
PERSONA = "Terse."
PATIENCE = 6
LANGUAGE = "en"
"""
"""A user who knows two facts, and an event of each kind."""


@pytest.fixture(scope="session")
def desk_files() -> dict[str, str]:
    return {
        str(path.relative_to(DESK)): path.read_text(encoding="utf-8")
        for path in DESK.rglob("*")
        if path.suffix in (".json", ".py")
    }


@pytest.fixture(scope="session")
def desk(desk_files: dict[str, str]) -> Pack:
    return Pack.from_files(desk_files)


@pytest.fixture(scope="session")
def dialogue_files(desk_files: dict[str, str]) -> dict[str, str]:
    """The same pack, with a user and events."""
    world = json.loads(desk_files["tasks/triage/world.json"]) | {"reserved": {"mail.sent": ["out_2"]}}
    return desk_files | {"tasks/triage/world.json": json.dumps(world), "tasks/triage/user.py": USER}


@pytest.fixture(scope="session")
def dialogue(dialogue_files: dict[str, str]) -> Pack:
    return Pack.from_files(dialogue_files)


@pytest.fixture
def env(desk: Pack) -> Environment:
    return desk.env("triage")
