"""The column of what stands beside the labels of a block, and what does not fit there."""

from __future__ import annotations

from attrs import frozen
from lark import Token, Tree

from cwkc.syntax.comments import first_word, start
from cwkc.syntax.layout import by_author
from cwkc.syntax.printing import Printer, labelled
from cwkc.syntax.reading import Branch, Children

GRADED = frozenset({"check", "require", "forbid", "always"})

# The widest gap behind the longest label that is taken for the author's will, and the gap where there is none.
WIDEST = 6
USUAL = 2


@frozen
class Labelled:
    """A statement with a label. `word` begins what follows it, `width` is that of what stands before."""

    item: Branch
    word: Token
    width: int
    gap: int
    column: int


def align_labels(printer: Printer, items: Children, indentation: int) -> None:
    """Set the blanks behind the labels of a block, and what hangs below its label: what the author had there, and what
    does not fit beside the others."""
    beside: list[Labelled] = []
    for item in items:
        if isinstance(item, Tree) and item.data in GRADED:
            found = _labelled(printer, item)
            if found is None:
                printer.hung.add(start(first_word(labelled(item)[1][0])))
            else:
                beside.append(found)
    while beside:
        column = max(each.width for each in beside) + _gap(beside)
        for each in beside:
            printer.pads[start(each.word)] = column - each.width - 1
        fitting = [each for each in beside if _fits(printer, each, indentation)]
        if len(fitting) == len(beside):
            break
        printer.hung |= {start(each.word) for each in beside} - {start(each.word) for each in fitting}
        beside = fitting


def _labelled(printer: Printer, item: Branch) -> Labelled | None:
    """None when what follows the label is to hang below it."""
    head, rest = labelled(item)
    before, gap = printer.row(head), printer.gap(rest[0])
    if before.width is None or gap.breaks or gap.beside is not None:
        return None
    word, label = first_word(rest[0]), head[-1]
    behind = start(word) - start(label) - len(label)
    column = printer.words.column(word) - printer.words.column(first_word(item))
    return Labelled(item, word, before.width, behind, column)


def _gap(beside: list[Labelled]) -> int:
    """The blanks behind the longest label: the author's, where there is one column."""
    if len({each.column for each in beside}) != 1:
        return USUAL
    least = min(each.gap for each in beside)
    return least if 1 <= least <= WIDEST else USUAL


def _fits(printer: Printer, each: Labelled, indentation: int) -> bool:
    """Whether a statement fits as it is: on its line, or on the lines into which the author has broken what follows."""
    return not any(line.excess for line in by_author(printer(each.item), indentation))
