"""What an editor asks about a text, as functions of an `Analysis` and a place; nothing here knows of a protocol."""

from cwkc.editor.analysis import Analysis
from cwkc.editor.project import Project

__all__ = ["Analysis", "Project"]
