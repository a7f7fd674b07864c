"""The option `--voice`: a language model that words what the user of a task says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from cwkc.models.voicing import ModelVoice


def _opened(context: click.Context, parameter: click.Parameter, name: str | None) -> ModelVoice | None:
    """Raises click.UsageError when there is no such model."""
    if name is None or context.resilient_parsing:
        return None
    from cwkc.models import ModelUnavailable, open_model
    from cwkc.models.voicing import ModelVoice

    try:
        return ModelVoice(open_model(name))
    except ModelUnavailable as unavailable:
        raise click.UsageError(f"the voice cannot be asked: {unavailable}", context) from unavailable


voice_option = click.option(
    "--voice",
    metavar="anthropic:MODEL|openai:MODEL@URL",
    callback=_opened,
    help="The model that words what the user says; what is told, and when, stays the script's.",
)


def report_failures(voice: ModelVoice | None) -> None:
    """Says how often the script spoke for a voice that gave no answer."""
    if voice is not None and voice.failures:
        times = "once" if len(voice.failures) == 1 else f"{len(voice.failures)} times"
        click.echo(f"the voice gave no answer {times}, and the script spoke: {voice.failures[-1]}", err=True)
