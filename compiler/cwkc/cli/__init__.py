"""The command `cwkc`: one module per subcommand, imported when it is asked for.

Exit status: 0 when all is well, 1 when something was found wrong, 2 when the command was used wrongly,
130 when interrupted, 70 when the compiler itself has a defect.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

COMMANDS = {
    "new": "Write a file with a task that builds, to begin with.",
    "import": "Make a file of what is written in another format.",
    "check": "Prove that files are right.",
    "build": "Check files and write the pack of their tasks.",
    "generate": "Let a language model fill the slots of a plan with tasks.",
    "run": "Run one task of a pack and score it.",
    "grade": "Replay a recorded run in a fresh environment and score it.",
    "view": "Write pages about a pack, and about runs, for a browser.",
    "plan": "Plan tasks that close the gaps of packs.",
    "rollout": "Run the tasks of a pack many times and keep the runs.",
    "curate": "Make a data set for supervised training of kept runs.",
    "eval": "Measure agents on the tasks of a pack, with intervals.",
    "train": "Follow a recipe, from a pack to a trained model.",
    "fmt": "Lay files out anew, in their place.",
    "doc": "Describe a service or a file, as Markdown.",
    "diff": "Show what a change does to tasks.",
    "dump": "Print a file as a stage of the compiler sees it.",
    "grammar": "Print the grammar for constrained decoding.",
    "explain": "Explain a diagnostic by its code.",
    "lsp": "Serve an editor: the language server.",
}

MODULES = {"import": "importing"}
"""Of commands whose names are words of Python."""


class Commands(click.Group):
    """Subcommands by name; the help needs only their summaries, so that it starts fast."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"cwkc.cli.{MODULES.get(name, name)}").command
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from cwkc import __version__

        click.echo(f"cwkc {__version__}")
        context.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version.")
@click.pass_context
def group(context: click.Context) -> None:
    """From .cwk files to agent environments that are proved and rehearsed."""
    context.color = _wanted_colour()


def _wanted_colour() -> bool | None:
    """What the environment says of colours, whatever is written to; None when it says nothing."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None


def main() -> None:
    """Run the command line and exit."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = group.main(prog_name="cwkc", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as failure:
        failure.show()
        status = failure.exit_code
    except (click.Abort, KeyboardInterrupt):
        status = 130
    except BrokenPipeError:
        status = _without_reader()
    except Exception as defect:
        status = _owned(defect)
    sys.exit(status)


def _owned(defect: Exception) -> int:
    """A defect of the compiler, told as one: nobody is to look for it in a file of theirs."""
    import traceback

    if os.environ.get("CWKC_TRACEBACK"):
        traceback.print_exc()
    frame = traceback.extract_tb(defect.__traceback__)[-1]
    place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
    print(f"cwkc has a defect: {type(defect).__name__} at {place}: {defect}", file=sys.stderr)
    print("Please report it with the file that shows it; CWKC_TRACEBACK=1 prints where it comes from.", file=sys.stderr)
    return 70


def _without_reader() -> int:
    """Nobody reads the output any more: nothing is left to say, not even at the interpreter's end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
