"""The options that name a language model: `--judge` and `--voice`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from cwkc.models import Model
    from cwkc.models.judging import ModelJudge
    from cwkc.models.voicing import ModelVoice

FORMS = "anthropic:MODEL|openai:MODEL@URL|hf:PATH"


def _judge(model: Model) -> ModelJudge:
    from cwkc.models.judging import ModelJudge

    return ModelJudge(model)


def _voice(model: Model) -> ModelVoice:
    from cwkc.models.voicing import ModelVoice

    return ModelVoice(model)


def _opened(role: str, of: Callable[[Model], Any]) -> Callable[[click.Context, click.Parameter, str | None], Any]:
    """What opens the model that an option names. It raises click.UsageError when there is no such model."""

    def opened(context: click.Context, parameter: click.Parameter, name: str | None) -> Any:
        if name is None or context.resilient_parsing:
            return None
        from cwkc.models import ModelUnavailable, open_model

        try:
            return of(open_model(name))
        except ModelUnavailable as unavailable:
            raise click.UsageError(f"the {role} cannot be asked: {unavailable}", context) from unavailable

    return opened


judge_option = click.option(
    "--judge",
    metavar=FORMS,
    callback=_opened("judge", _judge),
    help="The model that is asked for each `judge` of the task; without one these are unscored.",
)
voice_option = click.option(
    "--voice",
    metavar=FORMS,
    callback=_opened("voice", _voice),
    help="The model that words what the user says; what is told, and when, stays the script's.",
)


def report_failures(voice: ModelVoice | None) -> None:
    """Says how often the script spoke for a voice that gave no answer."""
    if voice is not None and voice.failures:
        times = "once" if len(voice.failures) == 1 else f"{len(voice.failures)} times"
        click.echo(f"the voice gave no answer {times}, and the script spoke: {voice.failures[-1]}", err=True)
