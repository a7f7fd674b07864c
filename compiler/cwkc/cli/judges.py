"""The option `--judge`: a language model that judges what no check decides."""

from __future__ import annotations

import click

from coworkdsl import Judge


def _opened(context: click.Context, parameter: click.Parameter, name: str | None) -> Judge | None:
    """Raises click.UsageError when there is no such model."""
    if name is None or context.resilient_parsing:
        return None
    from cwkc.models import ModelUnavailable, open_model
    from cwkc.models.judging import ModelJudge

    try:
        return ModelJudge(open_model(name))
    except ModelUnavailable as unavailable:
        raise click.UsageError(f"the judge cannot be asked: {unavailable}", context) from unavailable


judge_option = click.option(
    "--judge",
    metavar="anthropic:MODEL|openai:MODEL@URL",
    callback=_opened,
    help="The model that is asked for each `judge` of the task; without one these are unscored.",
)
