"""What the emitted grader makes of what is delivered, beside what the condition means."""

from __future__ import annotations

from fractions import Fraction

import pytest

from coworkdsl import Environment, Pack
from cwkc.emit import emit_pack
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, holds
from tests.cwkc.meaning.support import check, task, the_task

BODY = """
deliver file "a.json" json rows t in desk.tickets key t.id { open: bool = t.status == open }
deliver words answer { late: duration = 30h  who: text = "Ana" }
tools files
"""
CHECKS = """
check 0.5 "file" delivered file
check 0.25 "words" delivered words
check 0.25 "both" delivered file and delivered words
"""
RIGHT = '[{"id": "T-3", "open": true}, {"id": "T-1", "open": true}, {"id": "T-2", "open": false}]'
TOLD = "late: PT30H\nwho: Ana"


def delivered() -> tuple[typed.Task, Environment]:
    program, diagnostics = check(task(BODY, CHECKS).replace("use gmail", "use gmail, files"))
    assert diagnostics == ()
    return the_task(program), Pack.from_files(emit_pack(program.tasks, {})).env("t")


@pytest.mark.parametrize(
    ("content", "said", "shares"),
    [
        (RIGHT, TOLD, (1, 1, 1)),
        (RIGHT.replace("false", "true"), TOLD, (Fraction(2, 3), 1, 0)),
        (RIGHT, "late: P1D\nwho: ana", (1, Fraction(1, 2), 0)),
        (None, None, (0, 0, 0)),
        ("", "", (0, 0, 0)),
    ],
)
def test_the_grader_agrees_with_the_meaning(
    content: str | None, said: str | None, shares: tuple[Fraction | int, ...]
) -> None:
    meant, env = delivered()
    if content is not None:
        env.call("files_write_file", {"path": "a.json", "text": content})
    if said is not None:
        env.say(said)
    run = env.trace
    scope = Scope(world=run.final, start=run.start, run=run, now=meant.now)
    assert tuple(rule.test(run) for rule in env.task.grader.checks) == shares
    assert tuple(holds(each.condition, scope) for each in meant.checks) == tuple(share == 1 for share in shares)


def test_the_evidence_names_the_fields_that_are_wrong() -> None:
    _, env = delivered()
    env.say("who: Bo\nlate: PT30H")
    evidence = {outcome.label: outcome.evidence for outcome in env.score().checks}
    assert evidence["words"] == (("mistakes in: delivered words", (("who", "wanted Ana, found Bo"),)),)
    assert [name for name, _ in evidence["both"]] == ["mistakes in: delivered file", "mistakes in: delivered words"]


def test_the_request_ends_with_what_is_to_be_delivered() -> None:
    _, env = delivered()
    request, *contracts = env.request.split("\n\n")
    assert request == "Do it."
    assert [words.partition(":")[0] for words in contracts] == [
        "Write the file a.json",
        "Your last message has a line for each field. The fields are",
    ]
