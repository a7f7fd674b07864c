"""Texts with a place in them, and their analyses."""

from __future__ import annotations

from collections.abc import Mapping

from cwkc.editor import Analysis, Project

PATH = "/project/main.cwk"

SERVICE = """cwk 1

service desk "A desk" {
  enum Status { open, closed }

  record Person { name: text  email: email }
  record Ticket "What somebody wants" {
    title: text "In a few words"
    owner: Person?
    status: Status = open
    opened: datetime
  }

  store people: Person key person_id ids "P-"
  store tickets: Ticket key ticket_id ids "T-"

  tool list_tickets "List the tickets." () -> [Ticket.{title, status, opened}] { return tickets }

  tool get_ticket "Read a ticket." (ticket_id: Ticket "Its id") -> Ticket { return ticket_id }

  tool set_status "Change a ticket." (ticket_id: Ticket, status: Status = closed) -> Ticket {
    let before = ticket_id.status
    fail same "it is so already" when before == status
    set ticket_id { status: status }
    return ticket_id
  }
}
"""

TASK = """
task stale "Close the stale ticket" {
  difficulty: easy
  now:        2026-03-14T09:00:00Z

  request "Close the ticket that has been open for days."

  tools desk

  data desk.people { @P-1 { name: "Ana", email: "ana@desk.test" } }
  data desk.tickets {
    @T-1 { title: "Old 🗂 stück", owner: @P-1, opened: now - 5d }
    @T-2 { title: "New", opened: now - 1h }
  }

  let target = only t in desk.tickets where now - t.opened > 48h
  let owner = target.owner

  check 0.25 "reads it" called desk.get_ticket(ticket_id: target)
  check 0.75 "closes it" target.status == closed

  forbid "touches others" called desk.set_status where ticket_id != target
  only changes target.status
  given 2d
  allow W403 "the owner is here to be looked up"
}
"""

WHOLE = SERVICE + TASK


def analyse(text: str, **files: str) -> Analysis:
    """The analysis of `main.cwk`; further open files by name without the ending."""
    return project(files).analyse(PATH, text)


def project(files: Mapping[str, str]) -> Project:
    return Project({f"/project/{name}.cwk": text for name, text in files.items()})


def marked(text: str) -> tuple[str, int]:
    """The text without its `|`, and where that stood."""
    offset = text.index("|")
    return text[:offset] + text[offset + 1 :], offset


def within(statement: str, text: str = WHOLE) -> tuple[Analysis, int]:
    """The text with one more statement at the end of its last item, and the place marked by `|` in it."""
    before = text.rstrip().removesuffix("}")
    whole, offset = marked(f"{before}  {statement}\n}}\n")
    return analyse(whole), offset


def at(text: str, words: str, inner: str = "") -> int:
    """The offset of some words, or of something within them."""
    start = text.index(words)
    return start + words.index(inner) if inner else start
