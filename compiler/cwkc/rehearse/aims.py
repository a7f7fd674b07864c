"""Situations in which a condition holds, and in which it does not, so that each of its parts decides once.

A part that is masked by others, such as the second half of an `or` whose first half holds, shows no fault. So the
others are put where they leave the decision to it. What comes out is tried, not believed: a situation that misses
what it aims at does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from coworkdsl.contracts import Contract, written
from coworkdsl.operations import elements
from coworkdsl.values import in_words
from cwkc.meaning import typed
from cwkc.meaning.evaluator import holds
from cwkc.meaning.types import BOOL, EMAIL, ListOf, Optional, Reference, required
from cwkc.prove.patterns import sample
from cwkc.rehearse.deliveries import misdelivered
from cwkc.rehearse.levers import Stage, is_lever, is_said, is_so, new_record, put, solved, valued
from cwkc.rehearse.situations import ANY, Items, MadeCall, Situation, Words, around

MOST_COUNTED = 12
"""So many things are made at most, that a condition counts."""

MOST_OTHERS = 2
"""So many other values stand where one value is to stand."""

MOST_STRANGERS = 2
"""So many members decide, each alone, of a list that an agent sends."""

MOST_FLIPS = 24
"""So many situations decide one part of a condition."""


def holding(expr: typed.Expr, wanted: bool, stage: Stage) -> Iterator[Situation]:
    """Situations in which the expression is true, or false; the plainest is the first."""
    if stage.is_fixed(expr):
        if (stage.value(expr) is True) is wanted:
            yield ANY
        return
    if stage.given is not ANY and is_so(expr, stage) is wanted:
        yield ANY
    match expr:
        case typed.Not(operand=operand):
            yield from holding(operand, not wanted, stage)
        case typed.Logical():
            yield from _logical(expr, wanted, stage)
        case typed.Binder(quantifier="some" | "no" | "every" | "each"):
            yield from _quantified(expr, wanted, stage)
        case typed.Compare():
            yield from _compared(expr, wanted, stage)
        case typed.Membership():
            yield from _member(expr, wanted, stage)
        case typed.IsNull(operand=operand):
            yield from _set(operand, [None] if wanted else [valued(operand, stage)[0]], stage)
        case typed.TextTest():
            yield from _tested(expr, wanted, stage)
        case typed.Delivered():
            yield from _delivered(expr, wanted, stage)
        case typed.CallFact():
            yield from _called(expr, wanted, stage)
        case typed.Before():
            yield from _before(expr, wanted, stage)
        case _ if expr.type == BOOL:
            yield from _set(expr, [wanted], stage)


def plainest(expr: typed.Expr, wanted: bool, stage: Stage) -> Situation:
    return next(holding(expr, wanted, stage), ANY)


def _set(expr: typed.Expr, values: Iterable[Any], stage: Stage) -> Iterator[Situation]:
    for value in values:
        if value is not None or isinstance(expr.type, Optional):
            situation = put(expr, value, stage)
            if situation is not None:
                yield situation


def all_of(situations: Iterable[Situation]) -> Situation:
    joined = ANY
    for situation in situations:
        joined |= situation
    return joined


# ---------------------------------------------------------------------------- logic


def _logical(expr: typed.Logical, wanted: bool, stage: Stage) -> Iterator[Situation]:
    """What stands behind is made so after what stands before it: bounds come first, what is related to them later."""
    left, right = expr.left, expr.right
    together = (expr.operator == "and") is wanted  # both sides have to be so; else the one, and not the other
    first = ANY
    for situation in holding(left, wanted, stage):
        whole = situation | plainest(right, wanted is together, stage.under(situation))
        first = first or whole
        yield whole
    rest = plainest(left, wanted is together, stage)
    flips = holding(right, wanted, stage.under(rest))
    yield from (rest | situation for situation in islice(flips, int(together), None))


# ---------------------------------------------------------------------------- binders


def condition_of(expr: typed.Binder) -> typed.Expr | None:
    """What an element is that decides: one of which a `some` holds, one that is an exception to an `every`."""
    if expr.body is None:
        return expr.where
    exception = typed.Not(expr.body, type=BOOL, span=expr.span)
    if expr.where is None:
        return exception
    return typed.Logical("and", expr.where, exception, type=BOOL, span=expr.span)


def _quantified(expr: typed.Binder, wanted: bool, stage: Stage) -> Iterator[Situation]:
    decisive = condition_of(expr)
    if is_lever(expr.source, stage) and (decisive is None or stage.bound(expr.variable, None).is_fixed(decisive)):
        yield from _listed(expr, decisive, wanted is (expr.quantifier == "some"), stage)
        return
    found, present = members(expr, stage)
    if decisive is None or not found:
        yield present if wanted is (expr.quantifier == "some") else ANY
        return
    stages = [stage.bound(expr.variable, each) for each in found]
    spared = [plainest(decisive, False, each) for each in stages]
    if wanted is not (expr.quantifier == "some"):
        rest = present | all_of(spared[1:])
        flips = holding(decisive, False, stages[0].under(rest))
        yield from (rest | situation for situation in islice(flips, MOST_FLIPS))
        return
    shared = expr.quantifier in ("every", "each")
    for place in _ends(len(found)) if shared else range(len(found)):
        rest = present | all_of(spared[:place] + spared[place + 1 :])
        flips = holding(decisive, True, stages[place].under(rest))
        yield from (rest | situation for situation in islice(flips, MOST_FLIPS if place == 0 else 1))


def _ends(count: int) -> Sequence[int]:
    return sorted({0, count - 1})


def members(expr: typed.Binder | typed.Sum, stage: Stage, count: int = 1) -> tuple[list[Any], Situation]:
    """What a binder runs over: the members of a list that is known, or so many new records of a store."""
    source = expr.source
    if stage.is_fixed(source):
        return list(elements(stage.value(source))), ANY
    if isinstance(source, typed.StoreRecords):
        made = [new_record(source, expr.variable, stage, number) for number in range(count)]
        return [id for id, _ in made], all_of(situation for _, situation in made)
    if isinstance(source, typed.Binder) and source.quantifier == "all":
        found, present = members(source, stage, count)
        chosen = [plainest(source.where, True, stage.bound(source.variable, id)) for id in found if source.where]
        return found, present | all_of(chosen)
    value, situation = valued(source, stage)
    return list(elements(value)), situation


def _listed(expr: typed.Binder, decisive: typed.Expr | None, exists: bool, stage: Stage) -> Iterator[Situation]:
    """Over a list that an agent sends: one with a member that decides among others, or with none."""
    kind = required(expr.source.type)
    assert isinstance(kind, ListOf)
    values = _of_item(kind, stage)
    chosen: dict[bool, list[Any]] = {True: [], False: []}
    for value in values:
        inner = stage.bound(expr.variable, value)
        chosen[decisive is None or holds(decisive, inner.scope)].append(value)
    if exists:
        lists = [Items((*chosen[False][:1], each)) for each in chosen[True][:MOST_STRANGERS]]
        yield from _set(expr.source, lists, stage)
    else:
        yield from _set(
            expr.source, [Items(chosen[False]), *(Items((each,)) for each in chosen[False]), Items()], stage
        )


def _of_item(kind: ListOf, stage: Stage) -> list[Any]:
    """Members of a list of a kind: all that the data hold, and one that they do not."""
    made_up = stage.made_up
    if isinstance(kind.item, Reference):
        return list(made_up.ids(kind.item.record))
    known = list(made_up.addresses) if kind.item == EMAIL else []
    return [*known, made_up.value(kind.item, "member", 1), made_up.value(kind.item, "member", 2)]


# ---------------------------------------------------------------------------- comparisons

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _compared(expr: typed.Compare, wanted: bool, stage: Stage) -> Iterator[Situation]:
    """The one side is what it is, and the other one on the border and on both sides of it; rather that of which
    nothing is given yet."""
    sides = ((expr.operator, expr.left, expr.right), (MIRRORED[expr.operator], expr.right, expr.left))
    for operator, side, other in sorted(sides, key=lambda each: is_said(each[1], stage)):
        if stage.is_fixed(side):
            continue
        border, needed = valued(other, stage)
        if border is None and operator not in ("==", "!="):  # nothing is above or below null
            if not wanted:
                yield needed
            return
        found = False
        for value in _values(operator, border, wanted, side, stage, expr.ignore_case):
            for situation in _brought_to(side, value, stage):
                found = True
                yield needed | situation
        if found:
            if isinstance(side, typed.FieldOf) and operator not in ("==", "!="):
                yield from (needed | situation for situation in _apart(operator, side, border, wanted, stage))
            return


def _apart(operator: str, field: typed.FieldOf, border: Any, wanted: bool, stage: Stage) -> Iterator[Situation]:
    """The field on the one side of the border, and the others of its type and record on the other side."""
    here = _values(operator, border, wanted, field, stage, False)[:1]
    there = _values(operator, border, not wanted, field, stage, False)[-1:]
    for one, other in zip(here, there, strict=False):
        situation = put(field, one, stage)
        if situation is None or other is None:
            continue
        for key in tuple(situation.fields):
            others = stage.made_up.beside(key)
            yield Situation(fields=dict.fromkeys(others, other)) | situation


def _values(operator: str, border: Any, wanted: bool, side: typed.Expr, stage: Stage, ignore_case: bool) -> list[Any]:
    """Values `v` for which `v operator border` is as wanted."""
    if operator in ("==", "!="):
        if (operator == "==") is wanted:
            return [border, border.upper()] if ignore_case and isinstance(border, str) else [border]
        nothing = [None] if border is not None and isinstance(side.type, Optional) else []
        return [*stage.made_up.others(border, side.type)[:MOST_OTHERS], *nothing]
    if border is None:
        return []
    below, above = around(border)
    held = {"<": [below], "<=": [border, below], ">": [above], ">=": [border, above]}
    missed = {"<": [border, above], "<=": [above], ">": [border, below], ">=": [below]}
    nothing = [None] if isinstance(side.type, Optional) and not wanted else []
    return [*(held if wanted else missed)[operator], *nothing]


def _brought_to(side: typed.Expr, value: Any, stage: Stage) -> Iterator[Situation]:
    if isinstance(side, typed.Variable) and side.kind == "local" and side.name in stage.locals:
        side = stage.locals[side.name]
    if isinstance(side, typed.Apply) and side.function == "count":
        yield from counting(side.arguments[0], value, stage)
    else:
        yield from solved(side, value, stage)


def counting(counted: typed.Expr, count: Any, stage: Stage) -> Iterator[Situation]:
    """Situations with so many calls, or so many members of a list."""
    if not isinstance(count, int) or not 0 <= count <= MOST_COUNTED:
        return
    if isinstance(counted, typed.CallFact):
        for situation in holding(counted, True, stage):
            yield Situation(calls=situation.calls * count) if count else ANY
    elif is_lever(counted, stage):
        yield from _set(counted, [Items(stage.made_up.list_of(counted.type, count))], stage)
    elif isinstance(counted, typed.Binder):
        found, present = members(counted, stage, count)
        where = counted.where
        if where is None or len(found) < count:
            yield present
            return
        stages = [stage.bound(counted.variable, each) for each in found]
        for flips in zip(*(holding(where, True, each) for each in stages[:count]), strict=False):
            yield present | all_of(plainest(where, False, each) for each in stages[count:]) | all_of(flips)
        if not count:
            yield present | all_of(plainest(where, False, each) for each in stages)


def _member(expr: typed.Membership, wanted: bool, stage: Stage) -> Iterator[Situation]:
    if is_lever(expr.right, stage):
        value, needed = valued(expr.left, stage)
        for situation in _set(expr.right, [Items((value,) if wanted else ())], stage):
            yield needed | situation
        return
    held, needed = valued(expr.right, stage)
    listed = tuple(elements(held))
    strangers = [each for each in stage.made_up.others(None, expr.left.type) if each not in listed]
    for value in listed if wanted else strangers[:1]:
        yield from (needed | situation for situation in solved(expr.left, value, stage))


# ---------------------------------------------------------------------------- texts


def _tested(expr: typed.TextTest, wanted: bool, stage: Stage) -> Iterator[Situation]:
    operands, needed = [], ANY
    for operand in expr.operands:
        value, situation = valued(operand, stage)
        operands.append(value)
        needed |= situation
    subject = _subject(expr.subject)
    if is_lever(subject, stage):
        name = subject.name if isinstance(subject, typed.FieldOf | typed.Variable) else ""
        for words in _texts(expr.test, operands) if wanted else _mistexts(expr.test, operands, name):
            yield from (needed | situation for situation in _set(subject, [words], stage))
    elif expr.test == "contains":
        text, given = valued(expr.subject, stage)
        if isinstance(text, str):
            needle = text[1:-1] or text if wanted else "nothing of it"
            yield from (given | situation for situation in _set(expr.operands[0], [needle], stage))


def _subject(expr: typed.Expr) -> typed.Expr:
    """The text that a test reads: case and white space do not count."""
    return expr.arguments[0] if isinstance(expr, typed.Apply) and expr.function == "lower" else expr


def _texts(test: str, operands: Sequence[Any]) -> Iterator[Words]:
    """Texts that pass."""
    match test, operands:
        case "contains", [str(needle)]:
            yield Words((f"x{needle}x",))
        case "matches", [str(pattern)]:
            text = sample(pattern)
            if text is not None:
                yield Words((text,))
        case "states", [number, within] if number is not None and within is not None:
            yield from (Words((in_words(each),)) for each in dict.fromkeys((number, number + within)))
        case "mentions_any", [words]:
            yield from (Words((f"and {in_words(word)} too",)) for word in elements(words))
        case "mentions_all", [words]:
            yield Words(map(in_words, elements(words)))
        case "lists", [*items]:
            yield Words((", ".join(map(in_words, items)),))


def _mistexts(test: str, operands: Sequence[Any], name: str) -> Iterator[Words]:
    """Texts that do not pass; the plainest differs from that of every other field."""
    yield Words((f"other {name}",)) if name else Words()
    match test, operands:
        case "states", [number, within] if number is not None and within is not None:
            yield Words((in_words(number + within + 1),))
        case "mentions_all", [words]:
            spoken = tuple(map(in_words, elements(words)))
            yield from (Words((*spoken[:place], *spoken[place + 1 :])) for place in range(len(spoken)))
        case "lists", [*items]:
            spoken = tuple(map(in_words, items))
            yield Words((", ".join(reversed(spoken)),))
            yield Words((", ".join(spoken[1:]),))


def _delivered(expr: typed.Delivered, wanted: bool, stage: Stage) -> Iterator[Situation]:
    contract: Contract = expr.contract
    text = written(contract)
    texts = [text] if wanted else ["", *(other for _, other in misdelivered(text, contract))]
    yield from _set(expr.subject, [Words((each,)) for each in texts], stage)


# ---------------------------------------------------------------------------- calls


def _called(expr: typed.CallFact, wanted: bool, stage: Stage) -> Iterator[Situation]:
    """The call, refused as well; a call that misses one of its conditions; none."""
    patterns = [pattern.test for pattern in expr.patterns] + ([expr.where] if expr.where is not None else [])
    stage = stage.of_a_call()
    right: list[Situation] = []
    for test in patterns:
        right.append(plainest(test, True, stage.under(all_of(right))))
    yield ANY if not wanted else _call(expr, all_of(right))
    for place, test in enumerate(patterns):
        rest = all_of(right[:place] + right[place + 1 :])
        flips = holding(test, wanted, stage.under(rest))
        yield from (_call(expr, rest | flip) for flip in islice(flips, int(wanted), MOST_FLIPS))
    if wanted is (expr.verb == "tried"):
        yield _call(expr, all_of(right), accepted=False)
    if wanted is (expr.verb == "tried" and not patterns):
        yield Situation(calls=(MadeCall(expr.tool, None, False),))


def _call(expr: typed.CallFact, situation: Situation, accepted: bool = True) -> Situation:
    made = MadeCall(expr.tool, situation.arguments, accepted)
    return Situation(situation.said, situation.records, situation.fields, calls=(*situation.calls, made))


def _before(expr: typed.Before, wanted: bool, stage: Stage) -> Iterator[Situation]:
    first, second = expr.first, expr.second
    one, two = plainest(first, True, stage), plainest(second, True, stage)
    if wanted:
        yield from (flip | two for flip in holding(first, True, stage))
        yield from (one | flip for flip in holding(second, True, stage))
        return
    yield from (two | one, one, two, two | one | two)
    yield from (flip | two for flip in holding(first, False, stage))
    yield from (one | flip for flip in holding(second, False, stage))
