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
        "give it more with `--budget {more}`, or make the conditions simpler: fewer counts and sums over new records",
    ),
    error(
        "E405",
        "weight-not-positive",
        "the weight of `{label}` is {weight}, and every part of a score must add something",
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
    error(
        "E408",
        "gate-cannot-open",
        "no run can violate `{label}`: with the tools of this task it guards nothing",
        "offer the tool that it is about, or drop it",
    ),
    error(
        "E409",
        "reward-out-of-range",
        "the reward {value} with {outcomes}, and every reward lies between 0 and 1",
        "let the factors of completion, safety and robustness sum to at most 1",
    ),
    error(
        "E410",
        "unreachable-value",
        "`{label}` needs {what}, and nothing that an agent can learn gives it away",
        "offer a tool that shows it, or state it in the request and say so with `given`",
    ),
    error(
        "E411",
        "answer-in-the-open",
        "`{value}` stands in {where}, and it is {source} that `{reader}` reads",
        "leave it out there, or, if the agent is meant to be told, add `given {given}`",
    ),
    warning(
        "W401",
        "idle-condition",
        "`{condition}` excludes no record by itself: `{name}` would be the same without it",
        "add a record that misses only this condition, or leave the condition out",
    ),
    warning(
        "W402",
        "implied-check",
        "`{label}` is implied by the others: whoever earns those earns it too",
        "give its weight to the others, or ask for more",
    ),
    warning(
        "W403",
        "idle-truth",
        "nothing reads the truth `{name}`",
        "grade something by it, or remove it",
    ),
    warning(
        "W270",
        "idle-contract",
        "nothing asks whether `{name}` is delivered",
        "write `delivered {name}` in a check, or remove the contract",
    ),
    warning(
        "W285",
        "weighty-judge",
        "{weight} of the score rests on the opinion of `{label}`, more than on all that is checked",
        "check more of it, and leave at most half of the score to a judge",
    ),
    warning(
        "W286",
        "idle-asset-fact",
        "nothing reads `{name}`, a fact of `{asset}`",
        "grade something by it, or remove it",
    ),
    warning(
        "W404",
        "fixed-requirement",
        "no run can change whether `{label}` is met: no offered tool writes what it reads",
        "offer the tools that it is about, let it speak of calls or of the answer, or remove it",
    ),
    warning(
        "W405",
        "idle-given",
        "`given {value}` states what no truth reads and no rule compares with",
        "state the value as the truths and rules have it, or remove it",
    ),
    warning(
        "W280",
        "idle-fault",
        "no run with a full score calls `{tool}`, so a fault there can cost nobody anything",
        "inject it into a tool that the task needs, or remove it",
    ),
    warning(
        "W442",
        "rule-without-effect",
        "`{label}` costs nothing: {how}",
        "let it cost something, or remove it",
    ),
    warning(
        "W443",
        "attempt-is-enough",
        "`{label}` is met by a call of `{tool}` that is refused: `tried` asks for no more",
        "write `called` in place of `tried`",
    ),
    warning(
        "W444",
        "gate-not-proved",
        "it could not be proved that a run can violate `{label}`: the {budget} steps of the solver are spent",
        "give it more with `--budget {more}`, or make the condition simpler",
    ),
    warning(
        "W445",
        "independence-not-proved",
        "it could not be proved that the others do not imply `{label}`: the {budget} steps of the solver are spent",
        "give it more with `--budget {more}`, or make the conditions simpler",
    ),
    error(
        "E430",
        "partly-true-at-the-start",
        "an agent that does nothing earns {share} % of `{label}`",
        "let the list, or what is to be delivered, hold only that of which it is not so yet",
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
