"""Models behind OpenAI's chat completions, which many servers speak."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from openai import OpenAI, OpenAIError

from cwkc.models.protocol import RETRIES, Completion, Grammar, Manner, Message, ModelError
from cwkc.models.wire import cached_tokens, document, openai_usage, unexpected

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionMessageParam


class OpenAIModel:
    """`url` is the server's base URL, such as `http://localhost:8000/v1`."""

    def __init__(self, model: str, key: str, url: str, manner: Manner) -> None:
        self._model = model
        self._body = _constrained(manner.grammar) if manner.grammar else None
        self._client = OpenAI(api_key=key, base_url=url, timeout=manner.timeout, max_retries=RETRIES)

    def complete(self, system: str, messages: Sequence[Message], max_tokens: int) -> Completion:
        """Raises ModelError."""
        try:
            answer = self._client.chat.completions.with_raw_response.create(
                model=self._model,
                messages=[{"role": "system", "content": system}, *map(_written, messages)],
                max_tokens=max_tokens,
                extra_body=self._body,
            )
        except OpenAIError as error:
            raise ModelError(f"{type(error).__name__}: {error}") from error
        return _read(answer.http_response.text)


def _constrained(grammar: Grammar) -> dict[str, Any]:
    """What a server is told beyond the protocol, so that it holds answers to a grammar: vLLM from 0.12 on takes
    `structured_outputs`, llama.cpp's server `grammar`."""
    if grammar.engine == "vllm":
        return {"structured_outputs": {"grammar": grammar.text}}
    return {"grammar": grammar.text}


def _written(message: Message) -> ChatCompletionMessageParam:
    if message.role == "user":
        return {"role": "user", "content": message.content}
    return {"role": "assistant", "content": message.content}


def _read(body: str) -> Completion:
    match document(body):
        case {"choices": [{"message": dict() as message, **choice}, *_], **rest}:
            content, refusal = message.get("content"), message.get("refusal")
            text = content if isinstance(content, str) else refusal if isinstance(refusal, str) else ""
            refused = bool(refusal) or choice.get("finish_reason") == "content_filter"
            if text or refused:
                usage = rest.get("usage")
                return Completion(text, *openai_usage(usage), refused, cached_tokens(usage))
    raise unexpected(body)
