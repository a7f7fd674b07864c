"""From the text of a `.cwk` file to its syntax tree, or to what is wrong with it."""

from cwkc.syntax.parser import VERSION, parse
from cwkc.syntax.reader import read

__all__ = ["VERSION", "parse", "read"]
