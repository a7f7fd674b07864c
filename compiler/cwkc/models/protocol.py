"""What a language model is to this compiler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

TIMEOUT = 120.0
"""Seconds that one answer may take."""

RETRIES = 2
"""How often the client of a server asks again where that may help: it is busy, it fails, the connection breaks."""


Engine = Literal["vllm", "llama.cpp", "llguidance"]


class Grammar(NamedTuple):
    """A grammar that answers are held to. `engine`: what holds them to it."""

    engine: Engine
    text: str


class Message(NamedTuple):
    role: Literal["user", "assistant"]
    content: str


class Completion(NamedTuple):
    """`tokens_read` and `tokens_written` are None where the server did not say. Of those read, `tokens_cached` came
    from the provider's cache.

    `refused`: the provider or the model declined to answer; what text there is explains it.
    """

    text: str
    tokens_read: int | None = None
    tokens_written: int | None = None
    refused: bool = False
    tokens_cached: int = 0


class Manner(NamedTuple):
    """How a model is asked. `timeout`: in seconds, of one answer. `keeps_system`: the system prompt is the same for
    many requests, so that the provider is asked to keep it. `grammar`: that of its answers."""

    timeout: float = TIMEOUT
    keeps_system: bool = False
    grammar: Grammar | None = None


class Model(Protocol):
    """A language model that answers a conversation."""

    def complete(self, system: str, messages: Sequence[Message], max_tokens: int) -> Completion:
        """The next message, of at most so many tokens. Raises ModelError."""
        ...


class BatchModel(Model, Protocol):
    """One that also answers many requests together, later and for less."""

    def begin(self, asked: Mapping[str, tuple[str, Sequence[Message]]], max_tokens: int) -> str:
        """Begins a batch of requests, each a system prompt and messages, by ids of letters and digits; gives the
        batch's id. Raises ModelError."""
        ...

    def results(self, batch: str) -> dict[str, Completion | ModelError] | None:
        """What a batch came to, by the ids of its requests; None while it is under way, and nothing where the provider
        does not keep it any more. Raises ModelError."""
        ...


class ModelError(Exception):
    """A model gave no answer: the server refused, failed or could not be reached; the message says which."""


class ModelUnavailable(Exception):
    """A model cannot be opened: its name, the package that speaks to it, or the key is missing."""
