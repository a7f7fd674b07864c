"""Dates that a task states: weekdays agree with dates, and nothing is dated later than its clock."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import TypeVar

from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.meaning.typed import RecordDef, RowDef, StoreDef
from cwkc.source import Span

Moment = TypeVar("Moment", date, datetime)

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_DAY = r"(?P<weekday>mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = r"(?P<month>" + "|".join(_MONTHS) + ")"
_NUMBER = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_GAP = r",?\s+(?:the\s+)?"
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_DAY}{_GAP}(?P<year>\d{{4}})-(?P<monthnumber>\d\d)-(?P<day>\d\d)\b",
        rf"\b{_DAY}{_GAP}{_NUMBER}\s+(?:of\s+)?{_MONTH}(?:,?\s+(?P<year>\d{{4}}))?\b",
        rf"\b{_DAY}{_GAP}{_MONTH}\s+{_NUMBER}(?:,?\s+(?P<year>\d{{4}}))?\b",
        rf"\b(?P<year>\d{{4}})-(?P<monthnumber>\d\d)-(?P<day>\d\d)\s*\(?,?\s*{_DAY}\b",
    )
)

_PLAIN_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<![\d-])(?P<year>\d{4})-(?P<monthnumber>\d\d)-(?P<day>\d\d)(?![\d-])",
        rf"\b{_NUMBER}\s+(?:of\s+)?{_MONTH}(?:,?\s+(?P<year>\d{{4}}))?\b",
        rf"\b{_MONTH}\s+(?:the\s+)?{_NUMBER}(?:,?\s+(?P<year>\d{{4}}))?\b",
    )
)


def dates_in(text: str, now: datetime) -> Iterator[tuple[str, date]]:
    """Each date that is written in a text: its words, and the day. One without a year is in the year of `now`."""
    for form in _PLAIN_FORMS:
        for match in form.finditer(text):
            stated = _date(match.groupdict(), now)
            if stated is not None:
                yield match.group(), stated


def weekday_clashes(text: str, now: datetime) -> Iterator[tuple[re.Match[str], str, str]]:
    """Each weekday that is written beside a date of another weekday: the place, the date, and its weekday.

    A date without a year is taken in the year of `now`.
    """
    for form in _FORMS:
        for match in form.finditer(text):
            stated = _date(match.groupdict(), now)
            if stated is not None and not match["weekday"].lower().startswith(_DAYS[stated.weekday()][:3]):
                yield match, stated.isoformat(), _DAYS[stated.weekday()].capitalize()


def _date(parts: dict[str, str | None], now: datetime) -> date | None:
    month = parts.get("monthnumber")
    number = int(month) if month else _MONTHS.index((parts.get("month") or "").lower()) + 1
    try:
        return date(int(parts.get("year") or now.year), number, int(parts["day"] or 0))
    except ValueError:
        return None


def check_weekdays(texts: Iterable[tuple[str, Span]], now: datetime) -> Iterator[Diagnostic]:
    for text, span in texts:
        for match, stated, weekday in weekday_clashes(text, now):
            place = _within(span, match.group())
            yield report("E245", place, written=match.group(), date=stated, weekday=weekday)


def _within(span: Span, words: str) -> Span:
    """Where the words stand in the source, when they stand there as they are."""
    offset = span.text.find(words)
    return Span(span.source, span.start + offset, span.start + offset + len(words)) if offset >= 0 else span


def check_dates(
    rows: Iterable[RowDef],
    records: dict[str, RecordDef],
    stores: dict[str, StoreDef],
    now: datetime,
    now_span: Span,
) -> Iterator[Diagnostic]:
    """Initial records that tell of what has not happened yet, in fields that are not marked `scheduled`."""
    for row in rows:
        for field in records[stores[row.store].record].fields.values():
            value = row.fields[field.name]
            if field.scheduled or not is_later(value, now):
                continue
            related = (Label(now_span, "the task's clock"), Label(field.span, "the field is not `scheduled`"))
            span = row.spans.get(field.name, row.span)
            yield report("E246", span, field=field.name, value=value.isoformat(), related=related)


def is_later(value: object, now: datetime) -> bool:
    """Whether a date or a time lies after the clock."""
    if isinstance(value, datetime):
        return value > now
    return isinstance(value, date) and value > now.date()


def moved(moment: Moment, step: timedelta) -> Moment:
    """A moment so much later; where the calendar ends before that, its last, or its first."""
    try:
        return moment + step
    except OverflowError:
        edge = datetime.max if step > timedelta() else datetime.min
        return edge.replace(tzinfo=moment.tzinfo) if isinstance(moment, datetime) else edge.date()
