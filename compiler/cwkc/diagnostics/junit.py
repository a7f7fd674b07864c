"""Diagnostics as a JUnit report: a test case for each file, which fails when the file has errors."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from cwkc.diagnostics import terminal
from cwkc.diagnostics.display import printable
from cwkc.diagnostics.model import Diagnostic

PAGE = terminal.Page()


def render(diagnostics: Sequence[Diagnostic], files: Sequence[str]) -> str:
    """The report on these files, and on those besides in which something was found; warnings are a case's output."""
    by_file: dict[str, list[Diagnostic]] = {name: [] for name in files}
    for diagnostic in diagnostics:
        by_file.setdefault(diagnostic.span.source.name, []).append(diagnostic)
    failed = sum(any(each.is_error for each in found) for found in by_file.values())
    counts = {"tests": str(len(by_file)), "failures": str(failed), "errors": "0"}
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "cwkc", **counts})
    for name, found in by_file.items():
        _case(suite, name, found)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=False)


def _case(suite: ElementTree.Element, name: str, found: Sequence[Diagnostic]) -> None:
    case = ElementTree.SubElement(suite, "testcase", {"classname": "cwkc", "name": printable(name)})
    errors = [diagnostic for diagnostic in found if diagnostic.is_error]
    if errors:
        failure = ElementTree.SubElement(case, "failure", {"message": _summary(errors), "type": errors[0].code})
        failure.text = _shown(errors)
    warnings = [diagnostic for diagnostic in found if not diagnostic.is_error]
    if warnings:
        ElementTree.SubElement(case, "system-out").text = _shown(warnings)


def _summary(errors: Sequence[Diagnostic]) -> str:
    """The one message, or how many there are."""
    return printable(errors[0].message) if len(errors) == 1 else terminal.summary(errors)


def _shown(found: Sequence[Diagnostic]) -> str:
    return "\n".join(printable(line) for line in terminal.render(found, PAGE).split("\n"))
