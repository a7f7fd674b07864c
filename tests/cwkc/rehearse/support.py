"""A small desk, and what its rehearsal says of a grading and a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cwkc.emit import emit_pack
from cwkc.meaning import typed
from cwkc.prove import CallStep, SayStep, Step
from cwkc.rehearse import Rehearsal, rehearse

from ..generators import task_of

DESK = """cwk 1

use helpdesk, gmail

task desk "Work at the desk" {{
  now: 2026-03-14T09:00:00Z
  request "Deal with the ticket on the scanner, and write to desk@ourco.test."
  tools helpdesk, gmail.{{list_messages, get_message, send_message}}
  data helpdesk.tickets {{
    @TK-301 {{ title: "Scanner offline", reporter: "ana@ourco.test", created_at: now - 70h, category: "depot 12" }}
    @TK-302 {{ title: "Label printer jams", reporter: "bo@ourco.test", created_at: now - 20h, category: "depot 4" }}
  }}
  let stale = only t in helpdesk.tickets where t.title contains "scanner"
  let other = all t in helpdesk.tickets where t.id != stale.id
{grading}
}}
"""

READS = CallStep("helpdesk_get_ticket", {"ticket_id": "TK-301"})
RAISES = CallStep("helpdesk_update_ticket", {"ticket_id": "TK-301", "priority": "critical"})


def mail(body: str, to: str = "desk@ourco.test") -> CallStep:
    return CallStep("gmail_send_message", {"to": to, "subject": "Subject", "body": body})


def says(text: str) -> SayStep:
    return SayStep(text, ends=True)


def desk(grading: str) -> typed.Task:
    return task_of(DESK.format(grading=grading))


def rehearsed(grading: str, *witness: Step, violations: Mapping[int, tuple[Step, ...]] | None = None) -> Rehearsal:
    task = desk(grading)
    return rehearse(task, emit_pack((task,), {}), witness, violations or {})


def codes(rehearsal: Rehearsal) -> list[str]:
    return [each.code for each in rehearsal.diagnostics]


def theorem(rehearsal: Rehearsal, name: str) -> Mapping[str, Any]:
    """The verdict and the evidence of one theorem."""
    (found,) = (each for each in rehearsal.theorems if each.name == name)
    return {"verdict": found.verdict, **found.evidence}


def survivors(rehearsal: Rehearsal) -> list[tuple[str, str]]:
    """What each surviving mutant is and does."""
    return [(row["kind"], row["step"]) for row in theorem(rehearsal, "sharp")["mutants"] if not row["killed"]]


def killed(rehearsal: Rehearsal, kind: str) -> dict[str, list[str]]:
    """What each mutant of a kind that scored less did, and the rules that noticed."""
    rows = theorem(rehearsal, "sharp")["mutants"]
    return {row["step"]: row["by"] for row in rows if row["killed"] and row["kind"] == kind}
