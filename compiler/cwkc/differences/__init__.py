"""What a change does to tasks: two packs, compared by what a reviewer asks about."""

from cwkc.differences.compare import Change, changes
from cwkc.differences.parts import Parts, Subject, parts_of

__all__ = ["Change", "Parts", "Subject", "changes", "parts_of"]
