"""Models behind Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anthropic import Anthropic, AnthropicError

from cwkc.models.protocol import RETRIES, Completion, Manner, Message, ModelError
from cwkc.models.wire import anthropic_usage, cached_tokens, document, unexpected

if TYPE_CHECKING:
    from anthropic.types import MessageParam, TextBlockParam


class AnthropicModel:
    def __init__(self, model: str, key: str, manner: Manner) -> None:
        self._model = model
        self._keeps_system = manner.keeps_system
        self._client = Anthropic(api_key=key, timeout=manner.timeout, max_retries=RETRIES)

    def complete(self, system: str, messages: Sequence[Message], max_tokens: int) -> Completion:
        """Raises ModelError."""
        try:
            answer = self._client.messages.with_raw_response.create(
                model=self._model,
                system=_kept(system) if self._keeps_system else system,
                messages=list(map(_written, messages)),
                max_tokens=max_tokens,
            )
        except AnthropicError as error:
            raise ModelError(f"{type(error).__name__}: {error}") from error
        return _read(answer.http_response.text)


def _kept(system: str) -> list[TextBlockParam]:
    """The system prompt, marked to be kept by the provider."""
    return [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]


def _written(message: Message) -> MessageParam:
    if message.role == "user":
        return {"role": "user", "content": message.content}
    return {"role": "assistant", "content": message.content}


def _read(body: str) -> Completion:
    match document(body):
        case {"content": [*blocks], **rest}:
            texts = [block["text"] for block in blocks if _is_text(block)]
            refused = rest.get("stop_reason") == "refusal"
            if texts or refused:
                usage = rest.get("usage")
                return Completion("".join(texts), *anthropic_usage(usage), refused, cached_tokens(usage))
    raise unexpected(body)


def _is_text(block: object) -> bool:
    """Whether a block is words, and not what the model thought or wants to call."""
    return isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
