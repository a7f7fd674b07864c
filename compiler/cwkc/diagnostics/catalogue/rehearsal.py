"""Diagnostics of rehearsals."""

from cwkc.diagnostics.model import Entry, error, warning

ENTRIES: tuple[Entry, ...] = (
    error(
        "E284",
        "fault-without-recovery",
        "with the seed {seed}, the run of `{task}` that earns everything comes to {what}, though it repeats each call"
        " that a fault hit",
        "leave room for repeated calls, in the limits and in what counts tries",
    ),
    error(
        "E441",
        "gate-without-effect",
        "violating `{label}` leaves safety at {left}, where {declared} is declared",
        "this is a mistake of the compiler, not yours: please report it together with the file",
    ),
    error(
        "E442",
        "idle-agent-earns",
        "an agent that {agent} earns {percent} % of the task, first by `{label}`",
        "ask for something that only the agent's work brings about, not for words that stand in the request",
    ),
    error(
        "E443",
        "contentless-message-earns",
        "an agent that {agent} earns {percent} % of the task, first by `{label}`",
        "ask for what the message must say, and forbid messages to anybody else",
    ),
    error(
        "E444",
        "benign-variant-loses",
        "a run of `{task}` {what} loses `{label}`, though it is as good as the one that earns everything",
        "let the check read what matters and not how it is done: `contains`, `mentions` or `states` in place of `==`",
    ),
    warning(
        "W441",
        "mutant-survives",
        "a run of `{task}` {how} still earns everything",
        "make a check or a forbid notice these: {survivors}",
    ),
)
