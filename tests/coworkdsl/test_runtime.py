"""What emitted code may call."""

import re

from coworkdsl import runtime


def test_every_name_is_documented() -> None:
    assert set(runtime.__all__) <= set(re.findall(r"\w+", runtime.__doc__ or ""))
    assert all(hasattr(runtime, name) for name in runtime.__all__)


def test_operations_bear_the_names_of_the_language() -> None:
    rt = runtime
    assert (rt.sum((1, 2)), rt.min((1, 2)), rt.max(1, 2), rt.abs(-1), rt.round(1, 0), rt.len("ab")) == (
        3,
        1,
        2,
        1,
        1,
        2,
    )
    assert rt.csv("a\n1", {"a": "int"}) == ({"a": 1},)
    assert rt.json('{"a": 1}') == {"a": 1}
