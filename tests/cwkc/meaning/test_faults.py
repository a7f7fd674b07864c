"""`fault`: what is injected, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from .support import check, codes, task, the_task


def test_a_fault_names_a_call_or_a_rate() -> None:
    faults = ("desk.set_status timeout on call 2", "desk.get_ticket stale rate 0.25", "desk.drop timeout rate 1")
    program, diagnostics = check(task("\n".join(f"fault {each}" for each in faults)))
    assert diagnostics == ()
    assert [(each.tool, each.kind, each.call, each.rate) for each in the_task(program).faults] == [
        ("desk.set_status", "timeout", 2, None),
        ("desk.get_ticket", "stale", None, Fraction(1, 4)),
        ("desk.drop", "timeout", None, Fraction(1)),
    ]


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        ("fault desk.set_statu timeout on call 1", ["E204"]),
        ("fault helpdesk.set_status timeout on call 1", ["E203"]),
        ("fault desk.set_status broken on call 1", ["E280"]),
        ("fault desk.set_status timeout on call 0", ["E281"]),
        ("fault desk.set_status timeout on call 1.5", ["E206"]),
        ("fault desk.set_status timeout on call 2h", ["E206"]),
        ("fault desk.set_status timeout rate 0", ["E281"]),
        ("fault desk.set_status timeout rate 1.01", ["E281"]),
        ("fault desk.set_status stale on call 1", ["E283"]),
        ("fault desk.set_status broken on call 0", ["E280", "E281"]),
        ("fault desk.drop timeout on call 1 fault desk.drop unavailable on call 1", ["E282"]),
        ("fault desk.drop timeout rate 0.1 fault desk.drop timeout rate 0.2", ["E282"]),
        ("fault desk.drop timeout rate 0.1 fault desk.drop unavailable rate 0.2", []),
        ("fault desk.drop timeout on call 1 fault desk.get_ticket timeout on call 1", []),
    ],
)
def test_what_is_refused(body: str, refused: list[str]) -> None:
    assert codes(task(body)) == refused


def test_a_tool_that_is_not_offered_has_no_faults() -> None:
    text = task("fault desk.drop timeout on call 1").replace("tools desk, gmail", "tools desk.set_status")
    assert codes(text) == ["E217"]
