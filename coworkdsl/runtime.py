"""Everything that emitted code calls: `from coworkdsl import runtime as rt`.

A service module defines one function per tool, `tool(w, parameter, …)`, that returns one of the results below, and
`TOOLS = {"get_ticket": rt.Tool(get_ticket, parameters=(rt.Parameter(…), …)), …}`. A grader module defines the tuples
`CHECKS`, `REQUIREMENTS`, `FORBIDS` and, when the task has its own formula, `reward(completion, safety, robustness)`;
with judges, `JUDGES` and `DELIVERABLES`, a dict from the name of what is to be delivered to a reader of its text.

Values are `str int Fraction bool date datetime timedelta None`, tuples for lists and dicts for rows of a table; a
reference is the record's id. Every operation is total: what cannot be computed is null, and only `DivisionByZero` and
`OutOfRange` (both `Undefined`) and `Fail` are raised.

Reading a world (`w`, `run.start`, `run.final`, the view that a predicate gets):

    w.now                                   the clock
    w.rows(store)                           (id, Record) pairs, in order; `record["field"]` reads a field
    w.get(store, id)                        the Record of that id in that store, or None
    w.find(record, id)                      the Record of that id in any store of that record type, or None
    w.field(record, id, name)               a field, null when the reference is null or its record is gone

Writing (in a tool):

    w.insert(store, id or None, fields)     the id; None mints one; Fail("already_exists") when the id is in use
    w.update(record, id, fields)            nothing happens when the reference is null or its record is gone
    w.delete(record, id)                    likewise

Constants:      Fraction(n, d)  parse_date("2026-03-14")  parse_duration("PT48H")
                parse_datetime("2026-03-14T09:00:00Z")
Fields:         given({field: value, …})    without those whose value is null: `set t { priority }`
References:     lookup(w, store, id)        `STORE[ID]`: the id when the store holds it, else null
Columns:        column(row, name)           of a row or a json object; null where it is missing
Truth:          truthy(x)                   True only for true: null counts as false
Comparison:     eq(a, b)  ne(a, b)  lt(a, b)  le(a, b)  gt(a, b)  ge(a, b)  member(x, xs)
                eq_ignoring_case(a, b)  ne_ignoring_case(a, b)  member_ignoring_case(x, xs)
Arithmetic:     add(a, b)  sub(a, b)  mul(a, b)  div(a, b)  neg(a)
Text tests:     contains(subject, needle)  matches(subject, pattern)  states(subject, number, tolerance)
                mentions_any(subject, words)  mentions_all(subject, words)  lists(subject, items)
Contracts:      Contract(format, columns, rows, key)    what a file or an answer is to say
                delivers(text, contract)  delivered_share(text, contract)  delivery(text, contract)   what is wrong
Texts:          interpolate(part, …)        joins parts, each as a reader writes it; null is empty
Lists:          elements(xs)                to iterate over: null is empty
                only(xs)                    its one member; null when there are none or several
                first(xs, n)                at most n of them; none when n is null or negative
                ordered(xs, key, descending=False)   a tuple, sorted stably by key(x), nulls last in both directions
                share(conditions)           Fraction of them that hold; 0 of none
Functions:      count(xs)  sum(xs)  min(xs)  max(xs)  min(a, b, …)  max(a, b, …)  abs(x)  round(x, n=0)  len(x)
                lower(t)  lines(t)  csv(t, {column: type, …})  json(t)  date(dt)  weekday(d)  business_days(d, n)
Failing:        raise Fail(code, message)

Results (a tool returns one of them):

    record(w, "helpdesk.Ticket", id)              {"ticket_id": id, every field}; {"result": null} for null
    view(w, "helpdesk.Ticket", fields, id)        {"ticket_id": id, these fields}
    records(w, "helpdesk.Ticket", ids)            {"items": [records], "total": n}
    views(w, "helpdesk.Ticket", fields, ids)      {"items": [views], "total": n}
    scalar(value)                                 {"result": value}
    items(values)                                 {"items": [values], "total": n}
    done()                                        {"status": "ok"}

Declaring tools:

    Parameter(name, type, required, default)      type: a type descriptor; default: a value, None when there is none
    Tool(function, parameters=(Parameter, …))

The user and the events (`when` and `asked` take the run so far; `act` takes the world and returns what the user says):

    Fact(name, text, asked or None, place)
    ScriptedEvent(name, act, place, when=, turn=, at=, silent=, ends=)
    w.place(store, id, fields)                    adds the record, or sets all fields of the one that is there

Grading (each test takes the finished `run`):

    Check(label, weight, test, evidence, place)           test(run): bool, or a share from 0 to 1
    Requirement(label, test, mode, amount, evidence, place)   mode "cap" or "times"
    Forbid(label, test, safety, evidence, place)          test(run): whether it is violated
    Rubric(label, weight, text, place)                    in JUDGES: what a judge is asked; weight is the most it adds
    evidence(run) -> ((label, value), …);  place: "task.cwk:12"
    run.start  run.final  run.calls  run.said  run.answer  run.writes
    run.called(tool, predicate=None)  run.tried(tool, predicate=None)   indices; predicate(arguments, w just before)
    precedes(firsts, seconds)                     `A before B` on such indices
    run.learned(fact)                             whether the user told it
    run.after(event, value)                       the value; Undefined until the event has happened
    run.when(test)                                calls after which the state passes test(w); -1 is the start
    run.frame(allowed)                            the agent's writes outside: ("record", record, id),
                                                  ("field", record, id, field), ("store", store), ("new", store),
                                                  ("column", store, field)
"""

from fractions import Fraction

from coworkdsl.contracts import Contract, delivered_share, delivers, delivery
from coworkdsl.judging import Rubric
from coworkdsl.operations import (
    DivisionByZero,
    OutOfRange,
    Undefined,
    add,
    business_days,
    column,
    div,
    elements,
    eq,
    eq_ignoring_case,
    first,
    ge,
    gt,
    interpolate,
    le,
    lt,
    member,
    member_ignoring_case,
    mul,
    ne,
    ne_ignoring_case,
    neg,
    only,
    ordered,
    share,
    sub,
    truthy,
    weekday,
)
from coworkdsl.operations import absolute as abs
from coworkdsl.operations import date_of as date
from coworkdsl.operations import greatest as max
from coworkdsl.operations import least as min
from coworkdsl.operations import length as count
from coworkdsl.operations import length as len
from coworkdsl.operations import lower_case as lower
from coworkdsl.operations import rounded as round
from coworkdsl.operations import total as sum
from coworkdsl.run import precedes
from coworkdsl.score import Check, Forbid, Requirement
from coworkdsl.script import Fact, ScriptedEvent
from coworkdsl.tables import read_csv as csv
from coworkdsl.tables import read_json as json
from coworkdsl.tables import text_lines as lines
from coworkdsl.text import contains, lists, matches, mentions_all, mentions_any, states
from coworkdsl.tools import (
    Fail,
    Parameter,
    Tool,
    done,
    given,
    items,
    lookup,
    record,
    records,
    scalar,
    view,
    views,
)
from coworkdsl.values import parse_date, parse_datetime, parse_duration

__all__ = [
    "Check",
    "Contract",
    "DivisionByZero",
    "Fact",
    "Fail",
    "Forbid",
    "Fraction",
    "OutOfRange",
    "Parameter",
    "Requirement",
    "Rubric",
    "ScriptedEvent",
    "Tool",
    "Undefined",
    "abs",
    "add",
    "business_days",
    "column",
    "contains",
    "count",
    "csv",
    "date",
    "delivered_share",
    "delivers",
    "delivery",
    "div",
    "done",
    "elements",
    "eq",
    "eq_ignoring_case",
    "first",
    "ge",
    "given",
    "gt",
    "interpolate",
    "items",
    "json",
    "le",
    "len",
    "lines",
    "lists",
    "lookup",
    "lower",
    "lt",
    "matches",
    "max",
    "member",
    "member_ignoring_case",
    "mentions_all",
    "mentions_any",
    "min",
    "mul",
    "ne",
    "ne_ignoring_case",
    "neg",
    "only",
    "ordered",
    "parse_date",
    "parse_datetime",
    "parse_duration",
    "precedes",
    "record",
    "records",
    "round",
    "scalar",
    "share",
    "states",
    "sub",
    "sum",
    "truthy",
    "view",
    "views",
    "weekday",
]
