"""Service modules: what they say, and what their tools do."""

from __future__ import annotations

from typing import Any

import pytest

from coworkdsl import Environment, Pack
from cwkc.emit import emit_pack, emit_services

from ..generators import checked

SERVICE = """cwk 1

service shop "A shop that \\"sells\\" things" {
  enum Kind { new, used }
  record Customer { name: text }
  record Order { buyer: Customer? buyer_name: text count: int = 1 price: decimal = 0 kind: Kind = new from: text? }
  store customers: Customer key customer_id ids "C-"
  store orders: Order key order_id ids "O-"
  store folders: Order key path

  tool buy "Buys." (buyer: Customer, count: int = 1, from: text?) -> Order {
    fail none "nothing is bought" when count < 1
    let order = insert orders { buyer: buyer, buyer_name: buyer.name, count: count, from: from }
    return order
  }
  tool change (order: Order, count: int?, kind: Kind?, price: decimal?) -> Order {
    set order { buyer_name: "changed", count, kind, price }
    return order
  }
  tool sort_out (order: Order, id: int) -> text {
    if order.count > id { return "more" } else {
      if order.count == id { return "same" } else { delete order }
    }
    return $"gone: {order.count}"
  }
  tool file_away (path: text) { insert folders at path { buyer_name: "nobody" } }
  tool close " " () {
    fail closed "we are closed, and this sentence is so long that it does not fit into a single line of code at all"
  }
  tool dear (least: decimal) -> [Order.{count, price}] {
    return all x in orders by x.price desc where x.price >= least and x.count > 0
  }
  tool named (name: text) -> Customer? { return only c in customers where c.name == name }
  tool total () -> decimal { return sum(x.price * x.count for x in orders) / count(orders) }
  tool names () -> [text] { return lines("a\\nb") }
  tool forget (customer: Customer) { delete customer }
}

task shopping "Shop" {
  now: 2026-03-14T09:00:00Z
  request "Buy."
  tools shop
  data shop.customers { @C-1 { name: "Ana" } }
  data shop.orders { @O-1 { buyer_name: "Ana", price: 2.5, count: 3 } @O-2 { buyer_name: "Bo", price: 9 } }
  check 1 "buys" called shop.buy
}
"""


@pytest.fixture(scope="module")
def pack() -> Pack:
    tasks, diagnostics = checked(SERVICE)
    assert [each.message for each in diagnostics] == []
    return Pack.from_files(emit_pack(tasks, {}))


@pytest.fixture
def shop(pack: Pack) -> Environment:
    return pack.env("shopping")


@pytest.fixture(scope="module")
def module() -> str:
    return emit_services(checked(SERVICE)[0])["services/shop.py"]


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        (
            "buy",
            {"buyer": "C-1", "from": "here"},
            {
                "order_id": "O-3",
                "buyer": "C-1",
                "buyer_name": "Ana",
                "count": 1,
                "price": 0,
                "kind": "new",
                "from": "here",
            },
        ),
        ("buy", {"buyer": "C-1", "count": 0}, {"error": {"code": "none", "message": "nothing is bought"}}),
        (
            "change",
            {"order": "O-1", "kind": "used", "count": None},
            {
                "order_id": "O-1",
                "buyer": None,
                "buyer_name": "changed",
                "count": 3,
                "price": 2.5,
                "kind": "used",
                "from": None,
            },
        ),
        ("sort_out", {"order": "O-1", "id": 1}, {"result": "more"}),
        ("sort_out", {"order": "O-1", "id": 3}, {"result": "same"}),
        ("sort_out", {"order": "O-1", "id": 4}, {"result": "gone: "}),
        ("file_away", {"path": "a/b"}, {"status": "ok"}),
        ("dear", {"least": 3}, {"items": [{"order_id": "O-2", "count": 1, "price": 9}], "total": 1}),
        ("named", {"name": "Ana"}, {"customer_id": "C-1", "name": "Ana"}),
        ("named", {"name": "Bo"}, {"result": None}),
        ("total", {}, {"result": 8.25}),
        ("names", {}, {"items": ["a", "b"], "total": 2}),
    ],
)
def test_a_tool_does_what_its_body_says(shop: Environment, tool: str, arguments: Any, expected: Any) -> None:
    assert shop.call(f"shop_{tool}", arguments) == expected
    assert shop.defects == []


def test_a_tool_can_do_nothing_but_fail(shop: Environment) -> None:
    assert shop.call("shop_close")["error"]["code"] == "closed"


def test_a_division_by_zero_is_an_error_that_the_agent_sees(shop: Environment) -> None:
    for order in ("O-1", "O-2"):
        shop.call("shop_sort_out", {"order": order, "id": 9})
    assert shop.call("shop_total")["error"]["code"] == "division_by_zero"


def test_a_field_that_a_tool_may_leave_empty_is_read_with_care(module: str) -> None:
    """`price` is always there, `buyer_name` is the name of a customer that may be gone."""
    assert 'x["price"] >= least and x["count"] > 0' in module
    assert '"buyer_name": w.field("shop.Customer", buyer, "name")' in module


def test_words_of_python_are_no_obstacle(module: str) -> None:
    assert "def buy(w, buyer, count, from_):" in module
    assert '"from": from_' in module
    assert "def sort_out(w, order, id_):" in module


def test_a_module_tells_where_it_comes_from(module: str) -> None:
    assert module.startswith('"""The service `shop`: A shop that "sells" things.\n')
    assert "desk.cwk sha256:" in module
    assert "# desk.cwk:11\ndef buy(" in module


def test_branches_read_as_branches(module: str) -> None:
    assert (
        '    elif w.field("shop.Order", order, "count") == id_:\n        return rt.scalar("same")\n    else:\n'
        in module
    )
