"""`cwkc import claw-eval|openapi|mcp`"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cwkc.cli.rewriting import create, replace
from cwkc.cli.show import show
from cwkc.diagnostics import Diagnostic

if TYPE_CHECKING:  # imported where it is used: the help needs nothing of it
    from cwkc.importing import Imported

Function = TypeVar("Function", bound=Callable[..., Any])


@click.group()
def command() -> None:
    """Make a .cwk file of what is written in another format.

    What the other format has and the language cannot take over stands in the file as a comment, `# TODO`, and is listed
    with its place in the source.
    """


def _output_options(function: Function) -> Function:
    """`-o FILE --force`"""
    force = click.option("--force", is_flag=True, help="Replace the file when it is there.")
    return click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="The file to write. [default: a .cwk file in this folder, called after what is imported]",
    )(force(function))


file_argument = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))


@command.command("claw-eval", short_help="Import a task of Claw-Eval.")
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@_output_options
def claw_eval(folder: Path, output: Path | None, force: bool) -> None:
    """Import a task of Claw-Eval: the folder DIR with its task.yaml and its fixtures.

    Request, tools, records, limits, user and forbidden tools are taken over. How it is graded is left to do.
    """
    from cwkc.importing import import_claw_eval

    _write(import_claw_eval(folder), output, force)


@command.command("openapi", short_help="Import an OpenAPI document as a service.")
@file_argument
@_output_options
def openapi(file: Path, output: Path | None, force: bool) -> None:
    """Import an OpenAPI document, version 3.0 or 3.1, in JSON or YAML: FILE becomes a service.

    Its paths tell the stores, its schemas the records, its operations the tools.
    """
    from cwkc.importing import import_openapi

    _write(import_openapi(file), output, force)


@command.command("mcp", short_help="Import a list of MCP tools as a service.")
@file_argument
@_output_options
def mcp(file: Path, output: Path | None, force: bool) -> None:
    """Import the tools of an MCP server: FILE is what `tools/list` gives, as JSON, and becomes a service."""
    from cwkc.importing import import_mcp

    _write(import_mcp(file), output, force)


def _write(made: tuple[Imported | None, tuple[Diagnostic, ...]], output: Path | None, force: bool) -> None:
    result, found = made
    if result is None:
        show(found, "terminal", err=True)
        raise click.exceptions.Exit(1)
    path = output or Path(f"{result.name}.cwk")
    _put(path, result.text, force)
    show(result.left, "terminal", err=True)
    click.echo(f"wrote {path.as_posix()}")


def _put(path: Path, text: str, force: bool) -> None:
    """The whole text or nothing. Raises click.UsageError when the file is there and was not to be replaced."""
    if not path.exists():
        create(path, text)
        return
    if not force:
        raise click.UsageError(f"`{path}` is there already: --force replaces it")
    try:
        replace(path.resolve(), text)
    except OSError as failure:
        raise click.UsageError(f"cannot write `{path}`: {failure.strerror or failure}") from failure
