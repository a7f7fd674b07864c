"""Conversations as the text and the tokens that a student reads, and which of the tokens are the assistant's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from cwkc.models.tool_use import arguments_object

Messages = Sequence[Mapping[str, Any]]


class RenderingError(Exception):
    """A student's chat template cannot be relied on for a conversation; the message says why."""


class Rendered(NamedTuple):
    """`mask`: for each token 1 where the assistant wrote it, its calls and the end of its turn included, else 0."""

    text: str
    ids: list[int]
    mask: list[int]


class Span(NamedTuple):
    """The characters of a message of the assistant. From `turn` to `end` there is white space, which a template may
    count as the assistant's or not."""

    start: int
    turn: int
    end: int


def template_messages(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The conversation as chat templates take it: contents are texts, arguments are objects, and a result has the name
    of its tool."""
    names: dict[str, str] = {}
    written = []
    for message in messages:
        row = {**message, "content": message["content"] or ""}
        if message["role"] == "tool":
            row["name"] = names[message["tool_call_id"]]
        elif message.get("tool_calls"):
            row["tool_calls"] = [_call(call) for call in message["tool_calls"]]
            names |= {call["id"]: call["function"]["name"] for call in message["tool_calls"]}
        written.append(row)
    return written


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call["function"]
    arguments = arguments_object(function["arguments"])
    return {**call, "function": {"name": function["name"], "arguments": arguments}}


def render(tokenizer: Any, messages: Messages, tools: Sequence[Mapping[str, Any]]) -> Rendered:
    """Renders a conversation in the form of `template_messages`.

    The mask is the one of the template's markers, which has to agree with the spans that `assistant_spans` finds
    without them. Raises RenderingError where it does not.
    """
    text = _text(tokenizer, messages, tools)
    read = tokenizer.apply_chat_template(
        messages, tools=tools or None, return_dict=True, return_assistant_tokens_mask=True
    )
    ids, mask = list(read["input_ids"]), list(read["assistant_masks"])
    least, most = _bounds(tokenizer, text, ids, assistant_spans(tokenizer, messages, tools, text))
    if not all(low <= bit <= high for low, bit, high in zip(least, mask, most, strict=True)):
        raise RenderingError("the chat template marks other tokens than those that the assistant wrote")
    return Rendered(text, ids, mask)


def prompt(tokenizer: Any, messages: Messages, tools: Sequence[Mapping[str, Any]]) -> list[int]:
    """The tokens after which the assistant writes its next message; where a template knows of thinking, without any."""
    return list(
        tokenizer.apply_chat_template(
            messages, tools=tools or None, add_generation_prompt=True, enable_thinking=False, return_dict=True
        )["input_ids"]
    )


def assistant_spans(tokenizer: Any, messages: Messages, tools: Sequence[Mapping[str, Any]], text: str) -> list[Span]:
    """Where the assistant's messages stand in the rendered `text`: behind what is shown to it before each, and up to
    where the next message begins. Raises RenderingError for a template that renders a beginning otherwise once more
    follows."""
    spans = []
    for place, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        before = _text(tokenizer, messages[:place], tools, add_generation_prompt=True)
        with_it = _text(tokenizer, messages[: place + 1], tools)
        if not (text.startswith(with_it) and with_it.startswith(before)):
            raise RenderingError(f"the chat template renders the first {place + 1} messages otherwise once more follow")
        spans.append(Span(len(before), len(with_it.rstrip()), len(with_it)))
    return spans


def _text(tokenizer: Any, messages: Messages, tools: Sequence[Mapping[str, Any]], **options: bool) -> str:
    return str(tokenizer.apply_chat_template(messages, tools=tools or None, tokenize=False, **options))


def _bounds(tokenizer: Any, text: str, ids: Sequence[int], spans: Iterable[Span]) -> tuple[list[int], list[int]]:
    """The least and the most that a mask may cover. Raises RenderingError where the tokens are not those of the text.

    A token belongs to what its characters begin in or reach into: places are counted in the tokens of the text before.
    """
    if list(tokenizer(text, add_special_tokens=False)["input_ids"]) != ids:
        raise RenderingError("the chat template's tokens are not those of its text")
    least, most = [0] * len(ids), [0] * len(ids)
    for span in spans:
        start, turn, end = (_tokens_before(tokenizer, text[:place], ids) for place in span)
        least[start:turn] = [1] * (turn - start)
        most[start:end] = [1] * (end - start)
    return least, most


def _tokens_before(tokenizer: Any, beginning: str, ids: Sequence[int]) -> int:
    """How many of the tokens lie wholly in the beginning of their text."""
    shared = zip(tokenizer(beginning, add_special_tokens=False)["input_ids"], ids, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], shared))
