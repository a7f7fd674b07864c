"""Every kind of diagnostic, by code. Each room keeps its own part."""

from __future__ import annotations

from typing import Any

from cwkc.diagnostics.catalogue import events, files, importing, meaning, proofs, rehearsal, syntax
from cwkc.diagnostics.model import Diagnostic, Label, Suggestion
from cwkc.source import Span

_PARTS = (files, syntax, meaning, events, proofs, rehearsal, importing)

CATALOGUE = {entry.code: entry for part in _PARTS for entry in part.ENTRIES}


def report(
    code: str, span: Span, *, help: str | None = None, related: tuple[Label, ...] = (), **words: Any
) -> Diagnostic:
    """A diagnostic of the given code; `words` fill the templates of its message and its help."""
    entry = CATALOGUE[code]
    shown = entry.help.format(**words) if help is None else str(help)
    fix = help.word if isinstance(help, Suggestion) else entry.fix and entry.fix.format(**words)
    return Diagnostic(entry, span, entry.message.format(**words), shown, related, fix)
