"""Conversations in tokens: what the student writes, what it is answered, and which of the two it is trained on.

TRL's own loop ends a run at the first message without a call. Here words go to the simulated user, whose answer comes
back as a user's message; a tool that does not exist and arguments that fit none are answered by the environment. What
the student wrote is never tokenised again: only what comes behind it is rendered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from attrs import define, field, frozen

from cwktrain.onpolicy.environments import Message, PackEnvironment

Tokens = list[int]
Answers = tuple[Sequence[Tokens], Sequence[list[float]] | None]
Speak = Callable[[list[Tokens]], Answers]
"""What the student writes behind each of these prompts, in tokens, and where they are known their log-probabilities."""

_MARK = "cwk-mark"


class TemplateError(Exception):
    """A chat template cannot be used for training in turns; the message says why."""


@frozen
class Rules:
    """How conversations are rendered, and what one may use up.

    `most_tokens`: of all that stands behind the prompt, answers included. `most_positions`: of prompt and all.
    `most_answers`: how often the student is answered.
    """

    tokenizer: Any
    chat_template: str | None
    template_options: Mapping[str, Any]
    most_tokens: int
    most_positions: int
    most_answers: int

    @classmethod
    def of(cls, trainer: Any) -> Rules:
        """Those of a trainer of TRL."""
        return cls(
            tokenizer=trainer.processing_class,
            chat_template=trainer.chat_template,
            template_options=trainer.chat_template_kwargs,
            most_tokens=trainer.max_completion_length,
            most_positions=trainer.args.vllm_max_model_length or trainer.model.config.max_position_embeddings,
            most_answers=trainer.max_tool_calling_iterations,
        )

    def prompt(self, messages: Sequence[Message], tools: list[dict[str, Any]]) -> Tokens:
        ids: Tokens = self._render(messages, tools=tools, tokenize=True, return_dict=True)["input_ids"]
        return ids

    def behind(self, answers: Sequence[Message]) -> Tokens:
        """The tokens between the end of the student's message and the beginning of its next one."""
        calls = [
            {"type": "function", "function": {"name": answer["name"], "arguments": {}}}
            for answer in answers
            if answer["role"] == "tool"
        ]
        marked: dict[str, Any] = {"role": "assistant", "content": _MARK}
        conversation = [{"role": "user", "content": ""}, marked | ({"tool_calls": calls} if calls else {}), *answers]
        tail = self._render(conversation, tokenize=False).partition(_MARK)[2]
        ids: Tokens = self.tokenizer(tail, add_special_tokens=False)["input_ids"]
        if self.tokenizer.eos_token_id not in ids:
            raise TemplateError("the chat template ends no message of the assistant with the end-of-sequence token")
        return ids[ids.index(self.tokenizer.eos_token_id) + 1 :]

    def _render(self, messages: Sequence[Message], **options: Any) -> Any:
        return self.tokenizer.apply_chat_template(
            list(messages),
            chat_template=self.chat_template,
            add_generation_prompt=True,
            **options,
            **self.template_options,
        )


class Turn(NamedTuple):
    """Tokens of the completion that the student wrote in one go, and the state that it wrote them in."""

    state: Hashable
    start: int
    stop: int


@define
class Episode:
    """A run as it grows. `mask` is 1 for the tokens that the student wrote, and 0 for what it was answered.

    `probabilities` are logarithms, 0 for answers, and None where the student does not tell them.
    """

    environment: PackEnvironment
    prompt: Tokens
    completion: Tokens = field(factory=list)
    mask: Tokens = field(factory=list)
    probabilities: list[float] | None = None
    messages: list[Message] = field(factory=list)
    turns: list[Turn] = field(factory=list)
    answered: int = 0
    calls: int = 0
    refused: int = 0
    open: bool = True

    def hear(self, ids: Tokens, probabilities: list[float] | None, rules: Rules) -> None:
        """Lets the student's message take effect, and adds what it is answered where there is room for it."""
        from trl.chat_template_utils import parse_response

        ids = ids[: rules.most_tokens - len(self.completion)]
        message = parse_response(
            rules.tokenizer, ids, prefix=self.prompt + self.completion, tools=self.environment._schemas
        )
        self.turns.append(Turn(self.environment._state(), len(self.completion), len(self.completion) + len(ids)))
        self._add(ids, 1, None if probabilities is None else probabilities[: len(ids)])
        self.messages.append(message)
        self._answer(self._act(message), ids[-1:] == [rules.tokenizer.eos_token_id], rules)

    def _act(self, message: Message) -> list[Message]:
        before = len(self.environment._run.trace.calls)
        answers = self.environment._act(message)
        made = self.environment._run.trace.calls[before:]
        self.calls += len(made)
        self.refused += sum(not call.accepted for call in made)
        return answers

    def _answer(self, answers: list[Message], finished: bool, rules: Rules) -> None:
        """A message that was cut off is answered by nobody, and an answer that leaves no room for another message is
        not heard: the run ends there, and is scored as it is."""
        self.open = bool(answers) and finished and self.answered < rules.most_answers
        if not self.open:
            return
        ids = rules.behind(answers)
        used = len(self.completion) + len(ids)
        if used >= rules.most_tokens or len(self.prompt) + used >= rules.most_positions:
            self.open = False
            return
        self.messages += answers
        self.answered += 1
        self._add(ids, 0, None if self.probabilities is None else [0.0] * len(ids))

    def _add(self, ids: Tokens, written: int, probabilities: list[float] | None) -> None:
        self.completion += ids
        self.mask += [written] * len(ids)
        if probabilities is not None:
            self.probabilities = (self.probabilities or []) + probabilities


def converse(episodes: Sequence[Episode], first: Answers, speak: Speak, rules: Rules) -> None:
    """Runs episodes to their end, side by side. `first`: what the student wrote behind the prompts."""
    running, answers = list(episodes), first
    while running:
        written, probabilities = answers
        for place, episode in enumerate(running):
            episode.hear(written[place], None if probabilities is None else probabilities[place], rules)
        running = [episode for episode in running if episode.open]
        if running:
            answers = speak([episode.prompt + episode.completion for episode in running])
