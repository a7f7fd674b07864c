"""What the solver says of tasks is true of them."""

from __future__ import annotations

import pytest

from cwkc.prove import Outcome
from cwkc.prove.search import Conflict, Found, Result, Unfound
from cwkc.rehearse.execute import executor
from tests.cwkc.prove.generating import Agent, Author
from tests.cwkc.prove.support import searched, task_of


def verdict(text: str) -> Result:
    task = task_of(text)
    return searched(task, executor(task))


@pytest.mark.parametrize("seed", range(20))
def test_no_run_refutes_a_proof(seed: int) -> None:
    author = Author(seed)
    task = task_of(author.task())
    execute = executor(task)
    result = searched(task, execute)
    if isinstance(result, Found):
        assert execute(result.witness.steps).is_full
        return
    agent = Agent(seed, author.tools)
    assert not any(execute(agent.run()).is_full for _ in range(60))


@pytest.mark.parametrize("seed", range(20))
def test_what_a_run_has_done_is_found_to_be_possible(seed: int) -> None:
    author = Author(seed)
    candidates, run = author.candidates(), Agent(seed, author.tools).run()
    happened = executor(task_of(author.written(['(answer contains "x")'], [], candidates, [])))(run).forbids
    true = [each for each, kept in zip(candidates, happened, strict=True) if not kept]
    false = [each for each, kept in zip(candidates, happened, strict=True) if kept]
    if true:
        assert isinstance(verdict(author.written(true[:3], true[3:5], false[:4], [])), Found)


# ---------------------------------------------------------------------------- particular tasks

SHOP = """cwk 1

service shop "A shop" {
  enum State { open, paid, sent }
  record Order { item: text, state: State = open, price: decimal = 5, buyer: email? }
  record Mail { to: email, body: text }
  store orders: Order key order_id ids "O-"
  store mails: Mail key mail_id ids "M-"

  tool read_mail (mail_id: Mail) -> Mail { return mail_id }
  tool pay (order_id: Order) -> Order {
    fail not_open "it is paid" when order_id.state != open
    set order_id { state: paid }
    return order_id
  }
  tool send (order_id: Order) -> Order {
    fail not_paid "it is not paid" when order_id.state != paid
    set order_id { state: sent }
    return order_id
  }
  tool cancel (order_id: Order) { delete order_id }
  tool place (item: text, price: decimal = 3, buyer: email?) -> Order {
    let order = insert orders { item: item, price: price, buyer: buyer }
    return order
  }
  tool write (to: email, body: text) -> Mail {
    let mail = insert mails { to: to, body: body }
    return mail
  }
}

task t "T" {
  now: 2026-03-14T09:00:00Z
  request "Do it."
  tools shop%s
  data shop.orders {
    @O-7 { item: "lamp" }
    @O-8 { item: "desk", state: sent, buyer: "ann@x.test" }
  }
%s
}
"""


def shop(grading: str, tools: str = "") -> str:
    return SHOP % (tools, grading)


POSSIBLE = {
    "a precondition is brought about": """check 1 "c" @O-7.state == sent""",
    "a call on a record that the run makes": """
        check 1 "c" called shop.read_mail where mail_id.body contains "hello" """,
    "a field of a record that the run makes": """
        check 1 "c" some o in shop.orders where o.item contains "chair" and o.state == sent""",
    "several calls of a kind": """check 1 "c" count(called shop.place(price: >= 4)) >= 3""",
    "exactly so many records": """check 1 "c" count(all o in shop.orders where o.state == open) == 4""",
    "a record is gone": """check 1 "c" no o in shop.orders where o.item == "desk" """,
    "one thing before another": """check 1 "c" called shop.write(body: contains "soon") before called shop.send""",
    "each of several": """
        let them = all o in shop.orders
        check 1 "c" each o in them: some m in shop.mails where m.body contains o.id""",
    "a sum over records": """check 1 "c" sum(o.price for o in shop.orders where o.state != sent) == 12.5""",
    "a share": """
        let them = all o in shop.orders
        check 1 "c" share
          count(all o in them where called shop.pay(order_id: o) or called shop.cancel(order_id: o)) / count(them)""",
    "words, numbers and an order": """
        check 1 "c" answer lists "lamp", "desk" in order and answer states 12 within 0
                    and not (answer contains "chair")""",
    "a refused call": """
        check 1 "c" tried shop.pay(order_id: @O-8)
        forbid "f" called shop.pay""",
    "an email in another case": """check 1 "c" some m in shop.mails where m.to == "ANN@x.test" """,
    "what was said before": """
        check 1 "c" said mentions any of ["lamp"] and answer contains "bye" and not (answer contains "lamp")""",
}

IMPOSSIBLE = {
    "no tool can do it": (1, """check 1 "c" @O-7.state == sent""", ".{pay, write}"),
    "a state that can never be": (1, """check 1 "c" called shop.send(order_id: @O-7)""", ".{send, write}"),
    "no room for it": (
        3,
        """
        check 1 "c" @O-7.state == sent and called shop.write
        limit 2 calls""",
        "",
    ),
    "two final values": (
        2,
        """
        check 0.5 "a" @O-7.state == paid
        check 0.5 "b" @O-7.state == sent""",
        "",
    ),
    "a forbidden write": (
        2,
        """
        check 1 "c" @O-7.state == paid
        only changes new shop.mails""",
        "",
    ),
    "needed and forbidden": (
        2,
        """
        check 1 "c" called shop.write(to: "ann@x.test")
        forbid "f" called shop.write where to != "bo@x.test" """,
        "",
    ),
    "an order against itself": (
        2,
        """
        check 1 "c" called shop.pay before called shop.write
        forbid "f" called shop.pay""",
        "",
    ),
    "a text against itself": (
        2,
        """
        check 1 "c" answer contains "red door"
        forbid "f" answer contains "RED" """,
        "",
    ),
    "too many and too few": (
        2,
        """
        check 1 "c" count(called shop.write) >= 2
        forbid "f" count(called shop.write) > 1""",
        "",
    ),
    "gone and there": (
        2,
        """
        check 0.5 "a" called shop.cancel(order_id: @O-7)
        check 0.5 "b" @O-7.item == "lamp" """,
        "",
    ),
    "nobody may be left out": (
        2,
        """
        check 1 "c" called shop.write(to: "ann@x.test")
        forbid "f" some m in shop.mails where m.to != "bo@x.test" """,
        "",
    ),
}


@pytest.mark.parametrize("name", POSSIBLE)
def test_possible(name: str) -> None:
    task = task_of(shop(POSSIBLE[name]))
    execute = executor(task)
    result = searched(task, execute)
    assert isinstance(result, Found)
    outcome: Outcome = execute(result.witness.steps)
    assert outcome.is_full
    assert outcome.completion == outcome.safety == 1


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible(name: str) -> None:
    size, grading, tools = IMPOSSIBLE[name]
    result = verdict(shop(grading, tools))
    assert isinstance(result, Conflict)
    assert result.is_proof
    assert len(result.core) == size
    assert set(result.spared) == set(result.core)


def test_what_cannot_be_proved_is_not_called_false() -> None:
    text = shop('check 1 "c" answer matches "^lamp$" and answer mentions any of ["desk"]')
    result = verdict(text)
    assert isinstance(result, Unfound)
    assert result.nearest is not None


def test_a_conflict_beyond_what_the_pool_shows_is_no_proof() -> None:
    result = verdict(shop('check 1 "c" count(called shop.write) >= 500'))
    assert isinstance(result, Conflict)
    assert not result.is_proof


NOTES = """cwk 1

use files

task notes "Write a note" {
  now: 2026-03-14T09:00:00Z
  request "Write it down."
  tools files
  deliver note "note.txt" text { city: text = "Oslo" total: int = 25 }
  deliver data "data.json" json { city: text = "Oslo" total: int = 25 }
  deliver said answer rows f in names key f.name { size: int = f.size }
  let names = csv("name,size\\nA,1\\nB,2", {name: text, size: int})
CHECKS
}
"""


def notes(*conditions: str) -> Result:
    checks = (f'check 1 "check {number}" {each}' for number, each in enumerate(conditions))
    return verdict(NOTES.replace("CHECKS", "\n".join(checks)))


@pytest.mark.parametrize(
    "conditions",
    [
        ("delivered note",),
        ("delivered data", "delivered said"),
        ('delivered said and answer contains "thank you"',),
        ("delivered note", 'some f in files.files where f.id == "note.txt" and f.text mentions any of ["regards"]'),
        ("delivered data", 'called files.write_file(path: "data.json") before called files.read_file'),
    ],
)
def test_what_is_promised_can_be_delivered(conditions: tuple[str, ...]) -> None:
    assert isinstance(notes(*conditions), Found)


def test_what_cannot_be_delivered_is_not_called_a_contradiction() -> None:
    beside = 'some f in files.files where f.id == "data.json" and f.text contains "regards"'
    assert isinstance(notes("delivered data", beside), Unfound)
    assert isinstance(notes("delivered data", "not delivered data"), Conflict)


SPOTS = """cwk 1
service paint {
  record Spot { place: text }
  store spots: Spot key spot_id ids "SP-"
  tool scrub (spot_id: Spot) { delete spot_id }
  tool drop (place: text) { insert spots { place: place } }
}
task clean {
  now: 2026-03-02T09:00:00Z
  request "Clean."
  tools paint
  data paint.spots { @SP-1 { place: "door" } @SP-2 { place: "wall" } }
  check 1 "c" CONDITION
}
"""


@pytest.mark.parametrize(
    "condition",
    [
        '(only s in paint.spots where s.place == "door") is null',
        '(only s in paint.spots where s.place == "wall") is null and count(paint.spots) >= 3',
        '(only s in paint.spots where s.place == "roof").place == "roof"',
    ],
)
def test_a_description_may_come_to_fit_none_or_several_or_one(condition: str) -> None:
    assert isinstance(verdict(SPOTS.replace("CONDITION", condition)), Found)
