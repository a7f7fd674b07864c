"""Programs at random: expressions of the language as text, over one small world, and runs of its tools.

They are written as an author writes them and typed by the checker, so that every test of a room's meaning of an
expression (the evaluator's, the emitted code's, the solver's) can draw from the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve, frozen
from hypothesis import strategies as st

from cwkc.diagnostics import Diagnostic
from cwkc.meaning import typed
from cwkc.meaning.check import check_program
from cwkc.meaning.program import Library
from cwkc.resources import standard_service, standard_services, standard_words
from cwkc.source import Source
from cwkc.syntax.parser import parse

SERVICE = """cwk 1

service desk "A desk" {{
  enum Level {{ low, mid, high }}

  record Team {{
    name: text
    lead: email?
    budget: decimal = 0
  }}

  record Item {{
    title: text
    note: text?
    size: int = 0
    price: decimal?
    ready: bool = false
    day: date
    at: datetime
    span: duration?
    owner: email
    home: Team
    team: Team?
    level: Level = low
    tags: [text] = []
  }}

  store teams:   Team key team_id ids "TM-"
  store items:   Item key item_id ids "IT-"
  store archive: Item key item_id ids "AR-"

  tool get (item: Item) -> Item {{ return item }}
  tool add (title: text, day: date, home: Team, note: text?, size: int = 1, tags: [text] = []) -> Item {{
    let made = insert items {{
      title: title, note: note, size: size, tags: tags, day: day, at: now, owner: "me@work.test", home: home
    }}
    return made
  }}
  tool change (item: Item, title: text?, ready: bool?, team: Team?, level: Level?, price: decimal?) -> Item {{
    fail locked "it is locked" when item.level == high and item.ready
    set item {{ title, ready, team, level, price }}
    return item
  }}
  tool rename (item: Item) -> Item {{ set item {{ title: item.home.name }} return item }}
  tool drop (item: Item) {{ delete item }}
  tool disband (team: Team) {{ delete team }}
{tools}
}}
"""

ROWS = """
  data desk.teams {
    @TM-1 { name: "Blue Team", lead: "Ana@work.test", budget: 12.50 }
    @TM-2 { name: "Red", budget: 3 }
  }
  data desk.items {
    @IT-1 { title: "Pump A, 12 bar", size: 3, price: 9.99, day: 2026-03-02, at: 2026-03-01T22:30:00-05:00,
            owner: "ana@work.test", home: @TM-1, team: @TM-2, level: high, tags: ["blue", "old"], span: 36h }
    @IT-2 { title: "Valve", note: "see Pump A", size: -2, day: 2026-03-14, at: 2026-03-12T08:00:00Z,
            owner: "bo@work.test", home: @TM-1, ready: true, tags: ["blue"] }
    @IT-3 { title: "Pipe  of 1,240.50 EUR", price: 1240.5, day: 2026-02-28, at: 2026-03-10T10:00:00Z,
            owner: "ANA@work.test", home: @TM-2, team: @TM-1, level: mid }
  }
  data desk.archive {
    @AR-1 { title: "Old valve", size: 3, day: 2025-12-31, at: 2025-12-31T23:59:59Z, owner: "cy@work.test", home: @TM-2 }
  }
"""

TASK = """
task desk_work "Work at the desk" {{
  now: 2026-03-14T09:00:00Z
  request "Tidy the desk."
  tools desk
{rows}
  let pump  = @IT-1
  let blue  = all i in desk.items where "blue" in i.tags
  let names = ["Pump", "Valve"]
  let limit_of = 3
  let data  = "{{\\"a\\": 3, \\"b\\": [1, \\"Valve\\", null, true, [2.5]], \\"c\\": true, \\"d\\": {{\\"e\\": -1.5}}}}"
{grading}
}}
"""

LIBRARY = Library(parse, standard_service, standard_services(), standard_words, lambda name: None)


def program(grading: str = 'check 1 "tidies" answer contains "done"', tools: str = "") -> str:
    """The small world with these statements of grading, and further tools in its service."""
    return SERVICE.format(tools=tools) + TASK.format(rows=ROWS, grading=grading)


def checked(text: str) -> tuple[tuple[typed.Task, ...], tuple[Diagnostic, ...]]:
    """The tasks of a text, and what the checker says of it."""
    found, diagnostics = check_program([Source("desk.cwk", text)], LIBRARY)
    return found.tasks, diagnostics


def task_of(text: str) -> typed.Task:
    """The one task of a text without errors."""
    tasks, diagnostics = checked(text)
    assert not [each for each in diagnostics if each.is_error], [each.message for each in diagnostics]
    (task,) = tasks
    return task


# ---------------------------------------------------------------------------- expressions


@frozen
class Place:
    """Where an expression stands: how deep it may still go, the variables by kind, and what it may ask."""

    depth: int
    variables: tuple[tuple[str, str], ...] = ()
    facts: bool = False
    truths: bool = False

    def inner(self) -> Place:
        return evolve(self, depth=self.depth - 1)

    def having(self, kind: str, name: str) -> Place:
        return evolve(self.inner(), variables=(*self.variables, (kind, name)))

    def of(self, kind: str) -> list[str]:
        return [name for each, name in self.variables if each == kind]


GRADING = Place(3, facts=True, truths=True)
PARAMETERS = {
    "item": "Item",
    "team": "Team?",
    "text": "text?",
    "int": "int",
    "decimal": "decimal?",
    "date": "date",
    "datetime": "datetime?",
    "duration": "duration",
    "texts": "[text]",
    "items": "[Item]",
}
"""What a tool takes whose body is a drawn expression: a parameter `a_KIND` for each kind."""
TOOL = Place(3, tuple((kind, f"a_{kind}") for kind in PARAMETERS))

Draw = Callable[[Any], Any]
_LEAVES = {
    "text": ('"pump"', '"Pump A"', '""', '"blue team"', '"12"', '"IT-1"'),
    "int": ("0", "2", "7", "(-3)"),
    "decimal": ("0.5", "12.50", "(-1.25)"),
    "date": ("2026-03-14", "2026-02-28", "2024-02-29"),
    "datetime": ("now", "2026-03-12T08:00:00Z", "2026-03-01T22:30:00-05:00"),
    "duration": ("36h", "3d", "90s"),
    "level": ("low", "high"),
    "texts": ('["blue", "old"]', '["Valve", "pump"]'),
    "items": ("{store}",),
    "item": ("{stored}",),
    "team": ("{team}",),
}
_FIELDS = {
    "text": ("item.title", "item.note", "team.name", "item.id"),
    "int": ("item.size",),
    "decimal": ("item.price", "team.budget"),
    "date": ("item.day",),
    "datetime": ("item.at",),
    "duration": ("item.span",),
    "email": ("item.owner", "team.lead"),
    "level": ("item.level",),
    "team": ("item.home", "item.team"),
    "texts": ("item.tags",),
}
_TRUTHS = {"item": ("pump", "@IT-2"), "items": ("blue",), "texts": ("names",), "int": ("limit_of",)}
_RULES: dict[str, tuple[str, ...]] = {
    "text": ("lower({text})", "({text} + {text})", "weekday({date})"),
    "int": (
        "({int} + {int})",
        "({int} - {int})",
        "({int} * {int})",
        "abs({int})",
        "(-{item}.size)",
        "len({text})",
        "count({items})",
        "count({texts})",
        "sum({bound}.size for {bound} in {items} where {condition})",
    ),
    "decimal": (
        "({int} / {int})",
        "({decimal} + {int})",
        "({decimal} * {decimal})",
        "round({decimal}, 1)",
        "min({decimal}, {decimal})",
        "max([{decimal}, {decimal}])",
        "sum({bound}.price for {bound} in {items})",
        "({duration} / {duration})",
    ),
    "date": ("date({datetime})", "({date} + {duration})", "({date} - {duration})", "business_days({date}, {int})"),
    "datetime": ("({datetime} + {duration})", "({datetime} - {duration})"),
    "duration": (
        "({datetime} - {datetime})",
        "({date} - {date})",
        "({duration} * {int})",
        "({int} * {duration})",
        "({duration} / {int})",
        "({duration} - {duration})",
    ),
    "texts": ("lines({text})", "({texts} + {texts})", "({texts} - {texts})"),
    "items": (
        "(all {bound} in {items} where {condition})",
        "(all {bound} in {items} by {bound}.{key} desc where {condition})",
        "(first {number} of all {bound} in {items} by {bound}.{key})",
    ),
    "item": ("(only {bound} in {items} where {condition})",),
    "condition": (
        "({int} {order} {int})",
        "({decimal} {order} {decimal})",
        "({text} {order} {text})",
        "({date} {order} {date})",
        "({datetime} {order} {datetime})",
        "({duration} {order} {duration})",
        "({email} {equal} {email})",
        '({email} == "ana@work.test")',
        "({level_field} {equal} {level})",
        "({item} {equal} {item})",
        "({team} {equal} {team})",
        "({item} in {items})",
        "({text} in {texts})",
        "({text} is null)",
        "({item} is null)",
        "({decimal} is null)",
        "({bool} {equal} true)",
        "({text} contains {text})",
        "({text} mentions any of {texts})",
        "({text} mentions all of {texts})",
        "({text} states {decimal} within {number})",
        '({text} matches "p.mp|^v")',
        "({text} lists {text}, {text} in order)",
        "(not {condition})",
        "({condition} and {condition})",
        "({condition} or {condition})",
        "(some {bound} in {items} where {condition})",
        "(no {bound} in {items} where {condition})",
        "(every {bound} in {items}: {condition})",
        "(every {bound} in {items} where {condition}: {condition})",
        "(some {bound} in {texts} where {text} contains {bound})",
    ),
    "fact": (
        "called desk.{tool}",
        "tried desk.{tool}",
        "called desk.change(item: {item})",
        "called desk.change(level: high)",
        "called desk.add(title: contains {text}, size: >= {int})",
        "tried desk.change(item: {item})",
        "(called desk.change where arg.item.level == mid and {condition})",
        "(tried desk.add where {condition})",
        "(called desk.get before called desk.change(item: {item}))",
        "(count(called desk.change) >= {number})",
        "(answer contains {text})",
        "(said mentions any of {texts})",
        "start({condition})",
    ),
    "json": (
        "(json(data).{key_of} {order} {int})",
        "(json(data).{key_of} {equal} {text})",
        "(json(data).{key_of} {equal} {bool})",
        "json(data).{key_of}",
        "(json(data).{key_of} is null)",
        "({text} in json(data).b)",
        "(json(data).b == {texts})",
        "((json(data).{key_of} + {int}) {order} {decimal})",
        "({text} contains json(data).{key_of})",
        "(some {bound} in json(data).b where {bound} {order} {int})",
        "(count(json(data).b) {order} {int})",
        "(sum({bound} for {bound} in json(data).b) {order} {number})",
    ),
}
_STORED = ('desk.items["IT-2"]', 'desk.items["IT-9"]', 'desk.archive["AR-1"]')
_WORDS = {
    "order": ("<", "<=", ">", ">=", "==", "!="),
    "equal": ("==", "!="),
    "number": ("0", "1", "2"),
    "key": ("at", "price", "title", "level"),
    "key_of": ("a", "b", "c", "d.e", "f"),
    "tool": ("get", "add", "change", "drop"),
    "store": ("desk.items", "desk.archive"),
}


@st.composite
def conditions(draw: Draw, place: Place) -> str:
    """A condition as an author would write it, with every operation in brackets."""
    return _at_home(_drawn(draw, "condition", place), place)


@st.composite
def values(draw: Draw, kind: str, place: Place) -> str:
    """An expression of a kind: `text int decimal date datetime duration texts items item team condition`."""
    return _at_home(_drawn(draw, kind, place), place)


def _at_home(expression: str, place: Place) -> str:
    """In a service its own stores go by their bare names."""
    return expression if place.truths else expression.replace("desk.", "")


def _drawn(draw: Draw, kind: str, place: Place) -> str:
    template = draw(st.sampled_from(_choices(kind, place)))
    return _filled(draw, template, place)


def _choices(kind: str, place: Place) -> list[str]:
    known = place.of(kind) + list(_TRUTHS.get(kind, ()) if place.truths else ())
    if kind == "condition":
        deep = _RULES["condition"] + (_RULES["fact"] if place.facts else ()) + (_RULES["json"] if place.truths else ())
        return list(deep) if place.depth > 0 else ["({bool} == true)", "({text} is null)", "({int} > {number})"]
    leaves = known * 2 + list(_LEAVES.get(kind, ()))
    leaves += [field.replace("item.", "{item}.").replace("team.", "{team}.") for field in _FIELDS.get(kind, ())]
    return leaves + (list(_RULES.get(kind, ())) if place.depth > 0 else [])


def _filled(draw: Draw, template: str, place: Place) -> str:
    """A template with every part in braces drawn in its turn. A rule binds at most one variable, and a question about
    the run asks no other within it."""
    if template in _RULES["fact"]:
        place = evolve(place, facts=False)
    name = f"v{len(place.variables)}"
    binds = "{bound}" in template
    over = "text" if binds and "{bound} in {texts}" in template else "item"
    inner = place.having(over, name) if binds else place.inner()
    written: list[str] = []
    for index, piece in enumerate(template.replace("}", "{").split("{")):
        written.append(_part(draw, piece, name, place.inner(), inner) if index % 2 else piece)
    return "".join(written)


def _part(draw: Draw, part: str, bound: str, outer: Place, inner: Place) -> str:
    if part == "bound":
        return bound
    if part in _WORDS:
        return str(draw(st.sampled_from(_WORDS[part])))
    if part in ("items", "texts"):
        return _drawn(draw, part, outer)
    if part == "bool":
        return f"{_reference(draw, 'item', inner)}.ready"
    if part == "level_field":
        return f"{_reference(draw, 'item', inner)}.level"
    if part == "stored":
        return str(draw(st.sampled_from(_STORED)))
    if part in ("item", "team"):
        return _reference(draw, part, inner)
    return _drawn(draw, part, inner)


def _reference(draw: Draw, kind: str, place: Place) -> str:
    """A record: a variable, if there is one, more often than not."""
    known = place.of(kind) + list(_TRUTHS.get(kind, ()) if place.truths else ())
    if kind == "team" and not known:
        return f"{_reference(draw, 'item', place)}.{draw(st.sampled_from(('home', 'team')))}"
    if known and draw(st.integers(0, 3)):
        return str(draw(st.sampled_from(known)))
    return _drawn(draw, kind, evolve(place, depth=max(place.depth, 0)))
