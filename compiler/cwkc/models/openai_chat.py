"""Models behind OpenAI's chat completions, which many servers speak."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from openai import OpenAI, OpenAIError

from cwkc.models.protocol import RETRIES, TIMEOUT, Message, ModelError
from cwkc.models.wire import document, unexpected

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionMessageParam


class OpenAIModel:
    """`url` is the server's base URL, such as `http://localhost:8000/v1`."""

    def __init__(self, model: str, key: str, url: str) -> None:
        self._model = model
        self._client = OpenAI(api_key=key, base_url=url, timeout=TIMEOUT, max_retries=RETRIES)

    def complete(self, system: str, messages: Sequence[Message], max_tokens: int) -> str:
        """Raises ModelError."""
        try:
            answer = self._client.chat.completions.with_raw_response.create(
                model=self._model,
                messages=[{"role": "system", "content": system}, *map(_written, messages)],
                max_tokens=max_tokens,
            )
        except OpenAIError as error:
            raise ModelError(f"{type(error).__name__}: {error}") from error
        return _text(answer.http_response.text)


def _written(message: Message) -> ChatCompletionMessageParam:
    if message.role == "user":
        return {"role": "user", "content": message.content}
    return {"role": "assistant", "content": message.content}


def _text(body: str) -> str:
    match document(body):
        case {"choices": [{"message": {"content": str() as text}}, *_]} if text:
            return text
    raise unexpected(body)
