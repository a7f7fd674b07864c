"""What grading reads of a call that failed: its record need not exist."""

from __future__ import annotations

import pytest

from coworkdsl import Pack
from cwkc.emit import emit_pack
from tests.cwkc.meaning.support import check, task


@pytest.mark.parametrize(
    ("condition", "unknown", "known"),
    [
        ('"hot" in ticket_id.tags', 0, 1),
        ("ticket_id.opened < now - 1d", 0, 1),
        ("not ticket_id.opened < now - 1d", 1, 0),
        ("ticket_id.owner is null", 1, 0),
    ],
)
def test_a_field_of_an_unknown_record_is_null(condition: str, unknown: int, known: int) -> None:
    program, diagnostics = check(task("", f'check 1 "tries" tried desk.get_ticket where {condition}'))
    assert diagnostics == ()
    pack = Pack.from_files(emit_pack(program.tasks, {}))
    for id, completion in (("T-99", unknown), ("T-1", known)):
        environment = pack.env("t")
        environment.call("desk_get_ticket", {"ticket_id": id})
        assert environment.score().exact.completion == completion
