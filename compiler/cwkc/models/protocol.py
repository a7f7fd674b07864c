"""What a language model is to this compiler."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

TIMEOUT = 120.0
"""Seconds that one answer may take."""

RETRIES = 2
"""How often the client of a server asks again where that may help: it is busy, it fails, the connection breaks."""


class Message(NamedTuple):
    role: Literal["user", "assistant"]
    content: str


class Model(Protocol):
    """A language model that answers a conversation."""

    def complete(self, system: str, messages: Sequence[Message], max_tokens: int) -> str:
        """The next message, of at most so many tokens. Raises ModelError."""
        ...


class ModelError(Exception):
    """A model gave no answer: the server refused, failed or could not be reached; the message says which."""


class ModelUnavailable(Exception):
    """A model cannot be opened: its name, the package that speaks to it, or the key is missing."""
