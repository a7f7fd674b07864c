"""Diagnostics of users and events."""

from cwkc.diagnostics.model import Entry, error, warning

ENTRIES: tuple[Entry, ...] = (
    error("E300", "unknown-fact", "the user knows no fact `{name}`"),
    error(
        "E301",
        "empty-fact",
        "the fact `{name}` says nothing",
        "write the words in which the user tells it",
    ),
    error(
        "E302",
        "silent-event-speaks",
        "the event `{name}` is `silent`, and yet the user says something in it",
        "drop `silent`, or the `say`",
    ),
    error(
        "E303",
        "empty-event",
        "the event `{name}` does nothing",
        "give it a `say`, an `insert`, a `set`, a `delete` or an `end`",
    ),
    error(
        "E304",
        "event-not-later",
        "the event `{name}` comes at a time that is not later than the task's `now`",
        "give it a later time: `at now + 1d`",
    ),
    error("E305", "unknown-event", "the task has no event `{name}`"),
    error(
        "E306",
        "truth-depends-on-run",
        "this reads what a tool can change before the event `{event}`, so it has no value that is fixed",
        "read what the event itself writes, or what no tool of the task can write",
    ),
    error(
        "E307",
        "truth-known-later",
        "`{name}` is known only after the event `{event}`, and what stands here is settled before it",
        "use it in a check, or in a `let` that says `after {event}`",
    ),
    error(
        "E308",
        "record-there-already",
        "an event inserts `@{id}`, and a record of that id is there already",
        "change the record with `set`, or give the new one an id of its own",
    ),
    error("E309", "no-value", "this has no value: {why}", "choose amounts that keep it within range"),
    error(
        "E310",
        "dated-after-event",
        "`{field}` is {value}, later than the event `{event}`",
        "date it earlier, or mark the field `scheduled` where it is declared",
    ),
    error(
        "E311",
        "null-in-fact",
        "`{part}` is null, so that the fact `{name}` says nothing in its place",
        "fill the field in, or say it in other words",
    ),
    error(
        "E312",
        "no-such-turn",
        "there is no turn `{written}`: the agent's turns are counted from 1",
    ),
    error(
        "E412",
        "never-happens",
        "the {kind} `{name}` can never come about: no run satisfies its condition",
        "ask for what an agent can do with the tools given",
    ),
    warning(
        "W406",
        "idle-fact",
        "nothing in this task needs the fact `{name}`",
        "ask for it with `learned {name}`, or drop it",
    ),
    warning(
        "W407",
        "idle-event",
        "the event `{name}` is silent and changes what neither a rule nor a tool reads",
        "drop it, or offer a tool that shows what it changes",
    ),
    warning(
        "W408",
        "work-overwritten",
        "the event `{name}` {does}, by which `{label}` judges what the agent did",
        "what an agent did before the event is lost: judge it `after {name}`, or let the event change something else",
    ),
)
