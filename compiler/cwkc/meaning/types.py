"""The types of the language."""

from __future__ import annotations

from attrs import frozen


@frozen
class Type:
    pass


@frozen
class Scalar(Type):
    """One of `text int decimal bool date datetime duration email url`."""

    name: str

    def __str__(self) -> str:
        return self.name


TEXT, INT, DECIMAL, BOOL, DATE, DATETIME, DURATION, EMAIL, URL = (
    Scalar(name) for name in ("text", "int", "decimal", "bool", "date", "datetime", "duration", "email", "url")
)
SCALARS = {scalar.name: scalar for scalar in (TEXT, INT, DECIMAL, BOOL, DATE, DATETIME, DURATION, EMAIL, URL)}


@frozen
class EnumType(Type):
    """`name` is qualified: `helpdesk.Status`."""

    name: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return self.name


@frozen
class Reference(Type):
    """A record, by its id; `record` is qualified: `helpdesk.Ticket`."""

    record: str

    def __str__(self) -> str:
        return self.record


@frozen
class ListOf(Type):
    item: Type

    def __str__(self) -> str:
        return f"[{self.item}]"


@frozen
class Optional(Type):
    item: Type

    def __str__(self) -> str:
        return f"{self.item}?"


@frozen
class View(Type):
    """Some fields of a record: what a tool returns of it."""

    record: str
    fields: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.record}.{{{', '.join(self.fields)}}}"


@frozen
class RowType(Type):
    """A row of `csv(…)`: its columns and their types."""

    columns: tuple[tuple[str, Type], ...]

    def __str__(self) -> str:
        return "{" + ", ".join(f"{name}: {type}" for name, type in self.columns) + "}"


@frozen
class JsonType(Type):
    """What `json(…)` gives: its shape is known only when it is read."""

    def __str__(self) -> str:
        return "json"


@frozen
class NullType(Type):
    def __str__(self) -> str:
        return "null"


@frozen
class ErrorType(Type):
    """Of a broken expression; agrees with everything, so that one mistake is one message."""

    def __str__(self) -> str:
        return "?"


JSON, NULL, ERROR = JsonType(), NullType(), ErrorType()


def required(type: Type) -> Type:
    """The type without its `?`."""
    return type.item if isinstance(type, Optional) else type


def optional(type: Type) -> Type:
    return type if isinstance(type, Optional | NullType | ErrorType | JsonType) else Optional(type)


def is_textual(type: Type) -> bool:
    return required(type) in (TEXT, EMAIL, URL)


def is_numeric(type: Type) -> bool:
    return required(type) in (INT, DECIMAL)
