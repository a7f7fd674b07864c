"""Checking small programs from text."""

from __future__ import annotations

from collections.abc import Mapping

from cwkc.diagnostics import Diagnostic
from cwkc.meaning import typed
from cwkc.meaning.check import Program, check_program
from cwkc.meaning.program import Library
from cwkc.resources import standard_service, standard_services, standard_words
from cwkc.source import Source
from cwkc.syntax.parser import parse


def library(files: Mapping[str, str]) -> Library:
    """Standard services, and files that exist in memory alone."""

    def open_file(name: str) -> Source | None:
        return Source(name, files[name]) if name in files else None

    return Library(parse, standard_service, standard_services(), standard_words, open_file)


def check(text: str, **files: str) -> tuple[Program, tuple[Diagnostic, ...]]:
    """The program of `main.cwk`; further files by name without the ending."""
    named = {f"{name}.cwk": content for name, content in files.items()}
    return check_program([Source("main.cwk", text)], library(named))


def codes(text: str, **files: str) -> list[str]:
    return [diagnostic.code for diagnostic in check(text, **files)[1]]


DESK = """
cwk 1
use gmail

service desk {
  enum Status { open, closed }
  record Person { name: text  email: email  manager: Person?  rate: decimal = 1.5 }
  record Ticket { title: text  owner: Person?  status: Status = open  opened: datetime  tags: [text] = []  hours: int? }
  store people: Person key person_id ids "P-"
  store tickets: Ticket key ticket_id ids "T-"
  tool get_ticket (ticket_id: Ticket) -> Ticket { return ticket_id }
  tool list_tickets (status: Status?, limit: int = 10) -> [Ticket.{title, status}] {
    return first limit of all t in tickets by t.opened desc where status is null or t.status == status
  }
  tool set_status (ticket_id: Ticket, status: Status) -> Ticket {
    fail closed "closed for good" when ticket_id.status == closed
    set ticket_id { status: status }
    return ticket_id
  }
  tool drop (ticket_id: Ticket) { delete ticket_id }
}
"""

ROWS = """
  data desk.people {
    @P-1 { name: "Ana", email: "Ana@Desk.test", manager: @P-2 }
    @P-2 { name: "Bo", email: "bo@desk.test", rate: 2.25 }
  }
  data desk.tickets {
    @T-1 { title: "Printer is ON fire", owner: @P-1, opened: now - 3d, tags: ["hot", "urgent"], hours: 4 }
    @T-2 { title: "Typo", owner: @P-2, opened: now - 5h, status: closed }
    @T-3 { title: "Lost key", opened: now - 30h }
  }
"""


def task(body: str, check: str = 'check 1 "closes" @T-1.status == closed', *, rows: str = ROWS) -> str:
    """A program with one task over a small desk."""
    return f"""{DESK}
task t {{
  now: 2026-03-14T09:00:00Z
  request "Do it."
  tools desk, gmail
{rows}
{body}
  {check}
}}
"""


def truth(expression: str, *, before: str = "") -> object:
    """The value of an expression as a truth of that task."""
    program, diagnostics = check(task(f"{before}\n  let it = {expression}"))
    assert not diagnostics, [(d.code, d.message) for d in diagnostics]
    return the_task(program).truths["it"].value


def the_task(program: Program) -> typed.Task:
    (only,) = program.tasks
    return only
