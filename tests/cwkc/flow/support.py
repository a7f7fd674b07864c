"""Small tasks over one small service, and what is said of them."""

from __future__ import annotations

from cwkc.diagnostics import Diagnostic
from cwkc.flow import follow
from cwkc.meaning import typed

from ..meaning.support import check

SERVICE = """
cwk 1
use gmail

service desk "A desk" {
  enum Level { low, high }

  record Person {
    name: text
    email: email
    level: Level = low
    salary: int = 0
    birthday: date?
    secret: bool = false
  }
  record Case {
    title: text
    note: text = ""
    owner: Person?
    amount: decimal = 0
    opened: datetime
    done: bool = false
    locked: bool = false
  }

  store people: Person key person_id ids "P-"
  store cases:  Case   key case_id   ids "C-"

  tool list_cases "List cases." (max_results: int = 2) -> [Case.{title, opened}] {
    return first max_results of all c in cases by c.opened
  }
  tool get_case "Read a case." (case_id: Case) -> Case {
    fail locked "the case is locked" when case_id.locked
    return case_id
  }
  tool find_person "Find the person of exactly this name." (name: text) -> [Person.{name, email}] {
    return all p in people where p.name == name
  }
  tool search_people "Find people of whose names this is a part." (part: text) -> [Person.{name}] {
    fail too_short "say more" when len(part) < 3
    return all p in people where p.name contains part
  }
  tool cases_on "List the cases of a day." (day: date) -> [Case.{title, amount}] {
    return all c in cases where date(c.opened) == day
  }
  tool unlock "Unlock a case." (case_id: Case) -> bool { set case_id { locked: false } return true }
  tool finish "Finish a case." (case_id: Case) -> Case { set case_id { done: true } return case_id }
}
"""

ROWS = """
  data desk.people {
    @P-1 { name: "Ana Costa", email: "ana@work.test", salary: 4100, level: high, birthday: 1990-05-08 }
    @P-2 { name: "Bo Lind",   email: "bo@work.test",  salary: 3900 }
  }
  data desk.cases {
    @C-1 { title: "Pump leaks", owner: @P-1, amount: 1240.50, opened: now - 30h, note: "Ana Costa has seen it." }
    @C-2 { title: "Valve jams", owner: @P-2, amount: 99,      opened: now - 20h, note: "Ask around." }
    @C-3 { title: "Pipe",       owner: @P-2, amount: 310,     opened: now - 10h }
  }
  let pump = only c in desk.cases where c.title contains "pump"
"""


def task_of(body: str, *, tools: str, request: str = "Do it.", rows: str = ROWS, service: str = SERVICE) -> typed.Task:
    """A task with this grading. Its two cases and two people are the same in all."""
    program, diagnostics = check(
        f"""{service}
task t {{
  now: 2026-03-14T09:00:00Z
  request {request if request.startswith(("$", '"')) else f'"{request}"'}
  tools {tools}
{rows}
{body}
}}
"""
    )
    assert not diagnostics, [(each.code, each.message) for each in diagnostics]
    (only,) = program.tasks
    return only


def said(task: typed.Task, code: str) -> list[Diagnostic]:
    """The diagnostics of one code."""
    return [each for established in follow(task) for each in established.diagnostics if each.code == code]


def messages(task: typed.Task, code: str) -> list[str]:
    return [each.message for each in said(task, code)]
