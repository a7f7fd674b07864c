"""The table of diagnostics in the documentation is that of the catalogue."""

import re

from cwkc.diagnostics import CATALOGUE
from scripts.diagnostics import PAGE, text


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == text(), "run `python -m scripts.diagnostics`"


def test_each_code_stands_in_one_group_and_leads_to_its_page() -> None:
    shown = text()
    assert sorted(re.findall(r"^\| \[(\w+)\] ", shown, re.M)) == sorted(CATALOGUE)
    links = re.findall(r"^\[\w+\]: (.*)$", shown, re.M)
    assert [link for link in links if not (PAGE.parent / link).is_file()] == []
