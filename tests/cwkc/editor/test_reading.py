"""Hover, signatures, symbols, folding, colours, hints and lenses."""

from itertools import pairwise

import pytest

from cwkc.editor.builtins import BUILTINS
from cwkc.editor.colours import colours
from cwkc.editor.folding import Fold, folds
from cwkc.editor.hints import hints
from cwkc.editor.hover import hover
from cwkc.editor.lenses import lenses
from cwkc.editor.outline import Entry, outline
from cwkc.editor.signatures import signature_at
from cwkc.meaning.builtins import _RULES
from tests.cwkc.editor.support import WHOLE, analyse, at, within


def hovered(words: str, inner: str = "", text: str = WHOLE) -> str:
    found = hover(analyse(text), at(text, words, inner), {"stale": [("grounded", "proved"), ("witness", "executed")]})
    return found.text if found else ""


@pytest.mark.parametrize(
    ("words", "inner", "expected"),
    [
        ("let target", "target", "let target: desk.Ticket = @T-1"),
        ("t.opened", "opened", "desk.Ticket.opened: datetime"),
        ("title: text", "title", "In a few words"),
        ("== closed", "closed", "closed: desk.Status"),
        ("called desk.get_ticket", "get_ticket", "tool desk.get_ticket(ticket_id: desk.Ticket) -> desk.Ticket"),
        ("called desk.get_ticket", "get_ticket", "Read a ticket."),
        ("called desk.get_ticket", "get_ticket", "- `ticket_id`: Its id"),
        ("called desk.set_status", "set_status", "status: desk.Status = closed"),
        ("called desk.set_status", "set_status", "It writes."),
        ("tools desk", "desk", "A desk"),
        ("task stale", "stale", "| witness | executed |"),
        ("owner: @P-1", "@P-1", '@P-1: desk.Person {\n  name: "Ana"'),
        ("where ticket_id", "ticket_id", "ticket_id: desk.Ticket"),
        ("before ==", "before", "before: desk.Status"),
        ("now - t.opened > 48h", "-", "duration"),
    ],
)
def test_hover(words: str, inner: str, expected: str) -> None:
    assert expected in hovered(words, inner)


def test_hover_in_a_broken_file_knows_its_good_parts() -> None:
    broken = WHOLE.replace("only changes target.status", "only changes target.status oops oops")
    assert "let target: desk.Ticket = @T-1" in hovered("let target", "target", broken)
    assert hovered("oops", "", broken) == ""


def test_hover_over_the_code_of_a_warning() -> None:
    analysis, offset = within('allow W4|01 "why"')
    found = hover(analysis, offset, {})
    assert found is not None
    assert "idle-condition" in found.text


@pytest.mark.parametrize(
    ("statement", "active"),
    [
        ('check 0 "x" called desk.set_status(|)', 0),
        ('check 0 "x" called desk.set_status(ticket_id: target|', 0),
        ('check 0 "x" called desk.set_status(ticket_id: target, |', 1),
        ('check 0 "x" tried desk.set_status(status: |', 1),
        ('check 0 "x" called desk.set_status(ticket_id: target, status: open, |', None),
    ],
)
def test_the_parameter_at_hand(statement: str, active: int | None) -> None:
    found = signature_at(*within(statement))
    assert found is not None
    assert found.label == "desk.set_status(ticket_id: desk.Ticket, status: desk.Status = closed)"
    assert found.active == active


def test_signatures_of_functions() -> None:
    found = signature_at(*within('check 0 "x" round(1.25, |'))
    assert found is not None
    assert (found.label, found.active) == ("round(number, places)", 1)
    assert signature_at(*within('check 0 "x" (|')) is None
    assert BUILTINS.keys() == _RULES.keys()


def shape(entry: Entry) -> object:
    return (entry.kind, entry.name, [shape(child) for child in entry.children])


def test_outline() -> None:
    service, task = outline(analyse(WHOLE))
    assert shape(service.children[0]) == (
        "enum",
        "Status",
        [("value", "open", []), ("value", "closed", [])],
    )
    assert [(child.kind, child.name) for child in task.children] == [
        ("store", "desk.people"),
        ("store", "desk.tickets"),
        ("truth", "target"),
        ("truth", "owner"),
        ("check", "reads it"),
        ("check", "closes it"),
        ("forbid", "touches others"),
    ]


def test_outline_of_what_cannot_be_read() -> None:
    entries = outline(analyse("cwk 1\n\ntask lost (((\n\ntask kept {\n  let a = 1\n}\n"))
    assert [(entry.kind, entry.name) for entry in entries] == [("task", "lost"), ("task", "kept")]


def test_folds() -> None:
    text = 'cwk 1\n# a\n# b\ntask x {\n  request """\n    a\n  """\n  data a.b {\n    @c {}\n  }\n}\n'
    assert folds(analyse(text)) == (Fold(1, 2, "comment"), Fold(3, 9), Fold(4, 6), Fold(7, 8))


def coloured(text: str) -> dict[str, tuple[str, ...]]:
    analysis = analyse(text)
    return {text[each.start : each.end]: (each.kind, *each.modifiers) for each in colours(analysis)}


def test_colours() -> None:
    found = coloured(WHOLE)
    assert found["only"] == ("keyword",)
    assert found["target"] == ("variable", "readonly")
    assert found["desk"] == ("namespace",)
    assert found["closed"] == ("enumMember", "readonly")
    assert found["@T-1"] == ("macro", "declaration", "readonly")
    assert found["48h"] == ("number",)
    assert found["datetime"] == ("type", "defaultLibrary")
    assert found["difficulty"] == ("property",)
    assert coloured("cwk 1\nuse crm # c\n")["crm"] == ("namespace", "defaultLibrary")


def test_colours_never_overlap_and_keep_to_their_lines() -> None:
    text = WHOLE.replace(
        'request "Close', 'request $"""\n    {target.title} in\n    {owner.name}\n  """\n  given "Close'
    )
    stretches = [(each.start, each.end) for each in colours(analyse(text))]
    assert all(end <= start for (_, end), (start, _) in pairwise(stretches))
    assert not any("\n" in text[start:end] for start, end in stretches)


def test_hints() -> None:
    shown = [(WHOLE[: hint.offset].rsplit("\n", 1)[1].strip(), hint.label) for hint in hints(analyse(WHOLE), 0, 9999)]
    assert [(line.split()[1], label) for line, label in shown] == [
        ("target", "= @T-1"),
        ("owner", "= @P-1"),
        ("0.25", "Σ 0.25"),
        ("0.75", "Σ 1"),
    ]
    assert hints(analyse(WHOLE), 0, WHOLE.index("let owner")) == hints(analyse(WHOLE), 0, 9999)[:1]


def test_lenses() -> None:
    found = lenses(analyse(WHOLE))
    assert [(lens.action, lens.task, lens.span.text) for lens in found] == [
        ("prove", "stale", "stale"),
        ("rehearse", "stale", "stale"),
        ("play", "stale", "stale"),
    ]
