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


def unexpected(body: str) -> ModelError:
    return ModelError(f"the server's answer has no text: {body!r:.80}")
