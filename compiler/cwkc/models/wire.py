"""Answers of servers. They are read here and not by the providers' packages, which take whatever they get for one:
many a server speaks a protocol only more or less."""

from __future__ import annotations

import json
from typing import Any

from cwkc.models.protocol import ModelError


def document(body: str) -> Any:
    """The JSON of an answer. Raises ModelError."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"the server's answer is not JSON: {body!r:.80}") from error


def anthropic_usage(usage: Any) -> tuple[int | None, int | None]:
    """Tokens read, those from a cache among them, and tokens written."""
    match usage:
        case {"input_tokens": int() as read, "output_tokens": int() as written}:
            cached = (usage.get("cache_creation_input_tokens"), usage.get("cache_read_input_tokens"))
            return read + sum(count or 0 for count in cached), written
    return None, None


def openai_usage(usage: Any) -> tuple[int | None, int | None]:
    """Tokens read and written."""
    match usage:
        case {"prompt_tokens": int() as read, "completion_tokens": int() as written}:
            return read, written
    return None, None


def cached_tokens(usage: Any) -> int:
    """Of the tokens read, those that came from the provider's cache, in either protocol."""
    match usage:
        case {"cache_read_input_tokens": int() as count} | {"prompt_tokens_details": {"cached_tokens": int() as count}}:
            return count
    return 0


def unexpected(body: str) -> ModelError:
    return ModelError(f"the server's answer has no text: {body!r:.80}")
