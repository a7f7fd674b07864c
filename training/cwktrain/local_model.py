"""A student as a model that calls tools: on this machine, for many conversations at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from coworkdsl import Attachment
from coworkdsl.conversation import json_text
from cwkc.models import Answer, ContextExceeded, ModelError, Sampling, ToolCall
from cwktrain.rendering import prompt, template_messages
from cwktrain.students import end_tokens, load_reader, load_tokenizer

_QUIET = 0.02
"""Seconds without a request after which a batch is begun: conversations that were answered together ask together."""


class _Request(NamedTuple):
    """`room`: how many tokens the answer may have."""

    ids: list[int]
    room: int
    answer: Future[list[int]]


class LocalModel:
    """Answers greedily where the temperature is None or 0. Requests of several threads are answered in batches."""

    def __init__(self, student: Path, sampling: Sampling) -> None:
        """Raises StudentUnavailable."""
        self._tokenizer = load_tokenizer(student)
        self._model = load_reader(student)
        self._context: int = self._model.config.get_text_config().max_position_embeddings
        self._sampling = sampling
        self._waiting: SimpleQueue[_Request] = SimpleQueue()
        self._worker = ThreadPoolExecutor(1)
        if sampling.temperature:
            _draw_afresh()

    def answer(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        attachments: Sequence[Attachment],
        timeout: float,
    ) -> Answer:
        """Raises ModelError, and ContextExceeded where the conversation leaves no room for an answer."""
        shown = template_messages(_with_files(messages, attachments))
        ids = prompt(self._tokenizer, shown, tools)
        room = min(self._sampling.most_tokens, self._context - len(ids))
        if room < 1:
            raise ContextExceeded(f"{len(ids)} tokens are more than the model's context of {self._context} leaves free")
        request = _Request(ids, room, Future())
        self._waiting.put(request)
        self._worker.submit(self._serve)
        try:
            written = request.answer.result(timeout)
        except TimeoutError as error:
            request.answer.cancel()
            raise ModelError(f"there was no answer within {timeout:g} seconds") from error
        return self._read(written, ids, tools)

    def _read(self, written: Sequence[int], ids: list[int], tools: Sequence[Mapping[str, Any]]) -> Answer:
        """A call that is malformed stays among the words, as the model wrote it."""
        from trl.chat_template_utils import parse_response

        message = parse_response(self._tokenizer, [*written], prefix=ids, tools=[*tools])
        functions = [call.get("function", call) for call in message.get("tool_calls") or ()]
        calls = tuple(ToolCall(each["name"], json_text(each["arguments"])) for each in functions)
        return Answer(message["content"], calls, len(ids), len(written))

    def _serve(self) -> None:
        """Answers whoever waits. There is a call of this for each request, and most find nothing left to do."""
        batch = [request for request in self._gathered() if request.answer.set_running_or_notify_cancel()]
        try:
            for group in _groups(batch, self._sampling.most_tokens):
                for request, written in zip(group, self._generated(group), strict=True):
                    request.answer.set_result(written)
        except Exception as error:
            for request in batch:
                if not request.answer.done():
                    request.answer.set_exception(ModelError(f"the model failed: {type(error).__name__}: {error}"))

    def _gathered(self) -> Iterable[_Request]:
        if self._waiting.empty():
            return
        while True:
            try:
                yield self._waiting.get(timeout=_QUIET)
            except Empty:
                return

    def _generated(self, group: Sequence[_Request]) -> list[list[int]]:
        """What follows the prompts, each up to its end, padded on the left so that all end at one place."""
        import torch
        from transformers import GenerationConfig

        width = max(len(request.ids) for request in group)
        padding = self._tokenizer.pad_token_id
        rows = [[padding] * (width - len(request.ids)) + request.ids for request in group]
        mask = [[0] * (width - len(request.ids)) + [1] * len(request.ids) for request in group]
        ends = end_tokens(self._model, self._tokenizer)
        chosen = {"do_sample": True, "temperature": self._sampling.temperature, "top_k": 0, "top_p": 1.0}
        settings = GenerationConfig(
            max_new_tokens=max(request.room for request in group),
            eos_token_id=ends,
            pad_token_id=padding,
            **(chosen if self._sampling.temperature else {"do_sample": False}),
        )
        device = self._model.device
        with torch.inference_mode():
            found = self._model.generate(
                input_ids=torch.tensor(rows, device=device),
                attention_mask=torch.tensor(mask, device=device),
                generation_config=settings,
            )
        return [_until(row, ends) for row in found[:, width:].tolist()]


def _draw_afresh() -> None:
    """torch begins each process with the same seed, so that a rollout that goes on would repeat its samples."""
    import torch

    torch.seed()


def _groups(batch: Sequence[_Request], most: int) -> Iterable[Sequence[_Request]]:
    """Those that may write as much as anyone go together; one that is near the end of its context goes alone, so that
    the others do not have to stop where it must."""
    free = [request for request in batch if request.room == most]
    if free:
        yield free
    yield from ([request] for request in batch if request.room < most)


def _until(row: Sequence[int], ends: Sequence[int]) -> list[int]:
    """The tokens up to the first end, that one included; all of them where there is none."""
    place = next((place for place, token in enumerate(row) if token in ends), len(row))
    return [*row[: place + 1]]


def _with_files(
    messages: Sequence[Mapping[str, Any]], attachments: Iterable[Attachment]
) -> Sequence[Mapping[str, Any]]:
    """Texts go before the request. Raises ModelError for what is no text."""
    texts = []
    for attachment in attachments:
        if not attachment.media_type.startswith("text/"):
            raise ModelError(
                f"the file `{attachment.name}` of type {attachment.media_type} cannot be shown to the model"
            )
        texts.append(f"{attachment.name}:\n{attachment.data.decode('utf-8', 'replace')}")
    first, *others = messages
    return [{**first, "content": "\n\n".join([*texts, first["content"]])}, *others]
