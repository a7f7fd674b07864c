"""The emission room: from typed tasks to the files of a pack."""

from cwkc.emit.families import BuiltFamily, emit_family, member_row, with_witness
from cwkc.emit.forms import Form, OtherForm
from cwkc.emit.graders import emit_grader
from cwkc.emit.pack import emit_pack, emit_proofs, emit_services, emit_task, service_clashes

__all__ = [
    "BuiltFamily",
    "Form",
    "OtherForm",
    "emit_family",
    "emit_grader",
    "emit_pack",
    "emit_proofs",
    "emit_services",
    "emit_task",
    "member_row",
    "service_clashes",
    "with_witness",
]
