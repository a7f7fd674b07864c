"""Diagnostics for programs: the JSON array and the workflow commands."""

import json as standard_json

from cwkc.diagnostics import github, json
from cwkc.diagnostics.model import Diagnostic, Label, error
from cwkc.source import Source, Span

SOURCE = Source("dir/a,b:c.cwk", "cwk 1\ntask x {\n}\n")
FOUND = Diagnostic(
    error("E001", "an-error", ""),
    Span(SOURCE, 6, 16),
    "100% wrong",
    "mend it",
    (Label(Span(SOURCE, 0, 3), "because of this"),),
)


def test_json_gives_every_part_with_the_position_after_the_end() -> None:
    assert standard_json.loads(json.render([FOUND])) == [
        {
            "code": "E001",
            "name": "an-error",
            "severity": "error",
            "message": "100% wrong",
            "help": "mend it",
            "file": "dir/a,b:c.cwk",
            "line": 2,
            "column": 1,
            "end_line": 3,
            "end_column": 2,
            "related": [
                {
                    "file": "dir/a,b:c.cwk",
                    "line": 1,
                    "column": 1,
                    "end_line": 1,
                    "end_column": 4,
                    "message": "because of this",
                }
            ],
        }
    ]


def test_json_of_nothing_is_an_empty_array() -> None:
    assert standard_json.loads(json.render([])) == []


def test_github_escapes_what_would_end_a_property_or_a_line() -> None:
    assert (
        github.render([FOUND, FOUND]).splitlines()
        == [
            "::error file=dir/a%2Cb%3Ac.cwk,line=2,col=1,endLine=3,endColumn=2,title=E001 an-error"
            "::100%25 wrong%0Adir/a,b:c.cwk:1: because of this%0Ahelp: mend it"
        ]
        * 2
    )
