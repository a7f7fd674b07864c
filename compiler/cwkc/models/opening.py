"""From `anthropic:MODEL`, `openai:MODEL@URL` and `hf:PATH` to models."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from cwkc.models.protocol import BatchModel, Manner, Model, ModelUnavailable
from cwkc.models.tool_use import Sampling, ToolModel

FORMS = "`anthropic:MODEL`, `openai:MODEL@URL` or `hf:PATH`"


USUAL = Manner()

_ENGINES: Mapping[str, tuple[str, ...]] = {"anthropic": (), "openai": ("vllm", "llama.cpp"), "hf": ("llguidance",)}
"""The engines whose grammars the models of a provider may be held to."""


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


def open_model(name: str, manner: Manner = USUAL) -> Model:
    """The model of that name. Raises ModelUnavailable, also where it takes no such grammar."""
    provider, model, url = read_name(name)
    if manner.grammar is not None and manner.grammar.engine not in _ENGINES[provider]:
        raise ModelUnavailable(f"`{name}` takes no grammar for {manner.grammar.engine}")
    if provider == "hf":
        return _local(model, manner)
    return _anthropic(model, manner) if url is None else _openai(model, url, manner)


def open_batches(name: str, manner: Manner = USUAL) -> BatchModel:
    """The model of that name, to be asked in batches. Raises ModelUnavailable."""
    provider, model, _ = read_name(name)
    if provider != "anthropic":
        raise ModelUnavailable(f"`{name}` takes no batches: only `anthropic:MODEL` does")
    return _anthropic(model, manner)


def _local(path: str, manner: Manner) -> Model:
    try:
        from cwkc.models.local import LocalModel
    except ImportError as missing:
        raise _without(missing.name or "transformers", "local") from missing
    return LocalModel(path, manner.grammar.text if manner.grammar else None)


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
