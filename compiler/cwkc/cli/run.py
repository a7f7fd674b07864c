"""`cwkc run PACK TASK`"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coworkdsl import Judge, export_run
from cwkc.cli.agents import find_agent, let_run
from cwkc.cli.models import judge_option, report_failures, voice_option
from cwkc.cli.packs import damage_is_wrong_use, open_environment, pack_argument, seed_option, task_argument
from cwkc.cli.scores import lines

if TYPE_CHECKING:
    from cwkc.models.voicing import ModelVoice


@click.command()
@pack_argument
@task_argument
@click.option(
    "--agent",
    "name",
    default="witness",
    show_default=True,
    metavar="witness|idle|human|MODULE:NAME",
    help="Who runs it: the run that the compiler found, nobody, you, or a callable that takes the environment.",
)
@seed_option
@judge_option
@voice_option
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the run and its score to this file."
)
def command(
    pack: Path, task: str, name: str, seed: int, judge: Judge | None, voice: ModelVoice | None, output: Path | None
) -> None:
    """Run one episode of TASK from PACK and print its score, with the values that decided each check."""
    agent = find_agent(name)
    environment = open_environment(pack, task, seed, voice)
    with damage_is_wrong_use(pack):
        let_run(agent, environment)
        report_failures(voice)
        click.echo(f"{task}, agent {name}, seed {seed}: {len(environment.trace.calls)} calls")
        score = environment.score(judge)
        click.echo("\n".join(lines(score)))
        document = export_run(environment, with_score=False) | {"score": score.to_json()}
    if output is not None:
        _write(output, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def _write(output: Path, text: str) -> None:
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as failure:
        raise click.UsageError(f"cannot write `{output}`: {failure.strerror or failure}") from failure
