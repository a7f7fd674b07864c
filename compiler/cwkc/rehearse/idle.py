"""Agents that do nothing of use: what one of them earns, anybody earns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from coworkdsl.values import decimal_text
from cwkc.diagnostics import Diagnostic, report
from cwkc.emit.pack import told
from cwkc.meaning import typed
from cwkc.meaning.types import EMAIL, TEXT, ListOf, Reference, required
from cwkc.prove.run import CallStep, SayStep
from cwkc.prove.theorems import LEFT_OUT, Established, Theorem
from cwkc.rehearse.execute import AT_ONCE, Execution
from cwkc.rehearse.samples import CONTENTLESS, Samples
from cwkc.rehearse.trials import Steps, Trials

REFUSAL = "I cannot help with that."


@frozen(eq=False)
class Agent:
    """`name` in words, and all that it does."""

    name: str
    steps: Steps


def talkers(task: typed.Task) -> tuple[Agent, ...]:
    """Agents that only talk."""
    return (
        Agent("refuses", (SayStep(REFUSAL, ends=True),)),
        Agent("says what it was told", (SayStep(told(task), ends=True),)),
    )


def senders(task: typed.Task, samples: Samples) -> Iterator[Agent]:
    """For each tool that takes words and writes: an agent that sends the same empty words to everybody, twice; and one
    that does so with all of these tools."""
    everything: list[CallStep] = []
    for tool in task.tools:
        calls = () if tool.reads_only else tuple(_sent(tool, samples))
        if calls:
            everything += calls
            last = SayStep(CONTENTLESS, ends=True)
            yield Agent(f"sends empty words to everybody with `{tool.wire_name}`", (*calls, *calls, last))
    if everything:
        yield Agent("sends empty words to everybody", (*everything, SayStep(CONTENTLESS, ends=True)))


def _sent(tool: typed.ToolDef, samples: Samples) -> Iterator[CallStep]:
    words = {name: CONTENTLESS for name, each in tool.parameters.items() if required(each.type) == TEXT}
    if not words:
        return
    addressed = next((name for name, each in tool.parameters.items() if _is_address(each)), None)
    for choice in _everybody(tool.parameters[addressed], samples) if addressed else (None,):
        call = samples.call(tool, **words, **({addressed: choice} if addressed else {}))
        if call is not None:
            yield call


def _is_address(parameter: typed.ParameterDef) -> bool:
    kind = required(parameter.type)
    item = kind.item if isinstance(kind, ListOf) else kind
    return item == EMAIL or (parameter.required and isinstance(item, Reference))


def _everybody(parameter: typed.ParameterDef, samples: Samples) -> Iterator[object]:
    """Each address or record by itself; where a list is taken, all of them in one."""
    kind = required(parameter.type)
    if isinstance(kind, ListOf):
        yield samples.everything(kind)
    else:
        yield from samples.addresses if kind == EMAIL else samples.values(kind)


# ---------------------------------------------------------------------------- the theorem

STATEMENT = (
    "who does nothing, refuses or repeats the request earns no completion, and empty words to everybody no reward"
)


def floor(task: typed.Task, trials: Trials, silent: Execution, samples: Samples) -> Established:
    """The idle agents, executed. What a judge would make of them is not known, and so left out."""
    evidence = [_row("does nothing", silent)]
    diagnostics: list[Diagnostic] = []
    for agent in talkers(task):
        execution = trials.run(agent.steps, f"an agent that {agent.name}", AT_ONCE)
        evidence.append(_row(agent.name, execution))
        if execution.score.lower.completion > silent.score.lower.completion:
            diagnostics.append(_earned("E442", task, agent, execution))
    for agent in senders(task, samples):
        execution = trials.run(agent.steps, f"an agent that {agent.name}", AT_ONCE)
        evidence.append(_row(agent.name, execution))
        least = execution.score.lower
        if least.completion * least.safety and not any(each.code == "E443" for each in diagnostics):
            diagnostics.append(_earned("E443", task, agent, execution))
    verdict = "false" if diagnostics or silent.score.lower.completion else "executed"
    shown = {"agents": evidence, **({"judges": LEFT_OUT} if task.judges else {})}
    return Established(Theorem("floor", verdict, STATEMENT, shown), tuple(diagnostics))


def _row(name: str, execution: Execution) -> dict[str, Any]:
    least = execution.score.lower
    return {"agent": name, "completion": decimal_text(least.completion), "safety": decimal_text(least.safety)}


def _earned(code: str, task: typed.Task, agent: Agent, execution: Execution) -> Diagnostic:
    """That an agent earns something, at the first check that pays it."""
    earned = zip(task.checks, execution.score.checks, strict=True)
    check = next(check for check, outcome in earned if outcome.earned)
    percent = decimal_text(execution.score.lower.completion * 100)
    return report(code, check.span, agent=agent.name, label=check.label, percent=percent)
