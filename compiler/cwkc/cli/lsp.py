"""`cwkc lsp`"""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout

import click


@click.command()
def command() -> None:
    """Serve an editor: the language server protocol on standard input and output."""
    try:
        from cwkc.lsp.server import make_server
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        words = "the language server needs the extra `lsp`: pip install 'coworkdsl[lsp]'"
        raise click.ClickException(words) from missing
    # What is printed by mistake goes to the log, not into the conversation.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output, redirect_stdout(sys.stderr):
        make_server().start_io(sys.stdin.buffer, output)
