"""From `anthropic:MODEL`, `openai:MODEL@URL` and `hf:PATH` to models."""

from __future__ import annotations

import os
from typing import NamedTuple

from cwkc.models.protocol import Model, ModelUnavailable
from cwkc.models.tool_use import Sampling, ToolModel

FORMS = "`anthropic:MODEL`, `openai:MODEL@URL` or `hf:PATH`"


class ModelName(NamedTuple):
    """`url` is that of an `openai` server; the `model` of `hf` is a path."""

    provider: str
    model: str
    url: str | None


def read_name(name: str) -> ModelName:
    """Raises ModelUnavailable for what names no model."""
    provider, _, rest = name.partition(":")
    if provider in ("anthropic", "hf") and rest:
        return ModelName(provider, rest, None)
    model, _, url = rest.partition("@")
    if provider == "openai" and model and url.startswith(("http://", "https://")):
        return ModelName(provider, model, url)
    raise ModelUnavailable(f"`{name}` names no model: say {FORMS}, where URL is that of an OpenAI-compatible server")


def open_model(name: str, grammar: str | None = None) -> Model:
    """The model of that name; with a `grammar` for llguidance it writes only texts of that. Raises ModelUnavailable."""
    provider, model, url = read_name(name)
    if provider == "hf":
        return _local(model, grammar)
    if grammar is not None:
        raise ModelUnavailable(f"`{name}` takes no grammar; `hf:PATH` does")
    return _anthropic(model) if url is None else _openai(model, url)


def _local(path: str, grammar: str | None) -> Model:
    try:
        from cwkc.models.local import LocalModel
    except ImportError as missing:
        raise _without(missing.name or "transformers", "local") from missing
    return LocalModel(path, grammar)


def _anthropic(model: str) -> Model:
    try:
        from cwkc.models.anthropic_messages import AnthropicModel
    except ImportError as missing:
        raise _without("anthropic") from missing
    return AnthropicModel(model, _key("ANTHROPIC_API_KEY"))


def _openai(model: str, url: str) -> Model:
    try:
        from cwkc.models.openai_chat import OpenAIModel
    except ImportError as missing:
        raise _without("openai") from missing
    return OpenAIModel(model, _key("OPENAI_API_KEY"), url)


def open_tool_model(name: str, sampling: Sampling) -> ToolModel:
    """The model of that name, to call tools. Raises ModelUnavailable."""
    provider, model, url = read_name(name)
    if provider == "hf":
        raise ModelUnavailable(f"`{name}` cannot call tools from here: serve it and say `openai:MODEL@URL`")
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


def _without(package: str, extra: str = "generate") -> ModelUnavailable:
    return ModelUnavailable(f"the package `{package}` is not installed: `pip install 'coworkdsl[{extra}]'`")


def _key(variable: str) -> str:
    key = os.environ.get(variable, "")
    if not key:
        raise ModelUnavailable(f"set {variable}; a server that asks for no key takes any value")
    return key
