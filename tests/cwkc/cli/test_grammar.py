"""`cwkc grammar`"""

import json

import pytest
from click.testing import CliRunner

from cwkc.cli import group
from cwkc.grammars import FORMATS, export


@pytest.mark.parametrize("format", FORMATS)
def test_a_grammar_is_printed(format: str) -> None:
    result = CliRunner().invoke(group, ["grammar", "--format", format])
    assert (result.exit_code, result.output) == (0, export(format))


def test_comments_are_taken_where_they_are_asked_for() -> None:
    result = CliRunner().invoke(group, ["grammar", "--format", "openai", "--comments"])
    assert json.loads(result.output)["definition"].count("#") > export("openai").count("#")


def test_an_unknown_format_is_refused() -> None:
    result = CliRunner().invoke(group, ["grammar", "--format", "bnf"])
    assert result.exit_code == 2
    assert "'lark', 'llguidance', 'gbnf', 'openai'" in result.output
