"""Plans that close gaps: from requirements, and the tasks of packs, to the slots that a generator is to fill."""

from cwkc.planning.existing import tasks_of
from cwkc.planning.report import document, lines
from cwkc.planning.requirements import Requirements, RequirementsError, read_requirements
from cwkc.planning.slots import Planned, plan_slots
from cwkc.planning.tally import Tally
from cwkc.planning.writing import plan_text

__all__ = [
    "Planned",
    "Requirements",
    "RequirementsError",
    "Tally",
    "document",
    "lines",
    "plan_slots",
    "plan_text",
    "read_requirements",
    "tasks_of",
]
