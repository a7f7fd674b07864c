"""Whose fault each diagnostic is."""

from cwkc.diagnostics import CATALOGUE
from cwkc.generate.owners import _CODES, OWNERS


def test_every_diagnostic_has_one_owner() -> None:
    named = [code for codes in _CODES.values() for code in codes.split()]
    assert sorted(named) == sorted(CATALOGUE)
    assert len(OWNERS) == len(named)
