"""Conversations in the form of chat templates: a list of messages with `role`, `content` and `tool_calls`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from coworkdsl.events import Event, Remark, Reply, Turn
from coworkdsl.run import Call, RunError

_ROLES = ("system", "developer", "user", "assistant", "tool")


def json_text(value: Any) -> str:
    """JSON that can be encoded, its letters as they are where that is possible."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair among an agent's arguments
        return json.dumps(value)
    return text


# ---------------------------------------------------------------------------- writing


def written_messages(request: str, events: Iterable[Event]) -> list[dict[str, Any]]:
    """The request, then each turn of the agent with the results of its calls, and what it was told behind it."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": request}]
    number = 0
    for words, calls in _turns(events):
        if isinstance(words, Reply):
            messages.append({"role": "user", "content": words.text})
            continue
        message: dict[str, Any] = {"role": "assistant", "content": words}
        messages.append(message)
        if calls:
            message["tool_calls"] = []
        for call in calls:
            number += 1
            message["tool_calls"].append(_tool_call(f"call_{number}", call))
            content = json_text(call.result)
            messages.append({"role": "tool", "tool_call_id": f"call_{number}", "content": content})
    return messages


def _turns(events: Iterable[Event]) -> Iterator[tuple[str | Reply | None, list[Call]]]:
    """What was said and called, message by message: a turn begins, an answer stands alone, a remark goes first."""
    words: list[str] = []
    calls: list[Call] = []
    for event in events:
        begins = isinstance(event, Turn | Remark)
        if (begins and calls) or (isinstance(event, Reply) and (words or calls)):
            yield "\n".join(words) if words else None, calls
            words, calls = [], []
        if isinstance(event, Reply):
            yield event, []
        if isinstance(event, Remark):
            words.append(event.text)
        elif isinstance(event, Call):
            calls.append(event)
    if words or calls:
        yield "\n".join(words) if words else None, calls


def _tool_call(id: str, call: Call) -> dict[str, Any]:
    arguments = call.raw if isinstance(call.raw, str) else json_text(call.raw)
    return {"id": id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


# ---------------------------------------------------------------------------- reading


class AgentMessage(NamedTuple):
    """One message of the agent: its words, if any, and its calls as (tool, arguments)."""

    words: str | None
    calls: tuple[tuple[str, Any], ...]


def read_messages(messages: Any) -> tuple[AgentMessage, ...]:
    """The agent's messages of a conversation. Raises RunError when it is damaged."""
    if not isinstance(messages, list | tuple):
        raise RunError("messages: must be an array of messages")
    asked: set[str] = set()
    read = []
    for place, message in enumerate(messages):
        where = f"messages[{place}]"
        role = _role(message, where)
        words = _words(message.get("content"), f"{where}.content")
        if role == "assistant":
            calls = _calls(message.get("tool_calls"), f"{where}.tool_calls", asked)
            if words is None and not calls:
                raise RunError(f"{where}: has neither content nor tool calls")
            read.append(AgentMessage(words, calls))
        elif role == "tool" and message.get("tool_call_id") not in asked:
            raise RunError(f"{where}: answers no call made before it: `tool_call_id` is {_brief(message)}")
    return tuple(read)


def _brief(message: dict[str, Any]) -> str:
    return repr(message.get("tool_call_id"))[:80]


def _role(message: Any, where: str) -> str:
    if not isinstance(message, dict):
        raise RunError(f"{where}: must be an object")
    role = message.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        raise RunError(f"{where}: `role` must be one of {', '.join(_ROLES)}; got {role!r:.80}")
    return role


def _words(content: Any, where: str) -> str | None:
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise RunError(f"{where}: must be null, a text or an array of parts")
    texts = []
    for place, part in enumerate(content):
        if not isinstance(part, dict) or part.get("type") != "text" or not isinstance(part.get("text"), str):
            raise RunError(f'{where}[{place}]: must be a part {{"type": "text", "text": …}}')
        texts.append(part["text"])
    return "".join(texts)


def _calls(tool_calls: Any, where: str, asked: set[str]) -> tuple[tuple[str, Any], ...]:
    """The calls, whose ids go into `asked`."""
    if tool_calls is None:
        return ()
    if not isinstance(tool_calls, list):
        raise RunError(f"{where}: must be an array")
    calls = []
    for place, call in enumerate(tool_calls):
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise RunError(f"{where}[{place}]: must have a `function` with a `name`")
        if not isinstance(call.get("id"), str) or call["id"] in asked:
            raise RunError(f"{where}[{place}]: must have an `id` of its own")
        asked.add(call["id"])
        calls.append((function["name"], function.get("arguments")))
    return tuple(calls)
