"""From a file to its tree."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cwkc.source import Source
from cwkc.syntax import tree
from cwkc.syntax.parser import parse
from cwkc.syntax.vocabulary import ITEMS

from .support import FILES, children, derive, diagnosed, item, read

KEYWORDS = ["data", "task", "check", "in", "only", "first", "answer", "null", "true", "not", "scheduled", "else", "cwk"]


def nodes(node: tree.Node) -> Iterator[tree.Node]:
    yield node
    for child in children(node):
        yield from nodes(child)


def assert_well_placed(module: tree.Module) -> None:
    """Spans lie in the text, and those of children in their parents'."""
    assert 0 <= module.span.start <= module.span.end <= len(module.span.source.text)
    for parent in nodes(module):
        for child in children(parent):
            assert parent.span.start <= child.span.start <= child.span.end <= parent.span.end, (parent, child)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_is_read(path: Path) -> None:
    module, diagnostics = parse(Source(path.name, path.read_text(encoding="utf-8")))
    assert not diagnostics
    assert module.version == 1
    assert_well_placed(module)


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_spans_of_derived_files(random: Random) -> None:
    assert_well_placed(read(derive(random))[0])


PIECES = [
    "task",
    "t",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    '"',
    '"""',
    "'",
    "#",
    "\n",
    "\\",
    ":",
    "=",
    "-",
    "1",
    "@",
    "$",
    ".",
    "é",
    "\0",
]


@settings(deadline=None)
@given(st.text() | st.lists(st.sampled_from(PIECES)).map(" ".join) | st.lists(st.sampled_from(PIECES)).map("".join))
@example("\ud800")
@example("cwk 1 task t { x: " + "9" * 5000 + " }")
def test_no_text_makes_it_raise(text: str) -> None:
    for source in (text, f"cwk 1\n{text}", f"cwk 1\ntask t {{\n{text}\n}}"):
        module, diagnostics = parse(Source("file.cwk", source))
        assert_well_placed(module)
        assert diagnostics or module.version == 1
        assert all(0 <= each.span.start <= each.span.end <= len(source) for each in diagnostics)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FILES), st.data())
def test_a_file_that_was_cut_in_its_last_item_is_diagnosed(path: Path, data: st.DataObject) -> None:
    text = path.read_text(encoding="utf-8")
    last_item = max(text.rfind(f"\n{word} ") for word in ITEMS)
    cut = data.draw(st.integers(last_item + 2, text.rindex("}")))
    assert read(text[:cut])[1]


def test_a_file_with_windows_line_ends_says_the_same() -> None:
    text = FILES[0].read_text(encoding="utf-8")
    assert read(text.replace("\n", "\r\n"))[0] == read(text)[0]


def test_equal_files_have_equal_trees_wherever_things_stand() -> None:
    assert read("cwk 1\nenum A { b }")[0] == read("cwk 1 # x\n\n\n  enum A {\n b, }")[0]


# ---------------------------------------------------------------------------- names


@pytest.mark.parametrize("word", KEYWORDS)
def test_every_word_is_a_name_after_a_point_and_before_a_colon(word: str) -> None:
    record = item(f"record R {{ {word}: text  b: int = 1 {word}2: int }}")
    assert record.fields[0].name.text == word
    task = item(f"task t {{ data a.b {{ @X {{ {word}: 1 }} }} given a.{word} given called a.b({word}: 1) }}")
    row, member, call = task.items
    assert row.rows[0].fields.entries[0].key.text == word
    assert member.value.name.text == word
    assert call.value.arguments[0].key.text == word


@pytest.mark.parametrize("word", ["new", "open", "call", "limit", "high", "user", "order"])
def test_a_keyword_that_cannot_stand_in_a_place_is_a_name_there(word: str) -> None:
    enumeration = item(f"enum E {{ a, {word} }}")
    assert [value.text for value in enumeration.values] == ["a", word]
    assert item(f"task t {{ given a == {word} }}").items[0].value.right == tree.Name(word, span=enumeration.span)


def test_a_word_before_the_colon_of_a_binder_is_no_name() -> None:
    every = item("task t { given every x in y where no z in x by z.desc desc: a }").items[0].value
    assert every.where.order.descending
    assert item("record R { a: int = b.c desc: text }").fields[1].name.text == "desc"


def test_names_that_begin_with_a_keyword() -> None:
    assert item("task task_one { given truethy }").items[0].value.text == "truethy"


# ---------------------------------------------------------------------------- what statements hold


def test_uses() -> None:
    module, codes = read('cwk 1 use crm as people, gmail use "shared.cwk"')
    assert not codes
    crm, gmail, file = module.uses
    assert isinstance(crm, tree.UseService)
    assert crm.alias is not None
    assert (crm.name.text, crm.alias.text) == ("crm", "people")
    assert isinstance(gmail, tree.UseService)
    assert gmail.alias is None
    assert isinstance(file, tree.UseFile)
    assert file.path.value == "shared.cwk"


def test_a_limit_is_one_node_for_each_amount() -> None:
    limits = item("task t { limit 20 turns, 100 calls }").items
    assert [(limit.amount.value, limit.unit.text) for limit in limits] == [(20, "turns"), (100, "calls")]


def test_truths_with_and_without_a_moment() -> None:
    plain, later = item("task t { let a = b let c after day2 = d }").items
    assert (plain.name.text, plain.after, plain.value.text) == ("a", None, "b")
    assert (later.name.text, later.after.text, later.value.text) == ("c", "day2", "d")


def test_requirements_and_forbids() -> None:
    bare, capped, times, forbid = item(
        'task t { require "a" b require "a" b else cap 0.5 require "a" b else times 2 forbid "a" b else safety 1 }'
    ).items
    assert [(each.mode, each.amount and each.amount.value) for each in (bare, capped, times)] == [
        ("cap", None),
        ("cap", capped.amount.value),
        ("times", 2),
    ]
    assert forbid.safety.value == 1


def test_checks_and_their_shares() -> None:
    check, share = item('task t { check 0.5 "a" b check 0.5 "c" share d / e }').items
    assert (check.share, share.share) == (False, True)


def test_deliveries() -> None:
    file, answer = item(
        'task t { deliver a "a.csv" csv rows r in b key r.id { c: text = "x" "what c is" d: int = 1 }'
        " deliver e answer { f: text = g } }"
    ).items
    assert (file.path.value, file.format.text, file.rows[0].text) == ("a.csv", "csv", "r")
    assert [(field.name.text, field.doc and field.doc.value) for field in file.fields] == [
        ("c", "what c is"),
        ("d", None),
    ]
    assert (answer.path, answer.format.text, answer.rows) == (None, "answer", None)


def test_assets_users_events_and_faults() -> None:
    asset, user, event, fault, rate = item(
        'task t { asset "photo.png" { total: 12.5, currency: "EUR" }'
        ' user { persona "Terse." knows { a: "b" when said contains "c" } knows { d: "e" } patience 3 turns }'
        ' on late at now + 1d silent { say "hello" insert a.b { @X { c: 1 } } set @X { c: 2 } delete @X end }'
        " fault a.b unavailable on call 1 fault a.b slow rate 0.5 }"
    ).items
    assert [fact.name.text for fact in asset.facts] == ["total", "currency"]
    assert ([fact.name.text for fact in user.facts], user.patience.value) == (["a", "d"], 3)
    assert (event.trigger, event.silent, len(event.actions)) == ("at", True, 5)
    assert event.moment.right.value == timedelta(days=1)
    assert [(each.kind.text, each.schedule) for each in (fault, rate)] == [("unavailable", "call"), ("slow", "rate")]


def test_only_changes() -> None:
    path, record, new = item("task t { only changes a.b, @X.c.d, new e.f }").items[0].items
    assert (path.target.text, path.new) == ("a.b", False)
    assert (record.target.id, [name.text for name in record.fields]) == ("X", ["c", "d"])
    assert (new.target.text, new.new) == ("e.f", True)


def test_families() -> None:
    family = item("family f(a: crm.Tier in [b], n: int in 1 to 9) { distract 3 a.b near c }")
    assert [(each.name.text, each.high and each.high.value) for each in family.parameters] == [("a", None), ("n", 9)]
    assert family.items[0].near.text == "c"


def test_tools() -> None:
    tool = item(
        'service s { tool t "Does it." (a: R.{b, c}? "doc", d: [text] = []) -> [R] {'
        " let x = insert s at a { d } if a is null { delete x } else { set x.y { z: 1 } }"
        ' fail f "no" when a return x } }'
    ).tools[0]
    view, default = tool.parameters
    assert isinstance(view.type, tree.OptionalType)
    assert isinstance(view.type.item, tree.ViewType)
    assert (view.doc.value, default.default.items) == ("doc", ())
    assert isinstance(tool.returns, tree.ListType)
    assert [type(statement) for statement in tool.body] == [tree.Let, tree.If, tree.Fail, tree.Return]
    assert isinstance(tool.body[0].value, tree.Insert)
    assert tool.body[0].value.fields.entries[0].value is None


def test_diagnostics_of_the_builder_leave_the_item_in_place() -> None:
    module, codes = read("cwk 1 task t { given 3x given 4 }")
    assert codes == ["E113"]
    assert isinstance(module.items[0], tree.Task)
    assert len(module.items[0].items) == 2


# ---------------------------------------------------------------------------- the first line


@pytest.mark.parametrize(
    ("text", "version", "codes"),
    [
        ("cwk 1", 1, []),
        ("# comment\n\ncwk 1 # first\n", 1, []),
        ("cwk 1 enum E { a }", 1, []),
        ("cwk 2", None, ["E107"]),
        ("cwk 1.0", None, ["E107"]),
        ("", None, ["E106"]),
        ("cwk", None, ["E106"]),
        ("cwk v1\nenum E { a }", None, ["E106"]),
        ("enum E { a }", None, ["E106"]),
        ("Cwk 1\nenum E { a }", None, ["E106"]),
        ('{"task": 1}', None, ["E106"]),
    ],
)
def test_the_version(text: str, version: int | None, codes: list[str]) -> None:
    module, found = read(text)
    assert (module.version, found) == (version, codes)
    assert len(module.items) == text.count("enum")


def test_the_message_says_what_may_stand_there_in_the_language() -> None:
    (found,) = diagnosed("cwk 1 task t { check 0.5 a == b }")
    assert (found.message, found.help) == ("unexpected `a`", "here may stand an operator or a text")
