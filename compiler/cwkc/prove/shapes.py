"""Which tasks are one question to the solver."""

from __future__ import annotations

from hashlib import sha256

from cwkc.meaning import typed
from cwkc.prove.conditions import conditions, encode
from cwkc.prove.pool import Pool
from cwkc.prove.reach import Reach


def shape(task: typed.Task) -> str:
    """A digest of what the solver reads when it is asked for a run that earns everything.

    Ids, texts and values of enums are numbers there, given in the order in which they are met. Two members of a family
    with one digest are one question: its answer, yes or no, is the answer for both.
    """
    return sha256(encode(task, conditions(task), Reach(task), Pool()).text.encode()).hexdigest()
