"""Tool use by Anthropic's Messages API."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from anthropic import Anthropic, AnthropicError, APIStatusError

from coworkdsl import Attachment
from coworkdsl.conversation import json_text
from cwkc.models.protocol import ModelError
from cwkc.models.tool_use import RETRIES, Answer, ContextExceeded, Sampling, ToolCall, arguments_object, failure
from cwkc.models.wire import anthropic_usage, document, unexpected

Block = dict[str, Any]


class AnthropicToolModel:
    def __init__(self, model: str, key: str, sampling: Sampling) -> None:
        self._client = Anthropic(api_key=key, max_retries=RETRIES)
        self._request: dict[str, Any] = {"model": model, "max_tokens": sampling.most_tokens}
        if sampling.temperature is not None:
            self._request["extra_body"] = {"temperature": sampling.temperature}

    def answer(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        attachments: Sequence[Attachment],
        timeout: float,
    ) -> Answer:
        """Raises ModelError, ContextExceeded among them."""
        try:
            answer = self._client.messages.with_raw_response.create(
                messages=_written(messages, attachments),
                tools=_tools(tools),
                timeout=timeout,
                **self._request,
            )
        except APIStatusError as error:
            raise failure(error, error.status_code) from error
        except AnthropicError as error:
            raise failure(error, None) from error
        return _read(answer.http_response.text)


# ---------------------------------------------------------------------------- writing


def _tools(tools: Sequence[Mapping[str, Any]]) -> Any:
    return [_tool(tool["function"]) for tool in tools]


def _tool(function: Mapping[str, Any]) -> Block:
    return {
        "name": function["name"],
        "description": function.get("description", ""),
        "input_schema": function["parameters"],
    }


def _written(messages: Sequence[Mapping[str, Any]], attachments: Iterable[Attachment]) -> Any:
    """Neighbours of one role are one message, as the server wants it: the results of calls that were made together
    among them. A message without a word is left out."""
    written: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message["role"] == "assistant" else "user"
        blocks = _blocks(message) if written else [*map(_attached, attachments), *_blocks(message)]
        if written and written[-1]["role"] == role:
            written[-1]["content"] += blocks
        elif blocks:
            written.append({"role": role, "content": blocks})
    return written


def _blocks(message: Mapping[str, Any]) -> list[Block]:
    if message["role"] == "tool":
        return [{"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}]
    words = message["content"]
    texts: list[Block] = [{"type": "text", "text": words}] if words and words.strip() else []
    return [*texts, *map(_tool_use, message.get("tool_calls") or ())]


def _tool_use(call: Mapping[str, Any]) -> Block:
    function = call["function"]
    arguments = arguments_object(function["arguments"])
    return {"type": "tool_use", "id": call["id"], "name": function["name"], "input": arguments}


def _attached(attachment: Attachment) -> Block:
    """Raises ModelError for what cannot be shown."""
    if attachment.media_type.startswith("text/"):
        return {"type": "text", "text": f"{attachment.name}:\n{attachment.data.decode('utf-8', 'replace')}"}
    kinds = {"image": "image", "application/pdf": "document"}
    kind = kinds.get(attachment.media_type) or kinds.get(attachment.media_type.partition("/")[0])
    if kind is None:
        raise ModelError(f"the file `{attachment.name}` of type {attachment.media_type} cannot be shown to the model")
    data = b64encode(attachment.data).decode()
    return {"type": kind, "source": {"type": "base64", "media_type": attachment.media_type, "data": data}}


# ---------------------------------------------------------------------------- reading


def _read(body: str) -> Answer:
    """The answer in a body. Raises ModelError."""
    match document(body):
        case {"content": [*blocks], **rest}:
            if rest.get("stop_reason") == "model_context_window_exceeded":
                raise ContextExceeded("the conversation fills what the model can read")
            words = "".join(block["text"] for block in blocks if _is(block, "text", "text"))
            calls = tuple(_called(block) for block in blocks if _is(block, "tool_use", "name"))
            return Answer(words, calls, *anthropic_usage(rest.get("usage")), rest.get("stop_reason") == "refusal")
    raise unexpected(body)


def _is(block: Any, kind: str, member: str) -> bool:
    return isinstance(block, dict) and block.get("type") == kind and isinstance(block.get(member), str)


def _called(block: Block) -> ToolCall:
    return ToolCall(block["name"], json_text(block.get("input", {})))
