"""Values as pages show them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from coworkdsl.values import in_words


def shown(value: Any) -> str:
    """A value of the language, or of JSON; null is said, and lists keep their brackets."""
    if value is None:
        return "null"
    if isinstance(value, float):
        return number(value)
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {shown(each)}" for name, each in value.items())
    return in_words(value)


def number(value: float | Fraction) -> str:
    """At most four digits behind the point, and none that say nothing."""
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def between(least: float | Fraction, most: float | Fraction) -> str:
    """One number, or the two that it lies between."""
    return number(least) if least == most else f"{number(least)} to {number(most)}"


def percent(value: float | Fraction) -> str:
    """A share as a length in CSS: `12.5%`."""
    return f"{number(100 * value)}%"
