"""Conversations as training rows hold them, and what is asked of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Message = Mapping[str, Any]

_SIMULATOR_PREFIX = re.compile(
    r"\A\s*[\[(*]*(simulated\s+)?(user|customer|client|human|caller)[\])*]*\s*:\s*", re.IGNORECASE
)


def training_messages(messages: Iterable[Message], longest_observation: int) -> list[dict[str, Any]]:
    """The conversation in TRL's tool format.

    Contents and arguments are texts throughout: where columns are typed, as in Arrow, objects of different tools would
    become one type, and each call would gain the others' arguments as nulls.
    """
    names: dict[str, str] = {}
    written = []
    for place, message in enumerate(messages):
        content = message["content"] or ""
        row: dict[str, Any] = {"role": message["role"], "content": content}
        if message["role"] == "tool":
            row["content"] = shortened(content, longest_observation)
            row |= {"name": names[message["tool_call_id"]], "tool_call_id": message["tool_call_id"]}
        elif message["role"] == "user" and place > 0:
            row["content"] = _SIMULATOR_PREFIX.sub("", content)
        elif message.get("tool_calls"):
            row["tool_calls"] = [_call(call) for call in message["tool_calls"]]
            names |= {call["id"]: call["function"]["name"] for call in message["tool_calls"]}
        written.append(row)
    return written


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call["function"]
    return {
        "id": call["id"],
        "type": "function",
        "function": {"name": function["name"], "arguments": function["arguments"]},
    }


def shortened(text: str, most: int) -> str:
    """The text, or its beginning with a word on how much is missing, of that many characters in all."""
    if len(text) <= most:
        return text
    note = f" … [{len(text)} characters, shortened]"
    return text[: max(0, most - len(note))] + note


def has_exchange(messages: Iterable[Message]) -> bool:
    """Whether a user and an assistant both take part."""
    return {"user", "assistant"} <= {message["role"] for message in messages}


def calls_of(messages: Iterable[Message]) -> list[Mapping[str, Any]]:
    return [call for message in messages for call in message.get("tool_calls") or ()]


def length(messages: Iterable[Message]) -> int:
    """In characters: contents, and the calls' names and arguments."""
    return sum(len(message["content"] or "") + sum(map(_call_length, calls_of([message]))) for message in messages)


def _call_length(call: Mapping[str, Any]) -> int:
    return len(call["function"]["name"]) + len(call["function"]["arguments"])


def has_readable_calls(messages: Iterable[Message]) -> bool:
    """Whether the arguments of every call are the text of a JSON object."""
    return all(_is_object(call["function"]["arguments"]) for call in calls_of(messages))


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def recovers(messages: Sequence[Message]) -> bool:
    """Whether a call was answered with an error, and a later call of the same tool was not."""
    failed: set[str] = set()
    for name, is_error in _answers(messages):
        if is_error:
            failed.add(name)
        elif name in failed:
            return True
    return False


def _answers(messages: Iterable[Message]) -> Iterator[tuple[str, bool]]:
    """The tool and whether it answered with an error, for each answer in order."""
    names: dict[str, str] = {}
    for message in messages:
        names |= {call["id"]: call["function"]["name"] for call in message.get("tool_calls") or ()}
        if message["role"] == "tool":
            yield names[message["tool_call_id"]], _is_error(message["content"])


def _is_error(content: str) -> bool:
    result = json.loads(content)
    return isinstance(result, dict) and set(result) == {"error"}


def normalised_prefix(request: str, most: int) -> str:
    """The beginning of a request without what differs between tasks of one mould: numbers, ids, addresses, spacing."""
    text = re.sub(r"\S*[\d@]\S*", "#", request.casefold())
    return " ".join(re.findall(r"#|[^\W_]+", text))[:most]
