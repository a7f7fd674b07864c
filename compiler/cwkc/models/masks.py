"""Masks over a model's vocabulary: what may come next in a text of a grammar."""

from __future__ import annotations

from typing import Any, NamedTuple

import llguidance
import llguidance.hf
import torch
from transformers import LogitsProcessor

from cwkc.models.protocol import ModelUnavailable


class Compiled(NamedTuple):
    """A grammar for a vocabulary. `start` stands before the first token of a text and is copied for each."""

    start: Any
    size: int


def compiled(grammar: str, tokenizer: Any, size: int) -> Compiled:
    """The grammar for a tokenizer and a model with `size` logits.

    Raises:
        ModelUnavailable: llguidance does not take the grammar, or the tokenizer.
    """
    try:
        vocabulary = llguidance.hf.from_tokenizer(tokenizer, n_vocab=size)
    except ValueError as error:
        raise ModelUnavailable(f"the model's tokenizer takes no grammar: {error}") from error
    start = llguidance.LLMatcher(vocabulary, llguidance.grammar_from("lark", grammar), log_level=0)
    if start.is_error():
        raise ModelUnavailable(f"the grammar cannot be used: {start.get_error()}")
    return Compiled(start, size)


class Masks(LogitsProcessor):
    """Leaves to each of `rows` answers only the tokens that the grammar goes on with; `begin` is where they begin."""

    def __init__(self, grammar: Compiled, rows: int, begin: int) -> None:
        self.matchers = [grammar.start.deep_copy() for _ in range(rows)]
        self.bits = torch.arange(8, dtype=torch.uint8)
        self.size = grammar.size
        self.seen = begin

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Input: the tokens so far, rows × tokens, and the logits of the next, rows × vocabulary."""
        for row, matcher in enumerate(self.matchers):
            for token in input_ids[row, self.seen :].tolist():
                if not matcher.is_stopped():
                    matcher.consume_token(token)
        self.seen = input_ids.shape[1]
        allowed = torch.stack([self._allowed(matcher) for matcher in self.matchers])
        return scores.masked_fill(~allowed.to(scores.device), float("-inf"))

    def _allowed(self, matcher: Any) -> Any:
        mask = torch.frombuffer(bytearray(matcher.compute_bitmask()), dtype=torch.uint8)
        return ((mask[:, None] >> self.bits) & 1).flatten()[: self.size].bool()
