"""Operators by precedence, and what stands between them."""

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwkc.syntax import tree

from .support import diagnosed, expression, read

OPERATORS = ["or", "and", "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/"]
SIGNS: dict[type, str] = {
    ast.Or: "or",
    ast.And: "and",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Not: "not",
    ast.USub: "-",
}


def folded(node: tree.Expression) -> Any:
    match node:
        case tree.Binary(operator, left, right):
            return (operator, folded(left), folded(right))
        case tree.Unary(operator, operand):
            return (operator, folded(operand))
        case tree.Name(text):
            return text
    raise AssertionError(node)


def folded_by_python(node: ast.expr) -> Any:
    """The same of Python's tree. Its precedences are ours; None when it chains comparisons."""
    match node:
        case ast.BoolOp(operator, [first, *rest]):
            shown = folded_by_python(first)
            for value in rest:
                shown = (SIGNS[type(operator)], shown, folded_by_python(value))
            return shown
        case ast.BinOp(left, operator, right):
            return (SIGNS[type(operator)], folded_by_python(left), folded_by_python(right))
        case ast.Compare(left, [operator], [right]):
            return (SIGNS[type(operator)], folded_by_python(left), folded_by_python(right))
        case ast.UnaryOp(operator, operand):
            return (SIGNS[type(operator)], folded_by_python(operand))
        case ast.Name(id):
            return id
    raise AssertionError(node)


TERMS = st.builds(
    lambda signs, name: " ".join([*signs, name]),
    st.lists(st.sampled_from(["not", "-"]), max_size=2),
    st.sampled_from("abc"),
)
FLAT = st.builds(
    lambda first, rest: " ".join([first, *(f"{operator} {term}" for operator, term in rest)]),
    TERMS,
    st.lists(st.tuples(st.sampled_from(OPERATORS), TERMS), max_size=6),
)


@given(FLAT)
def test_operators_fold_as_in_python_or_are_diagnosed_where_python_cannot(text: str) -> None:
    codes = set(read(f"cwk 1\ntask t {{ given {text} }}")[1])
    try:
        reference = ast.parse(text, mode="eval").body
    except SyntaxError:
        assert codes
        assert codes <= {"E120", "E121"}
        return
    if any(isinstance(node, ast.Compare) and len(node.ops) > 1 for node in ast.walk(reference)):
        assert codes == {"E120"}
    else:
        assert not codes
        assert folded(expression(text)) == folded_by_python(reference)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a contains b + c and d", "(a contains (b + c)) and d"),
        ("not a matches b", "not (a matches b)"),
        ("a + b states c * d within e - f and g", "((a + b) states (c * d) within (e - f)) and g"),
        ("a mentions any of [b] or c", "(a mentions any of [b]) or c"),
        ("a + b is null and c", "((a + b) is null) and c"),
        ("answer lists a, b.c in order and d", "(answer lists a, b.c in order) and d"),
        ("called a.b before called c.d and e", "(called a.b before called c.d) and e"),
        ("not called a.b", "not (called a.b)"),
        ("a and some x in y where b or c", "a and (some x in y where (b or c))"),
        ("called a.b where c and d", "called a.b where (c and d)"),
        ("every x in y where a: b or c", "every x in y where a: (b or c)"),
        ("first 2 of all x in y by x.z desc where a and b", "first 2 of all x in y by (x.z) desc where (a and b)"),
        ("-a.b", "-(a.b)"),
        ("a - -b", "a - (-b)"),
        ("every x in y where x.z == null: a", "every x in y where (x.z == null): a"),
        ("each x in y: x is null", "each x in y: (x is null)"),
    ],
)
def test_what_binds_tighter(text: str, same: str) -> None:
    assert expression(text) == expression(same)


@pytest.mark.parametrize(
    "text",
    [
        "a < b < c",
        "a == b is null",
        "a is null + 1",
        "a in b in c",
        "a < b == c and d",
        "a lists b in order == c",
    ],
)
def test_comparisons_do_not_chain(text: str) -> None:
    assert read(f"cwk 1\ntask t {{ given {text} }}")[1] == ["E120"]


def test_atoms() -> None:
    kinds = {
        "a": tree.Name,
        "@TK-1": tree.RecordId,
        "true": tree.Truth,
        "null": tree.Null,
        "answer": tree.Answer,
        "said": tree.Said,
        "pick company": tree.Pick,
        "[]": tree.ListDisplay,
        "{}": tree.ObjectDisplay,
        "learned a": tree.Learned,
        "delivered a": tree.Delivered,
        "sum(a for b in c where d)": tree.Sum,
        "a(b, c)": tree.Application,
        "a.b": tree.Member,
        "a[b]": tree.Index,
        "a.{b, c}": tree.Selection,
    }
    assert {text: type(expression(text)) for text in kinds} == kinds


def test_a_quoted_record_id_is_without_its_quotes() -> None:
    assert expression('@"a b.csv"').id == "a b.csv"


def test_patterns_of_arguments() -> None:
    call = expression('called a.b(c: 1, d: contains "x", to: >= 3)')
    assert [(each.key.text, each.operator) for each in call.arguments] == [("c", "=="), ("d", "contains"), ("to", ">=")]


def test_brackets_belong_to_the_place_of_what_they_hold() -> None:
    product = expression("(a + b) * c")
    assert product.span.text == "(a + b) * c"
    assert product.left.span.text == "(a + b)"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 1000 + "a" + ")" * 1000,
        "[" * 1000 + "]" * 1000,
        "{a: " * 1000 + "1" + "}" * 1000,
        "not " * 1000 + "a",
        "- " * 1000 + "a",
        "a" + ".b" * 1000,
        "a" + " + a" * 1000,
        "a" + "(b)" * 1000,
        "all a in b where " * 1000 + "c",
        "called a.b where " * 1000 + "c",
    ],
)
def test_a_thousand_levels_are_one_diagnostic(text: str) -> None:
    found = diagnosed(f"cwk 1\ntask t {{ given {text} }}\nenum E {{ a }}")
    assert [each.code for each in found] == ["E108"]


def test_as_many_levels_as_are_allowed_are_read() -> None:
    assert expression("(" * 62 + "a" + ")" * 62) == expression("a")
