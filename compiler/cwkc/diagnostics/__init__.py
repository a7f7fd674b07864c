"""The catalogue of diagnostics, and how one is made."""

from cwkc.diagnostics.catalogue import CATALOGUE, report
from cwkc.diagnostics.model import Diagnostic, Entry, Label, Severity, Suggestion, has_errors

__all__ = ["CATALOGUE", "Diagnostic", "Entry", "Label", "Severity", "Suggestion", "has_errors", "report"]
