"""Code actions: the fixes of diagnostics, each offered only once it is seen to work."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from cwkc.diagnostics import Diagnostic
from cwkc.editor.analysis import Analysis
from cwkc.editor.project import Project
from cwkc.editor.renaming import Edit, applied


@frozen(eq=False)
class Action:
    """A fix: its title, the diagnostic that it mends, and its edit."""

    title: str
    diagnostic: Diagnostic
    edit: Edit


def actions(analysis: Analysis, start: int, end: int, project: Project) -> Iterator[Action]:
    """The fixes of what is wrong between two offsets."""
    for each in analysis.diagnostics:
        span = each.span
        if each.fix is None or span.source is not analysis.source or span.end < start or end < span.start:
            continue
        edit = Edit(span, each.fix)
        if _mends(analysis, each, edit, project):
            title = f"Replace `{span.text}` with `{each.fix}`" if each.fix else f"Remove `{span.text}`"
            yield Action(title, each, edit)


def _mends(analysis: Analysis, diagnostic: Diagnostic, edit: Edit, project: Project) -> bool:
    """Whether, with the edit, the same is not said again at that place."""
    after = project.analyse(analysis.source.name, applied(analysis.source.text, [edit]))
    start = diagnostic.span.start
    return not any(each.code == diagnostic.code and each.span.start == start for each in after.diagnostics)
