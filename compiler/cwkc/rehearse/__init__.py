"""The rehearsal room: emitted environments and graders, executed before anybody else executes them."""

from cwkc.rehearse.execute import EmittedCodeError, Execution, execute, executor
from cwkc.rehearse.members import adapted
from cwkc.rehearse.rehearsal import Rehearsal, rehearse

__all__ = ["EmittedCodeError", "Execution", "Rehearsal", "adapted", "execute", "executor", "rehearse"]
