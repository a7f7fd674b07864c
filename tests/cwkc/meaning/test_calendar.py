"""Dates as people write them."""

from datetime import UTC, date, datetime

import pytest

from cwkc.meaning.calendar import dates_in

NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 2026-05-13, at noon", [("2026-05-13", date(2026, 5, 13))]),
        ("on Wednesday 13 May", [("13 May", date(2026, 5, 13))]),
        ("by the 13th of May 2027", [("13th of May 2027", date(2027, 5, 13))]),
        ("on May 13th, 2025", [("May 13th, 2025", date(2025, 5, 13))]),
        ("on 30 February", []),
        ("case 2026-05-131 and 12026-05-13", []),
    ],
)
def test_dates_in_a_text(text: str, found: list[tuple[str, date]]) -> None:
    assert list(dates_in(text, NOW)) == found
