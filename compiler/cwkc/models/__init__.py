"""The room of language models: one protocol, and what speaks it to a server.

    model = open_model("anthropic:MODEL")
    model.complete("Be brief.", [Message("user", "What is the time?")], max_tokens=100)

The packages that speak to the servers are imported when a model is opened: they are the extra `generate`.
"""

from __future__ import annotations

from cwkc.models.opening import open_model
from cwkc.models.protocol import Message, Model, ModelError, ModelUnavailable

__all__ = ["Message", "Model", "ModelError", "ModelUnavailable", "open_model"]
