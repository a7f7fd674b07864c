"""Diagnostics of proofs."""

from cwkc.diagnostics.model import Entry, error, warning

ENTRIES: tuple[Entry, ...] = (
    error(
        "E401",
        "contradiction",
        "no run of `{task}` can earn everything: {clash}",
    ),
    error(
        "E402",
        "no-run-in-sight",
        "it could not be proved that a run of `{task}` can earn everything: none of at most {calls} calls does",
        "simplify the conditions that speak of records made during the run, or split them",
    ),
    error(
        "E403",
        "falls-short",
        "it could not be proved that a run of `{task}` can earn everything: the nearest one misses {missed}",
        "see whether a tool refuses a call that this needs, or whether two conditions exclude each other",
    ),
    error(
        "E404",
        "undecided",
        "whether a run of `{task}` can earn everything was not decided within {budget} steps of the solver",
        "make the conditions simpler: fewer counts and sums over records that tools can make, no products of arguments",
    ),
    error(
        "E405",
        "weight-not-positive",
        "the weight of `{label}` is {weight}, and every check must add something",
        "give it a weight above 0, or remove it",
    ),
    error(
        "E406",
        "weights-do-not-sum",
        "the weights of `{task}` sum to {total}, not to 1",
        "{mend}",
    ),
    error(
        "E407",
        "true-at-the-start",
        "`{label}` is earned by an agent that does nothing",
        "ask for something that only the agent's work brings about; what is to stay as it is belongs in a `forbid`",
    ),
    warning(
        "W401",
        "idle-condition",
        "`{condition}` excludes no record by itself: `{name}` would be the same without it",
        "add a record that misses only this condition, or leave the condition out",
    ),
    error(
        "E430",
        "partly-true-at-the-start",
        "an agent that does nothing earns {share} % of `{label}`",
        "let the list hold only what is not so yet; this counts already, without a doing: {seen}",
    ),
    error(
        "E431",
        "services-of-one-name",
        "one pack cannot hold two services called `{service}`",
        "rename one of them, or build the two files into packs of their own",
    ),
    error(
        "E439",
        "emitted-code-fails",
        "{error}",
        "this is a mistake of the compiler, not yours: please report it together with the file",
    ),
)
