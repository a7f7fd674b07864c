"""Expressions. Rules that read a single thing leave no branch, so an operand may be a token or a branch of any rule."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve
from lark import Token

from cwkc.syntax import tree
from cwkc.syntax.folding import Operator, Part, Suffix, fold
from cwkc.syntax.literals import literal, text, text_or_interpolation
from cwkc.syntax.reading import Branch, Children, Reading, branch, branches, operands, token

CAPITALS = {"True": "true", "False": "false", "None": "null"}
PREFIXES = ("NOT", "MINUS")


def expression(reading: Reading, whole: Branch) -> tree.Expression:
    """What the rule `expr`, or one of its parts, read.

    Raises:
        Unreadable: it is nested deeper than later stages can follow.
    """
    if isinstance(whole, Token):
        return _word(reading, whole)
    reading.descend(whole)
    built = OPERANDS[whole.data](reading, whole)
    reading.ascend(built)
    return built


def _flat(reading: Reading, whole: Branch) -> tree.Expression:
    """Terms with binary operators between them."""
    parts: list[Part] = []
    for index, child in enumerate(whole.children):
        if index % 2:
            parts.append(_operator(reading, child))
        elif isinstance(child, Token) or child.data not in ("term", "last"):
            parts.append(expression(reading, child))
        else:
            parts.extend(_term(reading, child))
    return fold(reading, parts)


def _single(reading: Reading, whole: Branch) -> tree.Expression:
    """One term with prefixes or a suffix."""
    return fold(reading, _term(reading, whole))


def _term(reading: Reading, whole: Branch) -> list[Part]:
    return [_part(reading, child) for child in whole.children]


def _part(reading: Reading, child: Branch) -> Part:
    if isinstance(child, Token):
        if child.type in PREFIXES:
            return Operator((str(child),), reading.span(child), prefix=True)
        return _word(reading, child)
    if child.data == "suffix":
        items = tuple(expression(reading, item) for item in operands(child.children[1:-2]))
        return Suffix(items, reading.span(child))
    return expression(reading, child)


def _operator(reading: Reading, child: Branch) -> Operator:
    words = (str(child),) if isinstance(child, Token) else tuple(str(word) for word in child.children)
    return Operator(words, reading.span(child))


# ---------------------------------------------------------------------------- binders and facts of the run


def _choice(reading: Reading, whole: Branch) -> tree.Binder:
    quantifier, picked = whole.children
    variable, _, source, *_ = picked.children
    return tree.Binder(
        str(quantifier),
        reading.identifier(variable),
        expression(reading, source),
        _order(reading, branch(picked.children, "order")),
        _where(reading, picked.children),
        None,
        span=reading.span(whole),
    )


def _first(reading: Reading, whole: Branch) -> tree.First:
    _, count, _, choice = whole.children
    return tree.First(expression(reading, count), _choice(reading, choice), span=reading.span(whole))


def _promise(reading: Reading, whole: Branch) -> tree.Binder:
    quantifier, variable, _, source, *_, body = whole.children
    return tree.Binder(
        str(quantifier),
        reading.identifier(variable),
        expression(reading, source),
        None,
        _where(reading, whole.children),
        expression(reading, body),
        span=reading.span(whole),
    )


def _order(reading: Reading, order: Branch | None) -> tree.Order | None:
    if order is None:
        return None
    key = expression(reading, order.children[1])
    return tree.Order(key, token(order.children, "DESC") is not None, span=reading.span(order))


def _where(reading: Reading, children: Children) -> tree.Expression | None:
    """The condition among the children of a rule that may have one."""
    condition = branch(children, "where")
    return None if condition is None else expression(reading, condition.children[1])


def _call(reading: Reading, whole: Branch) -> tree.CallFact:
    verb, tool, *_ = whole.children
    arguments = tuple(_argument(reading, argument) for argument in branches(whole.children, "argument"))
    return tree.CallFact(str(verb), reading.path(tool), arguments, None, span=reading.span(whole))


def _filtered(reading: Reading, whole: Branch) -> tree.CallFact:
    call = _call(reading, whole.children[0])
    return evolve(call, where=_where(reading, whole.children), span=reading.span(whole))


def _argument(reading: Reading, whole: Branch) -> tree.ArgumentPattern:
    key, _, *operator, value = whole.children
    sign = str(operator[0]) if operator else "=="
    return tree.ArgumentPattern(reading.identifier(key), sign, expression(reading, value), span=reading.span(whole))


def _learned(reading: Reading, whole: Branch) -> tree.Learned:
    return tree.Learned(reading.identifier(whole.children[1]), span=reading.span(whole))


def _delivered(reading: Reading, whole: Branch) -> tree.Delivered:
    return tree.Delivered(reading.identifier(whole.children[1]), span=reading.span(whole))


# ---------------------------------------------------------------------------- postfixes


def _postfix(reading: Reading, whole: Branch) -> tree.Expression:
    """An atom with its fields, indexes, arguments and views."""
    first, *trailers = whole.children
    base = expression(reading, first)
    for trailer in trailers:
        base = _trailed(reading, base, trailer)
    return base


def _trailed(reading: Reading, base: tree.Expression, trailer: Branch) -> tree.Expression:
    span = base.span.to(reading.span(trailer))
    if trailer.data == "member":
        return tree.Member(base, reading.identifier(trailer.children[1]), span=span)
    if trailer.data == "index":
        return tree.Index(base, expression(reading, trailer.children[1]), span=span)
    if trailer.data == "application":
        return tree.Application(base, _expressions(reading, trailer.children), span=span)
    return tree.Selection(base, reading.identifiers(trailer.children), span=span)


def _expressions(reading: Reading, children: Children) -> tuple[tree.Expression, ...]:
    """Those between brackets."""
    return tuple(expression(reading, child) for child in operands(children[1:-1]))


# ---------------------------------------------------------------------------- atoms


def _word(reading: Reading, word: Token) -> tree.Expression:
    """An expression of one token."""
    match word.type:
        case "NAME" if word in CAPITALS:
            reading.complain("E133", reading.span(word), found=str(word), right=CAPITALS[word])
            return tree.Broken(span=reading.span(word))
        case "NAME":
            return tree.Name(str(word), span=reading.span(word))
        case "LITERAL":
            return literal(reading, word)
        case "STRING" | "INTERPOLATED":
            return text_or_interpolation(reading, word)
        case "REF":
            return record_id(reading, word)
        case "TRUE" | "FALSE":
            return tree.Truth(word.type == "TRUE", span=reading.span(word))
        case "NULL":
            return tree.Null(span=reading.span(word))
        case "ANSWER":
            return tree.Answer(span=reading.span(word))
    return tree.Said(span=reading.span(word))


def record_id(reading: Reading, word: Token) -> tree.RecordId:
    return tree.RecordId(word[1:].strip('"'), span=reading.span(word))


def optional_text(reading: Reading, children: Children) -> tree.Text | None:
    """The text literal among the children of a rule that may have one."""
    found = token(children, "STRING")
    return None if found is None else text(reading, found)


def _pick(reading: Reading, whole: Branch) -> tree.Pick:
    return tree.Pick(reading.identifier(whole.children[1]), span=reading.span(whole))


def _list(reading: Reading, whole: Branch) -> tree.ListDisplay:
    return tree.ListDisplay(_expressions(reading, whole.children), span=reading.span(whole))


def _group(reading: Reading, whole: Branch) -> tree.Expression:
    """What stands between the brackets, with the brackets as its place."""
    return evolve(expression(reading, whole.children[1]), span=reading.span(whole))


def _sum(reading: Reading, whole: Branch) -> tree.Sum:
    _, _, value, _, variable, _, source, *_ = whole.children
    return tree.Sum(
        expression(reading, value),
        reading.identifier(variable),
        expression(reading, source),
        _where(reading, whole.children),
        span=reading.span(whole),
    )


def object_display(reading: Reading, whole: Branch) -> tree.ObjectDisplay:
    entries = tuple(_entry(reading, entry) for entry in branches(whole.children, "entry"))
    return tree.ObjectDisplay(entries, span=reading.span(whole))


def _entry(reading: Reading, whole: Branch) -> tree.Entry:
    key, *value = whole.children
    built = expression(reading, value[1]) if value else None
    return tree.Entry(reading.identifier(key), built, span=reading.span(whole))


OPERANDS: dict[str, Callable[[Reading, Branch], tree.Expression]] = {
    "expr": _flat,
    "term": _single,
    "last": _single,
    "choice": _choice,
    "promise": _promise,
    "first": _first,
    "call": _call,
    "filtered": _filtered,
    "learned": _learned,
    "delivered": _delivered,
    "postfix": _postfix,
    "target": _postfix,
    "pick": _pick,
    "list": _list,
    "group": _group,
    "sum": _sum,
    "object": object_display,
}
