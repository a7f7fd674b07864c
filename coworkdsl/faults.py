"""Injected faults: which calls of a run they hit, and how robust the run was against them.

Whether a fault hits a call is worked out from the run's seed and the calls before it alone, so that a replay meets the
same faults.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Any

from coworkdsl.run import Call
from coworkdsl.values import shown, stored_reader

STALE = "stale"
"""The call is answered as it would have been in the initial state."""

MESSAGES: Mapping[str, str] = {
    "unavailable": "the service is not available at the moment, and nothing was done; this is temporary",
    "rate_limited": "too many calls at the moment, and nothing was done; this is temporary",
    "timeout": "the service did not answer in time, and nothing was done; this is temporary",
}
"""What the agent reads of each kind of fault that is an error."""

KINDS = (*MESSAGES, STALE)

_DRAWS = 2**64


@dataclass(frozen=True, slots=True)
class Fault:
    """Hits the call of that number of a tool, or each call with a probability (`rate`); the other one is None. `tool`
    is qualified. Calls of a tool are counted from 1, without those that break its schema."""

    tool: str
    kind: str
    call: int | None
    rate: Fraction | None

    @classmethod
    def from_json(cls, document: Any) -> Fault:
        """From an entry of faults.json. Raises ValueError when it is damaged."""
        if not isinstance(document, dict) or not isinstance(document.get("tool"), str):
            raise ValueError(f"a fault must be an object with a `tool`; got {shown(document)}")
        kind, call, rate = document.get("kind"), document.get("call"), document.get("rate")
        if kind not in KINDS:
            raise ValueError(f"`kind` must be one of {', '.join(KINDS)}; got {shown(kind)}")
        if type(call) is int and call >= 1 and rate is None:
            return cls(document["tool"], kind, call, None)
        if isinstance(rate, str) and call is None and 0 < (probability := stored_reader("decimal")(rate)) <= 1:
            return cls(document["tool"], kind, None, probability)
        raise ValueError(f"a fault has a `call` from 1 on, or else a `rate` up to 1; got {shown(document)}")

    def falls_on(self, number: int, seed: int, task: str) -> bool:
        """Whether it is the turn of that call, were there no other faults."""
        if self.rate is None:
            return number == self.call
        drawn = sha256(json.dumps([seed, task, self.tool, self.kind, number]).encode()).digest()
        return int.from_bytes(drawn[:8]) < self.rate * _DRAWS


def due(
    faults: Iterable[Fault], tool: str, arguments: Mapping[str, Any], calls: Sequence[Call], seed: int, task: str
) -> str | None:
    """The kind of the fault that hits the next call, `calls` being those before it; None when none does.

    A rate spares the call that repeats the last one of its tool when a fault hit that, so that every fault can be
    recovered from. The first fault in the task's order counts, those on a call before the rates.
    """
    of_tool = [fault for fault in faults if fault.tool == tool]
    if not of_tool:
        return None
    counted = [call for call in calls if call.tool == tool and call.arguments is not None]
    is_repeat = bool(counted) and counted[-1].fault is not None and counted[-1].arguments == arguments
    for fault in sorted(of_tool, key=lambda fault: fault.call is None):
        if not (is_repeat and fault.call is None) and fault.falls_on(len(counted) + 1, seed, task):
            return fault.kind
    return None


def robustness(calls: Sequence[Call]) -> Fraction:
    """Of the faults that hit a call, the share after which the same call was accepted; 1 when there was none."""
    hit = [place for place, call in enumerate(calls) if call.fault is not None]
    recovered = sum(any(_accepts(later, calls[place]) for later in calls[place + 1 :]) for place in hit)
    return Fraction(recovered, len(hit)) if hit else Fraction(1)


def _accepts(later: Call, call: Call) -> bool:
    return later.accepted and later.tool == call.tool and later.arguments == call.arguments
