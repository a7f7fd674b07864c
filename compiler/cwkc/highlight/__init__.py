"""Highlighting without a compiler: the words of the language in their groups, for lexers of other programs."""
