"""The emission room: from typed tasks to the files of a pack."""

from cwkc.emit.graders import emit_grader
from cwkc.emit.pack import emit_pack, emit_proofs, emit_services, emit_task, service_clashes

__all__ = ["emit_grader", "emit_pack", "emit_proofs", "emit_services", "emit_task", "service_clashes"]
