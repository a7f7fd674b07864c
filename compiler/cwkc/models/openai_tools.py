"""Tool use by OpenAI's chat completions, which many servers speak."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from openai import APIStatusError, OpenAI, OpenAIError

from coworkdsl import Attachment
from coworkdsl.conversation import json_text
from cwkc.models.protocol import ModelError
from cwkc.models.tool_use import RETRIES, Answer, Sampling, ToolCall, arguments_object, failure
from cwkc.models.wire import document, openai_usage, unexpected


class OpenAIToolModel:
    """`url` is the server's base URL, such as `http://localhost:8000/v1`."""

    def __init__(self, model: str, key: str, url: str, sampling: Sampling) -> None:
        self._client = OpenAI(api_key=key, base_url=url, max_retries=RETRIES)
        self._request: dict[str, Any] = {"model": model, "max_tokens": sampling.most_tokens}
        if sampling.temperature is not None:
            self._request["temperature"] = sampling.temperature

    def answer(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        attachments: Sequence[Attachment],
        timeout: float,
    ) -> Answer:
        """Raises ModelError, ContextExceeded among them."""
        try:
            answer = self._client.chat.completions.with_raw_response.create(
                messages=_written(messages, attachments), tools=_tools(tools), timeout=timeout, **self._request
            )
        except APIStatusError as error:
            raise failure(error, error.status_code) from error
        except OpenAIError as error:
            raise failure(error, None) from error
        return _read(answer.http_response.text)


# ---------------------------------------------------------------------------- writing


def _tools(tools: Sequence[Mapping[str, Any]]) -> Any:
    return [*tools]


def _written(messages: Sequence[Mapping[str, Any]], attachments: Iterable[Attachment]) -> Any:
    first, *others = messages
    shown = [*map(_attached, attachments)]
    if shown:
        first = {"role": first["role"], "content": [*shown, {"type": "text", "text": first["content"]}]}
    return [first, *map(_message, others)]


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message, its calls with arguments that a chat template can read."""
    if not message.get("tool_calls"):
        return {**message, "content": message["content"] or ""}
    return {**message, "tool_calls": [_call(call) for call in message["tool_calls"]]}


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call["function"]
    arguments = json_text(arguments_object(function["arguments"]))
    return {**call, "function": {"name": function["name"], "arguments": arguments}}


def _attached(attachment: Attachment) -> dict[str, Any]:
    """Raises ModelError for what cannot be shown."""
    if attachment.media_type.startswith("text/"):
        return {"type": "text", "text": f"{attachment.name}:\n{attachment.data.decode('utf-8', 'replace')}"}
    if not attachment.media_type.startswith("image/"):
        raise ModelError(f"the file `{attachment.name}` of type {attachment.media_type} cannot be shown to the model")
    data = b64encode(attachment.data).decode()
    return {"type": "image_url", "image_url": {"url": f"data:{attachment.media_type};base64,{data}"}}


# ---------------------------------------------------------------------------- reading


def _read(body: str) -> Answer:
    """The answer in a body. Raises ModelError."""
    match document(body):
        case {"choices": [{"message": dict() as message, **choice}, *_], **rest}:
            content, refusal = message.get("content"), message.get("refusal")
            words = content if isinstance(content, str) else refusal if isinstance(refusal, str) else ""
            called = message.get("tool_calls")
            calls = tuple(_called(call, body) for call in called) if isinstance(called, list) else ()
            refused = bool(refusal) or choice.get("finish_reason") == "content_filter"
            return Answer(words, calls, *openai_usage(rest.get("usage")), refused)
    raise unexpected(body)


def _called(call: Any, body: str) -> ToolCall:
    match call:
        case {"function": {"name": str() as name, **function}}:
            arguments = function.get("arguments")
            return ToolCall(name, arguments if isinstance(arguments, str) else json_text(arguments))
    raise unexpected(body)
