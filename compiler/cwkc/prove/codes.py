"""Plain values as numbers of the solver's language, and back.

One table numbers every string, whatever it is; 0 stands for none of them. Emails are numbered without regard to case.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

from cwkc.meaning.calendar import moved
from cwkc.meaning.types import EMAIL, Type, required
from cwkc.prove.terms import Term, boolean, integer, real

SECOND = timedelta(seconds=1)


class Codes:
    def __init__(self, now: datetime) -> None:
        self.now = now
        self._codes: dict[Any, int] = {}
        self._spellings: list[Any] = [None]

    def of(self, value: Any, type: Type) -> int:
        """The code of a string or of a list; `type` is that of the place where it is compared."""
        key = value.casefold() if isinstance(value, str) and required(type) == EMAIL else value
        if key not in self._codes:
            self._codes[key] = len(self._spellings)
            self._spellings.append(value)
        return self._codes[key]

    def spelling(self, code: int) -> Any:
        """What a code stands for, or None."""
        return self._spellings[code] if 0 < code < len(self._spellings) else None

    def term(self, value: Any, type: Type) -> Term:
        """The literal for a value that is not null."""
        match value:
            case bool():
                return boolean(value)
            case int():
                return integer(value)
            case Fraction():
                return real(value)
            case datetime():
                return integer((value - self.now) // SECOND)
            case date():
                return integer((value - self.now.date()).days)
            case timedelta():
                return integer(value // SECOND)
        return integer(self.of(value, type))

    def moment(self, seconds: int) -> datetime:
        return moved(self.now, seconds * SECOND)

    def day(self, days: int) -> date:
        return moved(self.now.date(), timedelta(days=days))
