"""The report on a pack: pages for people, of its tasks and of runs of them. It reads packs as any runner does."""

from cwkc.view.runs import RecordedRun, read_run
from cwkc.view.site import is_report, write_report

__all__ = ["RecordedRun", "is_report", "read_run", "write_report"]
