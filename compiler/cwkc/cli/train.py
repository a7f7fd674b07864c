"""`cwkc train RECIPE.toml`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cwkc.cli.rollouts import require_packages
from cwkc.cli.show import progress, show
from cwkc.cli.work import work_options
from cwkc.workshop import Workshop

if TYPE_CHECKING:
    from cwktrain.recipes.kept import Done


@click.command()
@click.argument("recipe", metavar="RECIPE.toml", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the stages are kept and the report is written.",
)
@work_options
def command(recipe: Path, folder: Path, workshop: Workshop) -> None:
    """Follow a recipe: pack, rollouts, curation, training, evaluation, and a report of all of it.

    Each stage is done once for all that it depends on. After an interruption or a change of the recipe the same command
    does what is missing.
    """
    require_packages("matplotlib", "numpy")
    from cwktrain.recipes.following import StageFailed, failing, follow
    from cwktrain.recipes.kept import RunFolderError
    from cwktrain.recipes.packs import NothingToDo, PackRefused
    from cwktrain.recipes.reading import RecipeError, read_recipe
    from cwktrain.recipes.report import write_report

    try:
        read = read_recipe(recipe)
        with progress("reading") as tell:
            outcome = follow(read, folder, workshop, tell, _tell_done)
            with failing("report"):
                write_report(read, outcome, recipe, folder)
    except RecipeError as error:
        raise click.UsageError(str(error)) from error
    except PackRefused as refused:
        show(refused.diagnostics, "terminal")
        raise click.exceptions.Exit(1) from refused
    except (NothingToDo, RunFolderError, StageFailed) as failure:
        raise click.ClickException(str(failure)) from failure
    click.echo(folder / "report.md")


def _tell_done(done: Done) -> None:
    took = "kept" if done.was_kept else f"{done.costs.seconds:.1f} s"
    click.echo(f"{done.name}: {took}")
