"""Which types operators take, and what they give."""

from __future__ import annotations

from cwkc.meaning.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    DURATION,
    ERROR,
    INT,
    JSON,
    NULL,
    TEXT,
    EnumType,
    ErrorType,
    JsonType,
    ListOf,
    NullType,
    Optional,
    Reference,
    Scalar,
    Type,
    is_numeric,
    is_textual,
    optional,
    required,
)

_ORDERED = (INT, DECIMAL, DATE, DATETIME, DURATION, TEXT)


def is_dynamic(type: Type) -> bool:
    """Whether nothing can be said against the type: it is broken already, or json."""
    return isinstance(required(type), ErrorType | JsonType)


def assignable(value: Type, target: Type) -> bool:
    """Whether a value may stand where `target` is expected, without a conversion."""
    if value == target or is_dynamic(value) or is_dynamic(target):
        return True
    if isinstance(target, Optional):
        return isinstance(value, NullType) or assignable(required(value), target.item)
    if isinstance(value, Optional | NullType):
        return False
    if isinstance(value, ListOf) and isinstance(target, ListOf):
        return assignable(value.item, target.item)
    return (value == INT and target == DECIMAL) or (is_textual(value) and target == TEXT)


def comparable(left: Type, right: Type) -> bool:
    """Whether `==` between the two can ever say something."""
    left, right = required(left), required(right)
    if is_dynamic(left) or is_dynamic(right) or NULL in (left, right) or left == right:
        return True
    if isinstance(left, ListOf) and isinstance(right, ListOf):
        return comparable(left.item, right.item)
    return (is_numeric(left) and is_numeric(right)) or (is_textual(left) and is_textual(right))


def ordered(left: Type, right: Type) -> bool:
    """Whether `<` makes sense between the two."""
    left, right = required(left), required(right)
    if is_dynamic(left) or is_dynamic(right):
        return True
    return comparable(left, right) and (left in _ORDERED or isinstance(left, NullType))


def arithmetic(operator: str, left: Type, right: Type) -> Type | None:
    """The type of `left operator right`, or None where there is no such operation."""
    result = _arithmetic(operator, required(left), required(right))
    nullable = isinstance(left, Optional) or isinstance(right, Optional)
    return optional(result) if result is not None and nullable else result


def _arithmetic(operator: str, left: Type, right: Type) -> Type | None:
    if is_dynamic(left) or is_dynamic(right):
        return JSON if JSON in (left, right) else ERROR
    if is_numeric(left) and is_numeric(right):
        return DECIMAL if operator == "/" or DECIMAL in (left, right) else INT
    if isinstance(left, ListOf) and isinstance(right, ListOf) and comparable(left.item, right.item):
        return (right if left.item == NULL else left) if operator in "+-" else None
    if is_textual(left) and is_textual(right):
        return TEXT if operator == "+" else None
    return _times(operator, left, right)


def _times(operator: str, left: Type, right: Type) -> Type | None:
    if left in (DATE, DATETIME) and right == DURATION and operator in "+-":
        return left
    if left in (DATE, DATETIME) and left == right and operator == "-":
        return DURATION
    if left == DURATION and right == DURATION:
        return DURATION if operator in "+-" else DECIMAL if operator == "/" else None
    if left == DURATION and is_numeric(right):
        return DURATION if operator in "*/" else None
    if is_numeric(left) and right == DURATION:
        return DURATION if operator == "*" else None
    if left == DURATION and right in (DATE, DATETIME) and operator == "+":
        return right
    return None


def named(type: Type) -> str:
    """The type in the author's words."""
    core = required(type)
    if isinstance(core, EnumType):
        return f"one of {core.name}"
    if isinstance(core, Reference):
        return f"a {core.record} record"
    if isinstance(core, ListOf):
        return f"a list of {core.item}"
    if isinstance(core, NullType):
        return "null"
    if core == BOOL:
        return "true or false"
    article = "an" if isinstance(core, Scalar) and core.name[0] in "aeiou" else "a"
    return f"{article} {core}" + (" that may be null" if isinstance(type, Optional) else "")
