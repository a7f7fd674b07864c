"""From lark's tree to the syntax tree: the items of a file."""

from __future__ import annotations

from collections.abc import Callable

from cwkc.syntax import tree
from cwkc.syntax.grading import grade
from cwkc.syntax.literals import text
from cwkc.syntax.reading import Branch, Reading, branches
from cwkc.syntax.services import enumeration, record, service, vocabulary
from cwkc.syntax.tasks import family, plan, task, world

Use = tree.UseService | tree.UseFile

ITEMS: dict[str, Callable[[Reading, Branch], tree.Item]] = {
    "service": service,
    "world": world,
    "task": task,
    "family": family,
    "grade": grade,
    "plan": plan,
    "enum": enumeration,
    "record": record,
    "vocabulary": vocabulary,
}


def declaration(reading: Reading, whole: Branch) -> tuple[tuple[Use, ...], tuple[tree.Item, ...]]:
    """What one `use` brings in, or one item.

    Raises:
        Unreadable: there is a mistake in it after which nothing of it can be kept.
    """
    if whole.data == "use":
        return tuple(_used(reading, part) for part in branches(whole.children, "used")), ()
    return (), (ITEMS[whole.data](reading, whole),)


def _used(reading: Reading, whole: Branch) -> Use:
    first, *_ = whole.children
    if first.type == "STRING":
        return tree.UseFile(text(reading, first), span=reading.span(whole))
    name, *alias = reading.identifiers(whole.children)
    return tree.UseService(name, alias[0] if alias else None, span=reading.span(whole))
