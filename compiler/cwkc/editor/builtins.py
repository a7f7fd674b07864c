"""The built-in functions, as signature help and completion show them."""

from __future__ import annotations

from attrs import frozen


@frozen
class Builtin:
    parameters: tuple[str, ...]
    doc: str

    def label(self, name: str) -> str:
        return f"{name}({', '.join(self.parameters)})"


BUILTINS = {
    "count": Builtin(("list or call",), "how many there are, or how many calls match"),
    "min": Builtin(("list or values…",), "the least"),
    "max": Builtin(("list or values…",), "the greatest"),
    "abs": Builtin(("number",), "without its sign"),
    "round": Builtin(("number", "places"), "to so many places after the point, a half away from zero"),
    "len": Builtin(("text or list",), "how many characters, or how many items"),
    "sum": Builtin(("value for x in list where …",), "the sum of the values; those that are null are left out"),
    "lower": Builtin(("text",), "in small letters"),
    "lines": Builtin(("text",), "its lines"),
    "csv": Builtin(("text", "{column: type, …}"), "the rows of a table"),
    "json": Builtin(("text",), "what the text holds"),
    "date": Builtin(("datetime",), "its day"),
    "weekday": Builtin(("date",), "the name of the day of the week"),
    "business_days": Builtin(("date", "number"), "the day so many working days later"),
    "start": Builtin(("expression",), "its value in the initial state"),
}
