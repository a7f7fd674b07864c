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


class Completion(NamedTuple):
    """`tokens_read` and `tokens_written` are None where the server did not say.

    `refused`: the provider or the model declined to answer; what text there is explains it.
    """

    text: str
    tokens_read: int | None = None
    tokens_written: int | None = None
    refused: bool = False


class Model(Protocol):
    """A language model that answers a conversation."""

    def complete(self, system: str, messages: Sequence[Message], max_tokens: int) -> Completion:
        """The next message, of at most so many tokens. Raises ModelError."""
        ...


class ModelError(Exception):
    """A model gave no answer: the server refused, failed or could not be reached; the message says which."""


class ModelUnavailable(Exception):
    """A model cannot be opened: its name, the package that speaks to it, or the key is missing."""
