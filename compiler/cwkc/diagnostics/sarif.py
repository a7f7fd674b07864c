"""Diagnostics as a SARIF 2.1.0 log, which code hosts and editors show beside the lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from cwkc.diagnostics.model import Diagnostic, Entry
from cwkc.diagnostics.pages import page, reason
from cwkc.source import Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render(diagnostics: Sequence[Diagnostic], version: str) -> str:
    """A log with one run; its rules are those that something was found of, each with its explanation. `version`: the
    compiler's."""
    rules = list({diagnostic.code: diagnostic.entry for diagnostic in diagnostics}.values())
    numbers = {entry.code: number for number, entry in enumerate(rules)}
    driver = {"name": "cwkc", "semanticVersion": version, "rules": [_rule(entry) for entry in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, numbers[diagnostic.code]) for diagnostic in diagnostics],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _rule(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.code,
        "name": "".join(word.capitalize() for word in entry.name.split("-")),
        "shortDescription": {"text": entry.name.replace("-", " ")},
        "fullDescription": {"text": reason(entry.code)},
        "help": {"text": page(entry.code), "markdown": page(entry.code)},
        "defaultConfiguration": {"level": entry.severity.value},
    }


def _result(diagnostic: Diagnostic, rule: int) -> dict[str, Any]:
    text = "\n".join(filter(None, (diagnostic.message, diagnostic.help and f"help: {diagnostic.help}")))
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.entry.severity.value,
        "message": {"text": text},
        "locations": [_location(diagnostic.span)],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": label.text}, **_location(label.span)}
            for number, label in enumerate(diagnostic.related)
        ]
    if diagnostic.fix is not None:
        result["fixes"] = [_fix(diagnostic.span, diagnostic.fix)]
    return result


def _fix(span: Span, text: str) -> dict[str, Any]:
    replacement = {"deletedRegion": _region(span), "insertedContent": {"text": text}}
    change = {"artifactLocation": {"uri": _uri(span.source.name)}, "replacements": [replacement]}
    return {"artifactChanges": [change]}


def _location(span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.source.name)}, "region": _region(span)}}


def _region(span: Span) -> dict[str, int]:
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _uri(name: str) -> str:
    """A file's name as a URI: relative where the name is."""
    path = PurePath(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
