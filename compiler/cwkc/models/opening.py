"""From `anthropic:MODEL` and `openai:MODEL@URL` to models."""

from __future__ import annotations

import os
from typing import NamedTuple

from cwkc.models.protocol import BatchModel, Manner, Model, ModelUnavailable
from cwkc.models.tool_use import Sampling, ToolModel

FORMS = "`anthropic:MODEL` or `openai:MODEL@URL`"


USUAL = Manner()


class ModelName(NamedTuple):
    """`url` is None for `anthropic`."""

    provider: str
    model: str
    url: str | None


def read_name(name: str) -> ModelName:
    """Raises ModelUnavailable for what names no model."""
    provider, _, rest = name.partition(":")
    if provider == "anthropic" and rest:
        return ModelName(provider, rest, None)
    model, _, url = rest.partition("@")
    if provider == "openai" and model and url.startswith(("http://", "https://")):
        return ModelName(provider, model, url)
    raise ModelUnavailable(f"`{name}` names no model: say {FORMS}, where URL is that of an OpenAI-compatible server")


def open_model(name: str, manner: Manner = USUAL) -> Model:
    """The model of that name. Raises ModelUnavailable."""
    _, model, url = read_name(name)
    if url is not None:
        return _openai(model, url, manner)
    if manner.grammar is not None:
        raise ModelUnavailable(f"`{name}` takes no grammar: leave it out, or name an OpenAI-compatible server")
    return _anthropic(model, manner)


def open_batches(name: str, manner: Manner = USUAL) -> BatchModel:
    """The model of that name, to be asked in batches. Raises ModelUnavailable."""
    _, model, url = read_name(name)
    if url is not None:
        raise ModelUnavailable(f"`{name}` takes no batches: only `anthropic:MODEL` does")
    return _anthropic(model, manner)


def _anthropic(model: str, manner: Manner) -> BatchModel:
    try:
        from cwkc.models.anthropic_messages import AnthropicModel
    except ImportError as missing:
        raise _without("anthropic") from missing
    return AnthropicModel(model, _key("ANTHROPIC_API_KEY"), manner)


def _openai(model: str, url: str, manner: Manner) -> Model:
    try:
        from cwkc.models.openai_chat import OpenAIModel
    except ImportError as missing:
        raise _without("openai") from missing
    return OpenAIModel(model, _key("OPENAI_API_KEY"), url, manner)


def open_tool_model(name: str, sampling: Sampling) -> ToolModel:
    """The model of that name, to call tools. Raises ModelUnavailable."""
    _, model, url = read_name(name)
    return _anthropic_tools(model, sampling) if url is None else _openai_tools(model, url, sampling)


def _anthropic_tools(model: str, sampling: Sampling) -> ToolModel:
    try:
        from cwkc.models.anthropic_tools import AnthropicToolModel
    except ImportError as missing:
        raise _without("anthropic") from missing
    return AnthropicToolModel(model, _key("ANTHROPIC_API_KEY"), sampling)


def _openai_tools(model: str, url: str, sampling: Sampling) -> ToolModel:
    try:
        from cwkc.models.openai_tools import OpenAIToolModel
    except ImportError as missing:
        raise _without("openai") from missing
    return OpenAIToolModel(model, _key("OPENAI_API_KEY"), url, sampling)


def _without(package: str) -> ModelUnavailable:
    return ModelUnavailable(f"the package `{package}` is not installed: `pip install 'coworkdsl[generate]'`")


def _key(variable: str) -> str:
    key = os.environ.get(variable, "")
    if not key:
        raise ModelUnavailable(f"set {variable}; a server that asks for no key takes any value")
    return key
