"""Which curated runs a student keeps: how its model sees their tokens, and the gates that follow from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from attrs import evolve

from cwktrain.curation.gates import Candidate, Curated, Gate
from cwktrain.rendering import Rendered, RenderingError, render, template_messages
from cwktrain.selection import BINS, mean_surprisal, rank_surprisal_ratio, select
from cwktrain.students import StudentUnavailable, load_reader, load_tokenizer

_LEAST_OF_A_BIN = 10
"""Runs of one length that are chosen among: of fewer, the share that is kept would be rounded up too far."""


class Seen(NamedTuple):
    """Of each assistant token its rank among all tokens, from 1 for the likeliest, and its log-probability, in nats."""

    ranks: list[int]
    log_probabilities: list[float]


MEASURES: Mapping[str, Callable[[Seen], float]] = {
    "nll": lambda seen: mean_surprisal(seen.log_probabilities),
    "rsr": lambda seen: rank_surprisal_ratio(seen.ranks, seen.log_probabilities),
}


def keep_preferred(curated: Curated, student: Path, measure: str, keep: float) -> Curated:
    """Leaves the runs that fit into the student's context, and of these the share `keep` with the least `measure`,
    among runs of about the same length in tokens.

    Raises StudentUnavailable, also where its chat template cannot be relied on.
    """
    tokenizer, model = load_tokenizer(student), load_reader(student)
    context = model.config.get_text_config().max_position_embeddings
    read = [(each, _rendered(tokenizer, each, student)) for each in curated.kept]
    short = [(each, text) for each, text in read if len(text.ids) <= context]
    bins = max(1, min(BINS, len(short) // _LEAST_OF_A_BIN))
    values = [MEASURES[measure](see(model, text)) for _, text in short]
    places = select(values, [len(text.ids) for _, text in short], keep, bins)
    chosen = [short[place][0] for place in places]
    gates = (
        Gate("longer than the context", len(read), len(read) - len(short)),
        Gate(f"not chosen by {measure}", len(short), len(short) - len(chosen)),
    )
    return evolve(curated, kept=tuple(chosen), gates=(*curated.gates, *gates))


def see(model: Any, text: Rendered) -> Seen:
    """What the model expects in the place of each assistant token."""
    import torch

    places = [place for place, bit in enumerate(text.mask) if bit and place > 0]
    ids = torch.tensor([text.ids], device=model.device)
    with torch.inference_mode():
        before = torch.tensor([place - 1 for place in places], device=model.device)
        scores = model(input_ids=ids, logits_to_keep=before, use_cache=False).logits[0].float()
    wanted = scores.gather(1, ids[0, places].unsqueeze(1))
    ranks = 1 + (scores > wanted).sum(1)
    return Seen(ranks.tolist(), (wanted.squeeze(1) - scores.logsumexp(1)).tolist())


def _rendered(tokenizer: Any, candidate: Candidate, student: Path) -> Rendered:
    run = candidate.run
    try:
        return render(tokenizer, template_messages(candidate.messages), run.tools)
    except RenderingError as error:
        where = f"the run of `{run.task.id}` with seed {run.seed}"
        raise StudentUnavailable(f"`{student}` cannot read {where}: {error}") from error
