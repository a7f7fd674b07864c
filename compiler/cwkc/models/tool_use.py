"""What a language model that calls tools is to a runner.

Conversations and tools are those of an environment: messages in the form of chat templates, tools as JSON Schema in
the function form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from coworkdsl import Attachment
from cwkc.models.protocol import ModelError

RETRIES = 5
"""How often the client asks again: many runs at a time are more than a server's limits allow now and then."""

_TOO_LONG = re.compile(
    r"context.?(length|window)|maximum context|prompt is too long|too many (input )?tokens|input is too long",
    re.IGNORECASE,
)


class Sampling(NamedTuple):
    """`most_tokens`: of one answer. `temperature` is the server's own where it is None."""

    most_tokens: int = 4096
    temperature: float | None = None


class ToolCall(NamedTuple):
    """`arguments` is JSON text as the model wrote it, which need not be well formed."""

    name: str
    arguments: str


class Answer(NamedTuple):
    """One message of a model. `tokens_read` and `tokens_written` are None where the server did not say.

    `refused`: the provider or the model declined to answer; what words there are explain it.
    """

    words: str
    calls: tuple[ToolCall, ...]
    tokens_read: int | None
    tokens_written: int | None
    refused: bool = False


class ToolModel(Protocol):
    def answer(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        attachments: Sequence[Attachment],
        timeout: float,
    ) -> Answer:
        """The next message, within so many seconds; the attachments go with the first message.

        Raises ModelError, and ContextExceeded where the conversation is too long for the model.
        """
        ...


class ContextExceeded(ModelError):
    """The conversation is longer than what the model can read."""


def failure(error: Exception, status: int | None) -> ModelError:
    """What an error of a provider's package is; `status` is that of HTTP, None without an answer."""
    said = f"{type(error).__name__}: {error}"
    is_too_long = status == 413 or (status == 400 and _TOO_LONG.search(str(error)) is not None)
    return ContextExceeded(said) if is_too_long else ModelError(said)


def arguments_object(text: str) -> dict[str, Any]:
    """The arguments of a call as an object, for servers that read nothing else: what is none is kept as a text."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"unreadable_arguments": text}
