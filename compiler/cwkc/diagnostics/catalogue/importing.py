"""Diagnostics of documents of other formats that are imported."""

from cwkc.diagnostics.model import Entry, error, warning

ENTRIES: tuple[Entry, ...] = (
    error(
        "E601",
        "unreadable-document",
        "`{name}` is no {format}: {reason}",
        "mend it with a tool that checks {format}, or name another file",
    ),
    error(
        "E602",
        "document-of-another-kind",
        "{what} is not {wanted}",
        "see the page on importing for what each kind of document holds",
    ),
    warning("W601", "left-to-do", "`{subject}` is left to do, as {reason}", "{advice}"),
)
