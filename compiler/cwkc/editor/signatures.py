"""Signature help: within the brackets of `called T(…)` or of a built-in function, what it takes."""

from __future__ import annotations

from attrs import frozen

from cwkc.editor.analysis import Analysis
from cwkc.editor.builtins import BUILTINS
from cwkc.editor.describing import parameter
from cwkc.editor.words import Word, index_before, opened_by
from cwkc.meaning import typed


@frozen
class Signature:
    """`parameters` are parts of `label`, each with what is said of it; `active` is the index of the one at hand, None
    where every one has been written."""

    label: str
    doc: str
    parameters: tuple[tuple[str, str], ...]
    active: int | None


def signature_at(analysis: Analysis, offset: int) -> Signature | None:
    """What is called at an offset."""
    words = analysis.words
    last = index_before(words, offset)
    opening = opened_by(words, last)
    while opening >= 0 and words[opening].text != "(":
        opening = opened_by(words, opening - 1)
    if opening < 1:
        return None
    if words[opening - 1].text in BUILTINS and words[opening - 2].text not in (".", "tool"):
        return _of_builtin(words[opening - 1].text, _commas(words, opening, last))
    tool = _tool(analysis, opening)
    return _of_tool(tool, words, opening, last) if tool else None


def _of_builtin(name: str, commas: int) -> Signature:
    builtin = BUILTINS[name]
    active = min(commas, len(builtin.parameters) - 1)
    return Signature(builtin.label(name), builtin.doc, tuple((each, "") for each in builtin.parameters), active)


def _tool(analysis: Analysis, opening: int) -> typed.ToolDef | None:
    """The tool of the call fact whose bracket is opened there."""
    words = analysis.words
    if opening < 4 or words[opening - 4].text not in ("called", "tried") or words[opening - 2].text != ".":
        return None
    service = analysis.readable.scope.services.get(words[opening - 3].text)
    return service.tools.get(f"{service.name}.{words[opening - 1].text}") if service else None


def _of_tool(tool: typed.ToolDef, words: list[Word], opening: int, last: int) -> Signature:
    names = list(tool.parameters)
    keys = [
        words[index].text
        for index in range(opening + 1, last)
        if words[index + 1].text == ":" and opened_by(words, index) == opening and words[index].text in names
    ]
    is_begun = _commas(words, opening, last) < len(keys)
    active = keys[-1] if is_begun and keys else next((name for name in names if name not in keys), None)
    shown = tuple((parameter(each), each.doc or "") for each in tool.parameters.values())
    label = f"{tool.name}({', '.join(each for each, _ in shown)})"
    return Signature(label, tool.doc or "", shown, names.index(active) if active else None)


def _commas(words: list[Word], opening: int, last: int) -> int:
    """How many commas stand between the arguments so far."""
    indices = (index for index in range(opening + 1, last + 1) if words[index].text == ",")
    return sum(opened_by(words, index) == opening for index in indices)
