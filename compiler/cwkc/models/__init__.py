"""The room of language models: one protocol, and what speaks it to a server.

    model = open_model("anthropic:MODEL")
    model.complete("Be brief.", [Message("user", "What is the time?")], max_tokens=100)

The packages that speak to the servers are imported when a model is opened: they are the extra `generate`.
"""

from __future__ import annotations

from cwkc.models.opening import open_batches, open_model, open_tool_model
from cwkc.models.protocol import (
    BatchModel,
    Completion,
    Engine,
    Grammar,
    Manner,
    Message,
    Model,
    ModelError,
    ModelUnavailable,
)
from cwkc.models.tool_use import Answer, ContextExceeded, Sampling, ToolCall, ToolModel

__all__ = [
    "Answer",
    "BatchModel",
    "Completion",
    "ContextExceeded",
    "Engine",
    "Grammar",
    "Manner",
    "Message",
    "Model",
    "ModelError",
    "ModelUnavailable",
    "Sampling",
    "ToolCall",
    "ToolModel",
    "open_batches",
    "open_model",
    "open_tool_model",
]
