"""The held-out split: tasks that nothing may be trained on, so that a model can be measured on them."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from cwktrain.tasks import TaskFacts

HELD_OUT = 0.2
"""The share of the families that is held out."""

SPLITS = ("all", "training", "held-out")

_DRAWS = 2**64


class HeldOutTask(Exception):
    """Training was asked to use a task that is held out; the message names its family."""


def is_held_out(family: str, share: float = HELD_OUT) -> bool:
    """Whether a family is held out: by a hash of its name alone, so that its members stay together, and a family stays
    where it is when others come and go. `family` is the task's own name where it belongs to none. A family held out at
    some share is held out at every greater one."""
    return int.from_bytes(sha256(family.encode()).digest()[:8]) < share * _DRAWS


def of_split(tasks: Iterable[TaskFacts], split: str, share: float) -> tuple[TaskFacts, ...]:
    """The tasks of a split: `all`, `training` or `held-out`."""
    wanted = {"all": (False, True), "training": (False,), "held-out": (True,)}[split]
    return tuple(task for task in tasks if is_held_out(task.family, share) in wanted)


def refuse_held_out(tasks: Iterable[TaskFacts], share: float) -> None:
    """Raises HeldOutTask where one of the tasks is held out."""
    for task in tasks:
        refuse_family(task.family, share, f"the task `{task.id}`")


def refuse_family(family: str, share: float, what: str) -> None:
    """Raises HeldOutTask where the family of `what` is held out."""
    if is_held_out(family, share):
        raise HeldOutTask(
            f"{what} belongs to the family `{family}`, which is held out at a share of {share:g}: nothing may be "
            "trained on it"
        )
