"""From `anthropic:MODEL` and `openai:MODEL@URL` to models."""

from __future__ import annotations

import os

from cwkc.models.protocol import Model, ModelUnavailable

FORMS = "`anthropic:MODEL` or `openai:MODEL@URL`"


def open_model(name: str) -> Model:
    """The model of that name. Raises ModelUnavailable."""
    provider, _, rest = name.partition(":")
    if provider == "anthropic" and rest:
        return _anthropic(rest)
    model, _, url = rest.partition("@")
    if provider == "openai" and model and url.startswith(("http://", "https://")):
        return _openai(model, url)
    raise ModelUnavailable(f"`{name}` names no model: say {FORMS}, where URL is that of an OpenAI-compatible server")


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


def _without(package: str) -> ModelUnavailable:
    return ModelUnavailable(f"the package `{package}` is not installed: `pip install 'coworkdsl[generate]'`")


def _key(variable: str) -> str:
    key = os.environ.get(variable, "")
    if not key:
        raise ModelUnavailable(f"set {variable}; a server that asks for no key takes any value")
    return key
