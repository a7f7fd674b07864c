"""Models in this process, by transformers, with the masks of llguidance where there is a grammar."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import torch
from jinja2 import TemplateError
from transformers import AutoModelForCausalLM, AutoTokenizer

from cwkc.models.masks import Masks, compiled
from cwkc.models.protocol import Completion, Message, ModelError, ModelUnavailable


class LocalModel:
    """`path` is a folder that transformers has saved, or a GGUF file. It answers one conversation at a time.

    With `grammar`, the text of a grammar for llguidance, every answer is the beginning of a text of that grammar, and
    the whole of one when the model ends it by itself. Raises ModelUnavailable.
    """

    def __init__(self, path: str, grammar: str | None = None) -> None:
        self.tokenizer, self.model = load(path)
        if self.tokenizer.chat_template is None:
            raise ModelUnavailable(f"the model in `{path}` has no chat template: it does not answer conversations")
        self._grammar = None if grammar is None else compiled(grammar, self.tokenizer, self.model.config.vocab_size)
        self._turn = Lock()

    def complete(self, system: str, messages: Sequence[Message], max_tokens: int) -> Completion:
        """Raises ModelError."""
        with self._turn:
            asked = self.tokens_of(system, messages)
            self._check_length(asked.shape[1] + max_tokens)
            written = self.generate(asked, max_tokens)[0, asked.shape[1] :]
        return Completion(
            self.tokenizer.decode(written, skip_special_tokens=True), asked.shape[1], int(written.shape[0])
        )

    def tokens_of(self, system: str, messages: Sequence[Message]) -> Any:
        """The conversation in the words of the model's chat template: a tensor of 1 × tokens. Raises ModelError."""
        told = [{"role": "system", "content": system}] if system else []
        told += [{"role": message.role, "content": message.content} for message in messages]
        try:
            read = self.tokenizer.apply_chat_template(
                told, add_generation_prompt=True, return_tensors="pt", return_dict=True
            )
        except TemplateError as error:
            raise ModelError(f"the model's chat template refuses the conversation: {error}") from error
        return read["input_ids"].to(self.model.device)

    def generate(self, asked: Any, max_tokens: int, answers: int = 1, **sampling: Any) -> Any:
        """What was asked with so many answers behind it: a tensor of answers × tokens."""
        options = dict(sampling)
        if self._grammar is not None:
            options["logits_processor"] = [Masks(self._grammar, answers, asked.shape[1])]
            options["eos_token_id"] = self.tokenizer.eos_token_id
        with torch.inference_mode():
            return self.model.generate(
                asked.expand(answers, -1),
                attention_mask=torch.ones_like(asked).expand(answers, -1),
                max_new_tokens=max_tokens,
                pad_token_id=self.tokenizer.eos_token_id,
                **options,
            )

    def _check_length(self, wanted: int) -> None:
        limit = getattr(self.model.config, "max_position_embeddings", None)
        if limit is not None and wanted > limit:
            raise ModelError(f"the conversation and its answer have {wanted} tokens, and the model reads {limit}")


def load(path: str) -> tuple[Any, Any]:
    """The tokenizer and the model that lie there. Raises ModelUnavailable."""
    place = Path(path).expanduser()
    if not place.exists():
        raise ModelUnavailable(
            f"there is no model in `{path}`: name a folder that transformers has saved, or a GGUF file"
        )
    folder = place if place.is_dir() else place.parent
    options: dict[str, str] = {} if place.is_dir() else {"gguf_file": place.name}
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, **options)
        model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, **options)
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise ModelUnavailable(f"the model in `{path}` cannot be read: {str(error).splitlines()[0]}") from error
    return tokenizer, model.to("cuda" if torch.cuda.is_available() else "cpu").eval()
