"""Conversations as the text and the tokens that a student reads, and which of the tokens are the assistant's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from cwkc.models.tool_use import arguments_object

Messages = Sequence[Mapping[str, Any]]
Tools = Sequence[Mapping[str, Any]]


class RenderingError(Exception):
    """A student's chat template cannot be relied on for a conversation; the message says why."""


class Rendered(NamedTuple):
    """`mask`: for each token 1 where the assistant writes it: its words, its calls and the end of its turn; else 0."""

    text: str
    ids: list[int]
    mask: list[int]


class Span(NamedTuple):
    """The characters of a message of the assistant: where it is rendered, where what the assistant itself writes begins
    and ends, and where the next message begins."""

    header: int
    start: int
    end: int
    next: int


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


def render(tokenizer: Any, messages: Messages, tools: Tools) -> Rendered:
    """Renders a conversation in the form of `template_messages`.

    The mask covers what follows the prompt in each of the assistant's messages. The template's own markers have to
    agree: all of it is marked, and beyond it at most what a template writes around it, such as the turn's header.
    Raises RenderingError where they do not.
    """
    text = _text(tokenizer, messages, tools)
    read = tokenizer.apply_chat_template(
        messages, tools=tools or None, return_dict=True, return_assistant_tokens_mask=True
    )
    ids, marks = list(read["input_ids"]), read["assistant_masks"]
    if _tokens(tokenizer, text) != ids:
        raise RenderingError("the chat template's tokens are not those of its text")
    mask, around = [0] * len(ids), [0] * len(ids)
    for span in assistant_spans(tokenizer, messages, tools, text):
        header, start, end, after = (_tokens_before(tokenizer, text[:place], ids) for place in span)
        mask[start:end] = [1] * (end - start)
        around[header:after] = [1] * (after - header)
    if not all(least <= mark <= most for least, mark, most in zip(mask, marks, around, strict=True)):
        raise RenderingError("the chat template marks other tokens than those that the assistant writes")
    return Rendered(text, ids, mask)


def prompt(tokenizer: Any, messages: Messages, tools: Tools) -> list[int]:
    """The tokens after which the assistant writes its next message. Raises RenderingError."""
    return _tokens(tokenizer, _prompt(tokenizer, messages, tools))


def assistant_spans(tokenizer: Any, messages: Messages, tools: Tools, text: str) -> list[Span]:
    """Where the assistant's messages stand in the rendered `text`: behind the prompt for each, and up to the end of its
    turn. Raises RenderingError for a template that renders a beginning otherwise once more follows."""
    spans = []
    for place, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        header = _text(tokenizer, messages[:place], tools)
        before = _prompt(tokenizer, messages[:place], tools)
        whole = _text(tokenizer, messages[: place + 1], tools)
        if not (text.startswith(whole) and whole.startswith(before) and before.startswith(header)):
            raise RenderingError(f"the chat template renders the first {place + 1} messages otherwise once more follow")
        spans.append(Span(len(header), len(before), len(whole.rstrip()), len(whole)))
    return spans


def _text(tokenizer: Any, messages: Messages, tools: Tools, **options: bool) -> str:
    from jinja2 import TemplateError

    try:
        return str(tokenizer.apply_chat_template(messages, tools=tools or None, tokenize=False, **options))
    except TemplateError as error:
        raise RenderingError(f"the chat template refuses the conversation: {error}") from error


def _prompt(tokenizer: Any, messages: Messages, tools: Tools) -> str:
    """Where a template knows of thinking, it is told that there is none: conversations have no place for it."""
    return _text(tokenizer, messages, tools, add_generation_prompt=True, enable_thinking=False)


def _tokens(tokenizer: Any, text: str) -> list[int]:
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def _tokens_before(tokenizer: Any, beginning: str, ids: Sequence[int]) -> int:
    """How many of the tokens lie wholly in the beginning of their text."""
    shared = zip(_tokens(tokenizer, beginning), ids, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], shared))
