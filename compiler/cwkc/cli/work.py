"""The options of how work is done: by how many processes, and with what memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from cwkc.cache import Store
from cwkc.resources import cache_folder
from cwkc.workshop import Workshop

Command = Callable[..., None]


def work_options(command: Command) -> Command:
    """`--jobs N --cache DIR --no-cache`; the command gets them as its `workshop`."""

    @click.option(
        "--jobs",
        default="1",
        show_default=True,
        metavar="N|auto",
        callback=_count,
        help="So many tasks are proved and rehearsed beside one another; `auto`: one for each processor.",
    )
    @click.option(
        "--cache",
        envvar="CWKC_CACHE",
        show_envvar=True,
        metavar="DIR",
        type=click.Path(file_okay=False, path_type=Path),
        help="Where results are kept, so that only what has changed is done again.  [default: the user's cache folder]",
    )
    @click.option("--no-cache", is_flag=True, help="Keep no results, and use none.")
    @wraps(command)
    def with_workshop(jobs: int, cache: Path | None, no_cache: bool, **others: Any) -> None:
        command(workshop=Workshop(None if no_cache else Store(cache or cache_folder()), jobs), **others)

    return with_workshop


def _count(context: click.Context, parameter: click.Parameter, value: str) -> int:
    """Raises click.BadParameter."""
    if value == "auto":
        return os.cpu_count() or 1
    if not value.isascii() or not value.isdigit() or int(value) < 1:
        raise click.BadParameter(f"`{value}` is no number of processes: say 1, 2 … or `auto`", context, parameter)
    return int(value)
