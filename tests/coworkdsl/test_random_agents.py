"""What holds whatever an agent does, over calls drawn at random; and that a runtime which breaks it is found out."""

from typing import Any

import pytest

from benchmarks.random_agents import play_all
from coworkdsl import Pack
from coworkdsl.tools import Signature
from coworkdsl.world import World

CALLS = 400


def test_the_laws_hold(desk: Pack) -> None:
    counts = play_all([desk], CALLS, seed=1)
    assert counts.made == CALLS
    assert {"accepted", "invalid_arguments", "not_found", "unknown_tool", "closed", "out_of_range"} <= {*counts.answers}
    assert {*counts.accepted} == counts.offered


def test_the_laws_hold_with_a_user_and_events(dialogue: Pack) -> None:
    assert play_all([dialogue], CALLS, seed=2).made == CALLS


def forgets_the_log(self: World, record: str, id: Any) -> None:
    located = self.locate(record, id)
    if located:
        del self._own(located[0])[id]


def keeps_what_failed(self: World) -> None:
    self.commit()


def reads_nothing(self: Signature, arguments: Any) -> list[Any]:
    return []


@pytest.mark.parametrize(
    ("owner", "name", "broken", "failure"),
    [
        (World, "delete", forgets_the_log, AssertionError),
        (World, "rollback", keeps_what_failed, AssertionError),
        (Signature, "read", reads_nothing, ValueError),
    ],
)
def test_a_broken_runtime_is_found_out(
    owner: type, name: str, broken: Any, failure: type[Exception], desk: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, broken)
    with pytest.raises(failure):
        play_all([desk], CALLS, seed=1)
