"""`cwkc generate PLAN -o DIR`"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cwkc.cli.files import sources
from cwkc.cli.models import FORMS
from cwkc.cli.show import progress, show

if TYPE_CHECKING:
    from cwkc.generate.asking import Source
    from cwkc.generate.journal import Journal
    from cwkc.generate.prompts import Request, Role
    from cwkc.generate.running import Generation, Outcome
    from cwkc.generate.slots import Plan
    from cwkc.generate.spending import Price, Spending
    from cwkc.generate.twins import Known
    from cwkc.models import Engine, Grammar, Model

TIMEOUT = 600.0
"""Seconds that one answer may take: a whole file is a long one."""


def _price(context: click.Context, parameter: click.Parameter, value: str | None) -> Price | None:
    """Raises click.BadParameter."""
    if value is None:
        return None
    from cwkc.generate.spending import Price

    try:
        amounts = [Fraction(str(float(part))) for part in value.split(",")]
    except ValueError:
        amounts = []
    if len(amounts) not in (2, 3) or min(amounts) < 0:
        raise click.BadParameter(
            f"`{value}` is no price: say dollars for a million tokens read and written, `3,15`, and where it differs"
            " that of tokens read from the provider's cache, `3,15,0.3`",
            context,
            parameter,
        )
    return Price(amounts[0], amounts[1], amounts[2] if len(amounts) == 3 else amounts[0])


@click.command()
@click.argument("plan", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the tasks, of what was set aside, and of the journal.",
)
@click.option("--model", metavar=FORMS, help="The model that writes, verifies and attacks.")
@click.option("--attempts", type=click.IntRange(1), default=3, show_default=True, help="Of each role, for each slot.")
@click.option("--attack", is_flag=True, help="Let the model look for a run that earns everything without reading.")
@click.option(
    "--against",
    multiple=True,
    metavar="PATH",
    type=click.Path(exists=True, path_type=Path),
    help="A pack, a .cwk file or a folder of them, whose tasks no new one is to be like; may be said again.",
)
@click.option(
    "--likeness",
    type=click.FloatRange(0, 100),
    default=75.0,
    show_default=True,
    help="From this likeness on, of 100, a task is a near-duplicate.",
)
@click.option("--answer-tokens", type=click.IntRange(1), default=8192, show_default=True, help="Of one answer.")
@click.option("--token-budget", type=click.IntRange(1), metavar="N", help="Begin nothing once N tokens are spent.")
@click.option(
    "--money-budget",
    type=click.FloatRange(0, min_open=True),
    metavar="USD",
    help="Begin nothing once so many dollars are spent; goes with --price.",
)
@click.option(
    "--price",
    metavar="IN,OUT[,CACHED]",
    callback=_price,
    help="Dollars for a million tokens that the model reads, writes, and reads from the provider's cache.",
)
@click.option(
    "--grammar",
    "engine",
    type=click.Choice(("vllm", "llama.cpp", "llguidance")),
    help="Hold the model to what can be parsed: a server of this kind is sent the grammar; llguidance is for hf.",
)
@click.option(
    "--batch", is_flag=True, help="Ask in Anthropic's message batches, all slots together: for half the price, later."
)
@click.option("-j", "--jobs", type=click.IntRange(1), default=4, show_default=True, help="Slots at a time.")
@click.option("--dry-run", is_flag=True, help="Ask nothing and write nothing; print what would be asked next.")
def command(plan: Path, folder: Path, model: str | None, dry_run: bool, **options: Any) -> None:
    """Fill the slots of PLAN with tasks that a language model writes and the compiler accepts.

    One role writes a task, another its grading; what the compiler finds goes back to whoever's fault it is. Tasks that
    hold are written to DIR, each with where it comes from; the others are set aside. After an interruption the same
    command goes on, and pays for no answer twice.
    """
    if options["money_budget"] is not None and options["price"] is None:
        raise click.UsageError("`--money-budget` goes with `--price`: what tokens cost is not known otherwise")
    if options["batch"] and options["engine"] is not None:
        raise click.UsageError("`--batch` and `--grammar` do not go together: no server takes both")
    if model is None and not dry_run:
        raise click.UsageError("name the model with `--model`, or look at the prompts with `--dry-run`")
    with _failures_are_wrong_use():
        slots = _plan(plan, folder)
        if dry_run:
            _print_prompts(slots, folder, model, options)
        else:
            _generate(slots, folder, str(model), options)


def _plan(path: Path, folder: Path) -> Plan:
    from cwkc.generate.slots import read_plan

    plan, found = read_plan(path, folder)
    show(found, "terminal", err=True)
    if plan is None:
        raise click.exceptions.Exit(1)
    return plan


def _generate(plan: Plan, folder: Path, model: str, options: dict[str, Any]) -> None:
    from cwkc.generate.journal import Journal
    from cwkc.generate.shelf import JOURNAL, refuse_other_contents
    from cwkc.generate.summary import summary, table

    source_of = _batches(model, options, len(plan.slots)) if options["batch"] else _singly(model, options)
    refuse_other_contents(folder)
    with Journal.opened(folder / JOURNAL) as journal:
        spending = _spending(journal, options)
        generation, shelf = _generation(plan, folder, journal, model, source_of(journal), spending, options)
        outcomes = _run(generation, spending, len(plan.slots))
        shelf.summarize(summary(outcomes, spending.spent, options["price"]))
    click.echo("\n".join((*table(outcomes), spending.spent.words(options["price"]))))
    left = [each for each in outcomes if each.status == "open"]
    for why in dict.fromkeys(each.why for each in left):
        names = ", ".join(each.slot for each in left if each.why == why)
        click.echo(f"left open: {names}: {why}", err=True)
    if any(each.status != "accepted" for each in outcomes):
        raise click.exceptions.Exit(1)


def _run(generation: Generation, spending: Spending, count: int) -> Sequence[Outcome]:
    """What became of the slots, told one by one."""
    ended = 0
    with progress(f"0 of {count} slots") as doing:

        def tell(outcome: Outcome) -> None:
            nonlocal ended
            ended += 1
            words = spending.spent.words(spending.budget.price)
            doing(f"{ended} of {count} slots, {words}")
            click.echo(f"{ended} of {count}: {outcome.slot} {outcome.status}; {words}", err=True)

        try:
            return generation.run(tell)
        except KeyboardInterrupt:
            click.echo("interrupted; the same command goes on from here", err=True)
            raise


def _print_prompts(plan: Plan, folder: Path, model: str | None, options: dict[str, Any]) -> None:
    from cwkc.generate.asking import Singly
    from cwkc.generate.journal import Journal
    from cwkc.generate.shelf import JOURNAL, refuse_other_contents

    refuse_other_contents(folder)
    journal = Journal.read(folder / JOURNAL)
    spending = _spending(journal, options)
    nobody = Singly(_nobody, options["answer_tokens"])
    generation, _ = _generation(plan, folder, journal, model or "", nobody, spending, options)
    for slot, request in generation.next_requests():
        click.echo(f"{slot.name}: nothing is asked any more" if request is None else _shown(request))


def _shown(request: Request) -> str:
    """A request as it would be sent, part by part."""
    head = f"=== {request.slot}: {request.role}, attempt {request.attempt}"
    parts = [f"{head}, system\n{request.system}"]
    parts += [f"{head}, {message.role}\n{message.content}" for message in request.messages]
    return "\n\n".join(parts)


# ---------------------------------------------------------------------------- parts


def _generation(
    plan: Plan,
    folder: Path,
    journal: Journal,
    model: str,
    source: Source,
    spending: Spending,
    options: dict[str, Any],
) -> tuple[Generation, Any]:
    from cwkc.generate.running import Generation, Options
    from cwkc.generate.shelf import Shelf

    shelf = Shelf(folder, {"model": model, "attacked": options["attack"]})
    jobs = len(plan.slots) if options["batch"] else options["jobs"]
    chosen = Options(model, options["attempts"], options["attack"], options["likeness"], jobs)
    against = [known for path in options["against"] for known in _known_of(path)]
    return Generation(plan, journal, shelf, source, spending, chosen, against), shelf


def _known_of(path: Path) -> Iterable[Known]:
    """The tasks of a pack, of a `.cwk` file, or of those in a folder. Raises PackError and click.UsageError."""
    from cwkc.generate import twins

    return twins.of_pack(path) if (path / "pack.json").is_file() else twins.of_files(sources([path]))


def _spending(journal: Journal, options: dict[str, Any]) -> Spending:
    from cwkc.generate.running import paid_for
    from cwkc.generate.spending import Budget, Spending

    dollars = options["money_budget"]
    budget = Budget(options["token_budget"], None if dollars is None else Fraction(str(dollars)), options["price"])
    return Spending(budget, paid_for(journal))


def _singly(name: str, options: dict[str, Any]) -> Callable[[Journal], Source]:
    """Each request by itself; a grammar holds the roles that answer with a file. Raises ModelUnavailable."""
    from cwkc.generate.asking import Singly
    from cwkc.generate.prompts import Role
    from cwkc.models import Manner, open_model

    grammar = None if options["engine"] is None else _grammar(options["engine"])
    writes_files = open_model(name, Manner(TIMEOUT, keeps_system=True, grammar=grammar))
    models = dict.fromkeys(Role, writes_files)
    if grammar is not None and options["attack"]:
        models[Role.ATTACKER] = open_model(name, Manner(TIMEOUT, keeps_system=True))
    source = Singly(models.__getitem__, options["answer_tokens"])
    return lambda journal: source


def _batches(name: str, options: dict[str, Any], slots: int) -> Callable[[Journal], Source]:
    """The requests of all slots in rounds. Raises ModelUnavailable."""
    from cwkc.generate.asking import InBatches
    from cwkc.models import Manner, open_batches

    model = open_batches(name, Manner(TIMEOUT, keeps_system=True))
    return lambda journal: InBatches(model, options["answer_tokens"], journal, slots)


def _grammar(engine: Engine) -> Grammar:
    from cwkc.grammars import export
    from cwkc.models import Grammar

    return Grammar(engine, export("llguidance" if engine == "llguidance" else "gbnf"))


def _nobody(role: Role) -> Model:
    raise AssertionError("a dry run asks nobody")


@contextmanager
def _failures_are_wrong_use() -> Iterator[None]:
    from coworkdsl import PackError
    from cwkc.generate.journal import JournalError
    from cwkc.generate.shelf import ShelfError
    from cwkc.generate.slots import PlanError
    from cwkc.models import ModelUnavailable

    try:
        yield
    except (JournalError, ModelUnavailable, PackError, PlanError, ShelfError) as failure:
        raise click.UsageError(str(failure)) from failure
    except ModuleNotFoundError as missing:
        if missing.name not in ("anthropic", "openai", "rapidfuzz"):
            raise
        raise click.UsageError(
            f"the package `{missing.name}` is not installed: `pip install 'coworkdsl[generate]'`"
        ) from missing
