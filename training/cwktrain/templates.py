"""Chat templates for students: they know tools, and tell what the assistant wrote.

A template is fit for training when it shows tools, calls and their results, renders a conversation's beginning the same
whatever follows, marks what the assistant writes, the token that ends it included, and its calls can be read back.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any


def prepare_tokenizer(tokenizer: Any) -> Any:
    """The tokenizer with its own template where that is fit for training, else with TRL's variant of it where TRL knows
    one, else with ours. Raises ValueError for a tokenizer without a token that ends a turn."""
    if not is_fit(tokenizer):
        _take_variant(tokenizer)
    if not is_fit(tokenizer):
        _take_ours(tokenizer)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def is_fit(tokenizer: Any) -> bool:
    """Whether the tokenizer's chat template is fit for training, and its calls can be read."""
    from trl.chat_template_utils import (
        has_generation_markers,
        is_chat_template_prefix_preserving,
        is_chat_template_stop_token_trained,
        supports_tool_calling,
    )

    return bool(
        tokenizer.response_template
        and supports_tool_calling(tokenizer)
        and shows_tools(tokenizer)
        and is_chat_template_prefix_preserving(tokenizer)
        and has_generation_markers(tokenizer.chat_template)
        and is_chat_template_stop_token_trained(tokenizer)
    )


def shows_tools(tokenizer: Any) -> bool:
    """Whether the names, descriptions and parameters of tools are rendered."""
    words = ("tool_3f1c", "description_8a2e", "parameter_6d07", "meaning_b41f")
    name, description, parameter, meaning = words
    parameters = {"type": "object", "properties": {parameter: {"type": "string", "description": meaning}}}
    function = {"name": name, "description": description, "parameters": parameters}
    messages = [{"role": "user", "content": "Hello."}]
    tools = [{"type": "function", "function": function}]
    rendered = tokenizer.apply_chat_template(messages, tools=tools, tokenize=False)
    return all(word in rendered for word in words)


def _take_variant(tokenizer: Any) -> None:
    from trl.chat_template_utils import add_response_schema, get_training_chat_template

    if tokenizer.chat_template is None:
        return
    try:
        if not tokenizer.response_template:
            add_response_schema(tokenizer)
        tokenizer.chat_template = get_training_chat_template(tokenizer) or tokenizer.chat_template
    except ValueError:
        return  # TRL knows no such template: ours takes its place.


def _take_ours(tokenizer: Any) -> None:
    from trl.chat_template_utils import qwen3_template

    if "<|im_end|>" in tokenizer.get_vocab():
        tokenizer.eos_token = "<|im_end|>"
    if tokenizer.eos_token is None:
        raise ValueError("its tokenizer has no token that ends a turn")
    ours = (files("cwktrain") / "chatml.jinja").read_text(encoding="utf-8")
    beginning = tokenizer("Hello")["input_ids"][:1]
    begins = tokenizer.bos_token_id is not None and beginning == [tokenizer.bos_token_id]
    tokenizer.chat_template = ("{{- bos_token -}}\n" if begins else "") + ours
    content = {"close_pattern": re.escape(tokenizer.eos_token) + r"\s*", "content": "text"}
    tokenizer.response_template = {**qwen3_template, "fields": {**qwen3_template["fields"], "content": content}}
