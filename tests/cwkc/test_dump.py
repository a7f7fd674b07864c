"""Trees as text."""

from datetime import date, timedelta
from enum import Enum
from fractions import Fraction

from attrs import frozen

from cwkc.dump import dump
from cwkc.source import Source
from cwkc.syntax.parser import parse


def test_a_tree_is_shown_without_its_places() -> None:
    module, _ = parse(Source("a.cwk", 'cwk 1 use crm task t "Title" { given a == 2.5 given [] }'))
    assert (
        dump(module)
        == """\
Module version=1
  uses: 1 of them
    - UseService alias=None
      name: Identifier text='crm'
  items: 1 of them
    - Task world=None
      name: Identifier text='t'
      title: Text value='Title'
      items: 2 of them
        - Given
          value: Binary operator='=='
            left: Name text='a'
            right: Number value=5/2
        - Given
          value: ListDisplay items=()
"""
    )


class Colour(Enum):
    RED = 1


@frozen
class Thing:
    colour: Colour
    when: date
    lasts: timedelta
    share: Fraction
    names: dict[str, int]


def test_values_of_every_kind() -> None:
    thing = Thing(Colour.RED, date(2026, 3, 14), timedelta(hours=1), Fraction(1, 3), {"a": 1})
    assert dump(thing) == ("Thing colour=RED when=2026-03-14 lasts=1:00:00 share=1/3\n  names: 1 entries\n    'a': 1\n")
