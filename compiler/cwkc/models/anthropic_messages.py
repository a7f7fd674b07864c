"""Models behind Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from anthropic import Anthropic, AnthropicError, NotFoundError
from anthropic.types.messages.batch_create_params import Request

from coworkdsl.conversation import json_text
from cwkc.models.protocol import RETRIES, Completion, Manner, Message, ModelError
from cwkc.models.wire import anthropic_usage, cached_tokens, document, unexpected

if TYPE_CHECKING:
    from anthropic.types import MessageParam, TextBlockParam
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming


Asked = tuple[str, Sequence[Message]]
"""The system prompt and the messages of a request."""


class AnthropicModel:
    def __init__(self, model: str, key: str, manner: Manner) -> None:
        self._model = model
        self._keeps_system = manner.keeps_system
        self._client = Anthropic(api_key=key, timeout=manner.timeout, max_retries=RETRIES)

    def complete(self, system: str, messages: Sequence[Message], max_tokens: int) -> Completion:
        """Raises ModelError."""
        try:
            answer = self._client.messages.with_raw_response.create(**self._request(system, messages, max_tokens))
        except AnthropicError as error:
            raise ModelError(f"{type(error).__name__}: {error}") from error
        return _read(document(answer.http_response.text), answer.http_response.text)

    def begin(self, asked: Mapping[str, Asked], max_tokens: int) -> str:
        """Begins a batch of requests, by ids of letters and digits; gives the batch's. Raises ModelError."""
        requests = [
            Request(custom_id=id, params=self._request(system, messages, max_tokens))
            for id, (system, messages) in asked.items()
        ]
        try:
            return self._client.messages.batches.create(requests=requests).id
        except AnthropicError as error:
            raise ModelError(f"{type(error).__name__}: {error}") from error

    def results(self, batch: str) -> dict[str, Completion | ModelError] | None:
        """What a batch came to, by the ids of its requests; None while it is under way, and nothing where the provider
        does not keep it any more. Raises ModelError."""
        try:
            status = self._client.messages.batches.retrieve(batch)
            if status.processing_status != "ended":
                return None
            if status.results_url is None:
                return {}
            entries = [entry.to_dict() for entry in self._client.messages.batches.results(batch)]
        except NotFoundError:
            return {}
        except (AnthropicError, ValueError) as error:
            raise ModelError(f"{type(error).__name__}: {error}") from error
        return {str(entry["custom_id"]): _result(entry["result"]) for entry in entries}

    def _request(self, system: str, messages: Sequence[Message], max_tokens: int) -> MessageCreateParamsNonStreaming:
        return {
            "model": self._model,
            "system": _kept(system) if self._keeps_system else system,
            "messages": list(map(_written, messages)),
            "max_tokens": max_tokens,
        }


def _kept(system: str) -> list[TextBlockParam]:
    """The system prompt, marked to be kept by the provider."""
    return [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]


def _written(message: Message) -> MessageParam:
    if message.role == "user":
        return {"role": "user", "content": message.content}
    return {"role": "assistant", "content": message.content}


def _result(result: Any) -> Completion | ModelError:
    """What a request of a batch came to."""
    match result:
        case {"type": "succeeded", "message": message}:
            try:
                return _read(message, json_text(message))
            except ModelError as error:
                return error
        case {"type": "errored", "error": {"error": {"message": str() as why}}}:
            return ModelError(f"the batch could not answer it: {why}")
    return ModelError("the batch ended before it was answered")


def _read(answer: Any, body: str) -> Completion:
    match answer:
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
