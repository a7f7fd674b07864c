"""From `.cwk` text to a pack of environments: the compiler of the language."""

__version__ = "0.1.0"
