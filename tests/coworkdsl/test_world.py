"""The state of a run."""

import copy
import pickle
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coworkdsl.layout import Layout
from coworkdsl.world import Base, Fail, Record, View, World

LAYOUT = Layout.from_json(
    {
        "records": {
            "s.A": {
                "fields": {"n": {"type": "int", "default": 7}, "t": {"type": {"optional": "text"}}},
                "stores": ["s.x", "s.y"],
            },
            "s.B": {"fields": {}, "stores": ["s.z"]},
        },
        "stores": {
            "s.x": {"record": "s.A", "key": "id", "prefix": "a"},
            "s.y": {"record": "s.A", "key": "id", "prefix": "a"},
            "s.z": {"record": "s.B", "key": "id", "prefix": None},
        },
    }
)
BASE = Base(LAYOUT, {"s.x": {"a1": {"n": 1, "t": None}, "k": {"n": 2, "t": "x"}}}, datetime(2026, 3, 14, tzinfo=UTC))

ids = st.sampled_from(["a1", "a2", "a3", "k", "gone"])
writes = st.one_of(
    st.tuples(st.just("insert"), st.sampled_from(["s.x", "s.y"]), st.none() | ids, st.just({"n": 3})),
    st.tuples(st.just("update"), st.just("s.A"), ids, st.dictionaries(st.just("n"), st.integers(0, 9))),
    st.tuples(st.just("delete"), st.just("s.A"), ids),
)
calls = st.lists(st.tuples(st.lists(writes, max_size=4), st.booleans()), max_size=6)


def contents(w: View) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    return {store: [(id, dict(record)) for id, record in w.rows(store)] for store in w.layout.stores}


def do(w: World, write: tuple[Any, ...]) -> None:
    getattr(w, write[0])(*write[1:])


def run(w: World, made: list[tuple[list[tuple[Any, ...]], bool]]) -> list[Any]:
    """Makes the calls, those that are not kept rolled back; the contents before each call, and at the end."""
    states = []
    for index, (body, kept) in enumerate(made):
        states.append(contents(w))
        w.begin(index)
        try:
            for write in body:
                do(w, write)
        except Fail:
            kept = False
        if kept:
            w.commit()
        else:
            w.rollback()
    return [*states, contents(w)]


@given(calls)
def test_the_state_before_each_call_can_be_read(made: list[Any]) -> None:
    w = World(BASE)
    states = run(w, made)
    assert [contents(w.before(index)) for index in range(len(states))] == states


@given(calls, st.lists(writes))
def test_rolling_back_leaves_no_trace(made: list[Any], body: list[tuple[Any, ...]]) -> None:
    w, twin = World(BASE), World(BASE)
    run(w, made)
    run(w, [(body, False)])
    run(twin, made)
    assert contents(w) == contents(twin)
    assert w.log == twin.log
    assert w.insert("s.x", None, {}) == twin.insert("s.x", None, {})


@given(calls)
def test_the_log_tells_the_state(made: list[Any]) -> None:
    w = World(BASE)
    run(w, made)
    told = {store: dict(rows) for store, rows in contents(BASE.view()).items()}
    for write in w.log:
        if write.after is None:
            del told[write.store][write.id]
        else:
            told[write.store][write.id] = dict(write.after)
    assert {store: list(rows.items()) for store, rows in told.items()} == contents(w)


@given(calls)
def test_worlds_share_no_state(made: list[Any]) -> None:
    before = contents(BASE.view())
    run(World(BASE), made)
    assert contents(BASE.view()) == before == contents(World(BASE))


def test_minted_ids_are_never_used_twice() -> None:
    w = World(BASE)
    assert w.insert("s.x", None, {}) == "a2"
    w.delete("s.A", "a2")
    w.insert("s.x", "a4", {})
    assert [w.insert("s.y", None, {}) for _ in range(2)] == ["a3", "a5"]


def test_an_insert_fills_in_defaults_and_a_set_keeps_the_rest() -> None:
    w = World(BASE)
    id = w.insert("s.y", "b", {"t": "x"})
    w.update("s.A", id, {"t": "y"})
    assert w.find("s.A", "b") == {"n": 7, "t": "y"}
    assert list(w.find("s.A", "b") or ()) == ["n", "t"]
    assert [(write.kind, write.fields) for write in w.log] == [("insert", ("t",)), ("set", ("t",))]


@pytest.mark.parametrize(("store", "id", "code"), [("s.y", "k", "already_exists"), ("s.z", None, "id_required")])
def test_inserts_that_fail(store: str, id: str | None, code: str) -> None:
    with pytest.raises(Fail) as caught:
        World(BASE).insert(store, id, {})
    assert caught.value.code == code


@pytest.mark.parametrize("id", [None, "gone", {"not": "an id"}])
def test_what_is_not_there(id: Any) -> None:
    w = World(BASE)
    w.update("s.A", id, {"n": 1})
    w.delete("s.A", id)
    assert w.log == []
    assert w.find("s.A", id) is w.get("s.x", id) is w.field("s.A", id, "n") is None


def test_a_record_is_never_changed() -> None:
    record = Record({"n": 1})
    with pytest.raises(TypeError, match="never changed"):
        record["n"] = 2
    with pytest.raises(TypeError, match="never changed"):
        record.update(n=2)
    assert record == copy.deepcopy(record) == pickle.loads(pickle.dumps(record)) == {"n": 1}
