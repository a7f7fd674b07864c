"""Tasks from texts, and their runs in the emitted environment."""

from __future__ import annotations

from cwkc import resources
from cwkc.diagnostics import has_errors
from cwkc.emit.pack import emit_pack
from cwkc.meaning import typed
from cwkc.meaning.check import check_program
from cwkc.meaning.program import Library
from cwkc.prove import CallOutcome, CallStep, Execute, Outcome, Step
from cwkc.source import Source
from cwkc.syntax.parser import parse

from coworkdsl import Pack

LIBRARY = Library(parse, resources.standard_service, resources.standard_services(), lambda name: None)


def task_of(text: str, name: str = "task.cwk") -> typed.Task:
    """The only task of a text, which must be free of errors."""
    program, diagnostics = check_program([Source(name, text)], LIBRARY)
    assert not has_errors(diagnostics), [diagnostic.message for diagnostic in diagnostics]
    (task,) = program.tasks
    return task


def executor(task: typed.Task) -> Execute:
    """Runs steps in the task's emitted environment."""
    loaded = Pack.from_files(emit_pack([task], {task.name: {"theorems": [], "witness": None, "allowed": []}}))

    def execute(steps: tuple[Step, ...]) -> Outcome:
        environment = loaded.env(task.name)
        calls = []
        for step in steps:
            if isinstance(step, CallStep):
                result = environment.call(step.tool, dict(step.arguments))
                calls.append(result.get("error", {}).get("code") if isinstance(result.get("error"), dict) else None)
            else:
                environment.say(step.text, step.ends)
        assert not environment.defects
        score, writes = environment.score(), environment.trace.writes
        created = [[(w.store, w.id) for w in writes if w.call == i and w.kind == "insert"] for i in range(len(calls))]
        return Outcome(
            score.exact.completion,
            score.exact.safety,
            tuple(check.held for check in score.checks),
            tuple(requirement.held for requirement in score.requirements),
            tuple(forbid.held for forbid in score.forbids),
            tuple(CallOutcome(error, tuple(made)) for error, made in zip(calls, created, strict=True)),
        )

    return execute
