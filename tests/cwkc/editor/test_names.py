"""Definitions, references and renaming."""

import pytest

from cwkc.editor import Analysis
from cwkc.editor.navigation import definition, references
from cwkc.editor.renaming import RefusedError, applied, renamable, rename
from tests.cwkc.editor.support import SERVICE, TASK, WHOLE, analyse, at, project

USING = f'cwk 1\n\nuse "main.cwk"\n{TASK}'


def defined(words: str, inner: str, text: str = WHOLE) -> str:
    """The line in which something is declared, from its name on."""
    place = definition(analyse(text), at(text, words, inner))
    return place.source.text[place.start :].partition("\n")[0] if place else ""


@pytest.mark.parametrize(
    ("words", "inner", "expected"),
    [
        ("ticket_id: target", "target", "target = only t in"),
        ("ticket_id: target", "ticket_id", 'ticket_id: Ticket "Its id"'),
        ("called desk.get_ticket", "desk", 'desk "A desk"'),
        ("called desk.get_ticket", "get_ticket", 'get_ticket "Read a ticket."'),
        ("t.opened", "opened", "opened: datetime"),
        ("where now - t.opened", "t.", "t in desk.tickets"),
        ("== closed", "closed", "closed }"),
        ("owner: @P-1", "@P-1", '@P-1 { name: "Ana"'),
        ("owner: @P-1", "owner", "owner: Person?"),
        ("in desk.tickets where", "tickets", "tickets: Ticket key"),
        ("where ticket_id", "ticket_id", "ticket_id: Ticket, status"),
        ("set ticket_id", "ticket_id", "ticket_id: Ticket, status"),
        ("before ==", "before", "before = ticket_id.status"),
        ("only changes target.status", "status", "status: Status = open"),
        ("-> Ticket {", "Ticket", 'Ticket "What somebody wants"'),
        ("= closed", "closed", "closed }"),
    ],
)
def test_definition(words: str, inner: str, expected: str) -> None:
    assert defined(words, inner).startswith(expected)


DELIVERED = """cwk 1
use files, helpdesk
world shop {
  data helpdesk.tickets { @TK-1 { title: "a", created_at: 2026-03-11T08:00:00Z } }
}
task write in shop {
  now: 2026-03-14T09:00:00Z
  request $"Write {one.title} down."
  tools files
  let one = only t in helpdesk.tickets
  deliver note "note.json" json { title: text = one.title }
  check 1.0 "writes it" delivered note
}
"""


@pytest.mark.parametrize(
    ("words", "inner", "expected"),
    [
        ("delivered note", "note", 'note "note.json"'),
        ("{one.title}", "one", "one = only"),
        ("{one.title}", "title", "title: text"),
        ("in shop", "shop", "shop {"),
        ("@TK-1", "", "@TK-1 {"),
        ('{ title: "a"', "title", "title: text"),
    ],
)
def test_definition_of_what_a_task_promises_and_a_world_holds(words: str, inner: str, expected: str) -> None:
    assert defined(words, inner, DELIVERED).startswith(expected)


def test_definitions_in_other_files() -> None:
    analysis = project({"main": SERVICE}).analyse("/project/other.cwk", USING)
    place = definition(analysis, at(USING, "called desk.get_ticket", "get_ticket"))
    assert place is not None
    assert place.source.name == "/project/main.cwk"
    standard = definition(analyse("cwk 1\nuse helpdesk\n"), len("cwk 1\nuse h"))
    assert standard is not None
    assert standard.source.name == "stdlib/helpdesk.cwk"


def referred(words: str, inner: str) -> list[str]:
    analysis = analyse(WHOLE)
    symbol = renamable(analysis, at(WHOLE, words, inner)).symbol
    return [f"{each.span.line}{'!' if each.declares else ''}" for each in references(symbol, [analysis])]


def test_references() -> None:
    lines = WHOLE.splitlines()
    truth = [number for number, line in enumerate(lines, 1) if "target" in line]
    assert referred("let target", "target") == [f"{truth[0]}!", *map(str, truth[1:])]
    assert referred("owner: @P-1", "@P-1") == [f"{lines.index(TASK.splitlines()[9]) + 1}!", "39"]


def renamed(words: str, inner: str, name: str, text: str = WHOLE) -> str:
    own = project({})
    analysis = own.analyse("/project/main.cwk", text)
    return applied(text, rename(analysis, at(text, words, inner), name, own, []))


@pytest.mark.parametrize(
    ("words", "inner", "name"),
    [
        ("let target", "target", "goal"),
        ("owner: @P-1", "@P-1", "P-77"),
        ("owner: @P-1", "@P-1", "Ana's"),
        ("== closed", "closed", "shut"),
        ("t.opened", "opened", "begun"),
        ("tools desk", "desk", "office"),
        ("called desk.get_ticket", "get_ticket", "read_ticket"),
        ("where ticket_id", "ticket_id", "which"),
        ("only t in", "t ", "each_ticket"),
        ("let before", "before", "earlier"),
        ("-> Ticket {", "Ticket", "Request"),
        ("task stale", "stale", "fresh"),
    ],
)
def test_renaming_keeps_the_program_as_it_is(words: str, inner: str, name: str) -> None:
    text = renamed(words, inner, name)
    assert text != WHOLE
    assert analyse(text).diagnostics == ()
    assert len(analyse(text).occurrences) == len(analyse(WHOLE).occurrences)


@pytest.mark.parametrize(
    ("words", "inner", "name", "reason"),
    [
        ("let target", "target", "owner", "with `owner`, the truth `owner` is there twice"),
        ("let target", "target", "only", "`only` is a word of the language"),
        ("let target", "target", "two words", "`two words` is not a name"),
        ("where ticket_id", "ticket_id", "target", "with `target`, `target` could mean"),
        ("owner: @P-1", "@P-1", 'a"b', "cannot be the id"),
        ("desk.tickets {", "tickets", "people", "with `people`,"),
        ("now - 5d", "now", "then", "nothing that can be renamed"),
    ],
)
def test_what_is_not_safe_is_refused(words: str, inner: str, name: str, reason: str) -> None:
    with pytest.raises(RefusedError, match=reason):
        renamed(words, inner, name)


def test_a_text_that_says_an_id_may_mean_the_record() -> None:
    with pytest.raises(RefusedError, match=r"the text in line \d+ says `T-1` too"):
        renamed("@T-1", "", "T-9", WHOLE.replace("Close the ticket", "Close T-1, the ticket"))


def test_a_broken_file_may_hide_a_place() -> None:
    with pytest.raises(RefusedError, match="cannot be read as a whole"):
        renamed("let target", "target", "goal", WHOLE.replace("given 2d", "given ="))


def test_what_is_standard_keeps_its_name() -> None:
    with pytest.raises(RefusedError, match="belongs to a standard service"):
        renamed("use helpdesk", "helpdesk", "desk", "cwk 1\nuse helpdesk\n")


def test_a_name_that_writes_a_field_and_reads_a_parameter_is_refused() -> None:
    text = WHOLE.replace("set ticket_id { status: status }", "set ticket_id { status }")
    with pytest.raises(RefusedError):
        renamed("status: Status = closed", "status", "state", text)


def test_renaming_in_several_files() -> None:
    own = project({"main": SERVICE, "other": USING})
    main, other = (own.analyse(f"/project/{name}.cwk", text) for name, text in (("main", SERVICE), ("other", USING)))
    edits = rename(main, at(SERVICE, "tool get_ticket", "get_ticket"), "read_ticket", own, [other])
    assert {edit.span.source.name for edit in edits} == {"/project/main.cwk", "/project/other.cwk"}


def test_every_occurrence_leads_to_its_declaration() -> None:
    def key(analysis: Analysis) -> set[tuple[str, int]]:
        return {each.symbol.key for each in analysis.occurrences}

    analysis = analyse(WHOLE)
    declared = {each.symbol.key for each in analysis.occurrences if each.declares}
    assert key(analysis) == declared
