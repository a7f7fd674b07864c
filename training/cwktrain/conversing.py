"""A language model as an agent: it is shown the conversation, and does what it answers."""

from __future__ import annotations

from attrs import frozen

from cwkc.models import Answer, ContextExceeded, ModelError, ToolModel
from cwktrain.limits import LimitReached, MeteredEnvironment

LONGEST_WAIT = 300.0
"""Seconds that one answer may take."""


@frozen
class ModelAgent:
    """Lets a model run an environment until the run is over. Calling it raises ModelError, and LimitReached, with the
    limit `context` where the conversation outgrows the model."""

    model: ToolModel

    def __call__(self, environment: MeteredEnvironment) -> None:
        environment.begin_turn()
        while not environment.done:
            answer = self._answer(environment)
            environment.spend(answer.tokens_read, answer.tokens_written)
            _act(environment, answer)
            if not environment.done:
                environment.begin_turn()

    def _answer(self, environment: MeteredEnvironment) -> Answer:
        left = environment.seconds_left
        timeout = LONGEST_WAIT if left is None else min(left, LONGEST_WAIT)
        try:
            return self.model.answer(environment.messages, environment.tools, environment.attachments, timeout)
        except ContextExceeded as error:
            raise LimitReached("context") from error
        except ModelError as error:
            if environment.seconds_left == 0:
                raise LimitReached("seconds") from error
            raise


def _act(environment: MeteredEnvironment, answer: Answer) -> None:
    """Words beside calls are a remark; words alone end the turn. Who refuses has nothing more to do."""
    if answer.words or not answer.calls:
        environment.say(answer.words, end_turn=not answer.calls)
    for call in answer.calls:
        environment.call(call.name, call.arguments)
    if answer.refused:
        environment.finish()
