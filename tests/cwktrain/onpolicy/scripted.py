"""A student whose words are written beforehand, for real trainers: what they make of them can be worked out by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

Plan = Sequence[str]
"""What a student writes in one run, message by message."""


def call(tool: str, **arguments: Any) -> str:
    return f"<tool_call>\n{json.dumps({'name': tool, 'arguments': arguments})}\n</tool_call>"


def paint(lamp: str, colour: str) -> str:
    return call("lamps_paint", lamp_id=lamp, colour=colour)


class Script:
    """Stands in for `_generate_single_turn`: runs take the plans as they begin, one after the other, and again from the
    first when all are taken. The first message of a run carries its number, by which it is known later on. `prompts`:
    what it was shown at the beginning of runs."""

    def __init__(self, tokenizer: Any, plans: Sequence[Plan]) -> None:
        self.tokenizer = tokenizer
        self.plans = plans
        self.begun = 0
        self.prompts: set[str] = set()

    def messages(self, prompts: Sequence[list[int]]) -> list[list[int]]:
        return [self._message(self.tokenizer.decode(ids)) for ids in prompts]

    def _message(self, text: str) -> list[int]:
        turns = text.count("<|im_start|>assistant") - 1
        number = self.begun if turns == 0 else number_of(text)
        if turns == 0:
            self.begun += 1
            self.prompts.add(text)
        mark = f"run {number}." if turns == 0 else ""
        words = mark + self.plans[number % len(self.plans)][turns] + self.tokenizer.eos_token
        ids: list[int] = self.tokenizer(words, add_special_tokens=False)["input_ids"]
        return ids


def number_of(text: str) -> int:
    """The number that a run's first message carries."""
    return int(re.findall(r"run (\d+)\.", text)[0])


def for_grpo(script: Script) -> Callable[..., Any]:
    return lambda _self, prompts, *_others, **_named: (script.messages(prompts), None)


def for_distillation(script: Script) -> Callable[..., Any]:
    return lambda _self, prompts, *_others, **_named: script.messages(prompts)
