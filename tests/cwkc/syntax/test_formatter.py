"""The formatter: what it does to a file, and the laws that it proves each time."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from textwrap import indent

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cwkc.source import Source
from cwkc.syntax import formatter
from cwkc.syntax.comments import Words, leaves
from cwkc.syntax.formatter import format_text
from cwkc.syntax.parser import concrete

from .support import FILES, derived, diagnosed, read

GAPS = [" ", "  ", "\t", "\n", "\r\n", "\n\n\n    ", " # beside\n", "\n# above\n", "\n\n  # apart\n\n", "# a\n # b\n"]


def formatted(text: str) -> str:
    result, found = format_text(Source("file.cwk", text))
    assert not found, (found, text)
    assert result is not None
    return result


def task(body: str) -> str:
    return f"cwk 1\n\ntask t {{\n{body}}}\n"


# ---------------------------------------------------------------------------- laws


@st.composite
def spread(draw: st.DrawFn) -> str:
    """A file that the grammar derives, with comments and empty lines between any of its words."""
    random = draw(st.randoms(use_true_random=False))
    words = ["cwk", "1"]
    for _ in range(random.randint(1, 4)):
        item = derived(random, random.randint(16, 30), "item")
        if not read("cwk 1 " + " ".join(item))[1]:
            words += item
    calm = random.choice([0.5, 0.9, 0.97])
    return "".join(word + (" " if random.random() < calm else random.choice(GAPS)) for word in words)


@st.composite
def mutilated(draw: st.DrawFn) -> str:
    """A file of the repository with other white space and with comments between its words."""
    random = Random(draw(st.integers(0)))
    text = random.choice(FILES).read_text(encoding="utf-8")
    rate, is_joined = random.choice([0.01, 0.1, 0.5]), random.random() < 0.2
    parts: list[str] = []
    end = 0
    for word in leaves(concrete(Source("file.cwk", text))):
        gap = text[end : word.start_pos]
        end = (word.start_pos or 0) + len(word)
        if random.random() < rate:
            gap = random.choice([*GAPS, " " if gap and "#" not in gap else gap]) if gap.isspace() else gap
        parts += [" " if is_joined and gap.isspace() else gap, word]
    return "".join(parts) + text[end:]


def assert_lawful(text: str) -> None:
    """The result says the same, has the same comments, and is not changed by formatting it."""
    module, codes = read(text)
    assume(not codes)
    result = formatted(text)
    assert read(result) == (module, [])
    assert comments(result) == comments(text)
    assert formatted(result) == result


def comments(text: str) -> list[str]:
    """What is left of a file when its words are taken out of it."""
    words = concrete(Source("file.cwk", text))
    left, end = "", 0
    for word in leaves(words):
        left, end = left + text[end : word.start_pos], (word.start_pos or 0) + len(word)
    return [line.strip() for line in (left + text[end:]).replace("#", "\n#").splitlines() if line.strip()]


@settings(max_examples=150)
@given(spread())
def test_the_laws_hold_for_what_the_grammar_derives(text: str) -> None:
    assert_lawful(text)


@settings(max_examples=60)
@given(mutilated())
def test_the_laws_hold_for_mutilated_files(text: str) -> None:
    assert_lawful(text)


@settings(max_examples=60)
@given(st.randoms(use_true_random=False))
def test_what_cannot_be_read_is_refused_with_what_is_wrong(random: Random) -> None:
    text = random.choice(FILES).read_text(encoding="utf-8")
    start = random.randrange(len(text))
    broken = text[:start] + random.choice(["", "}", '"', "=", ";"]) + text[start + random.randint(0, 40) :]
    found = diagnosed(broken)
    assume(found)
    result, shown = format_text(Source("file.cwk", broken))
    assert result is None
    assert [each.message for each in shown] == [each.message for each in found]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_files_of_the_repository_are_as_they_are_to_be(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert formatted(text) == text


@pytest.mark.parametrize(
    ("defect", "law"),
    [
        (lambda text, words: text.replace("turns", "calls"), "would not say the same"),
        (lambda text, words: text.replace("# why", "#"), "the same comments in the same order"),
        (lambda text, words: text + words.text, "would not say the same"),
        (lambda text, words: text + "\n" * words.text.count("\n"), "changed by formatting it again"),
    ],
)
def test_a_result_that_breaks_a_law_is_not_given(
    defect: Callable[[str, Words], str], law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = formatter.printed
    monkeypatch.setattr(formatter, "printed", lambda whole, words: defect(sound(whole, words), words))
    result, (found,) = format_text(Source("file.cwk", task("  limit 20 turns  # why\n")))
    assert result is None
    assert found.code == "E008"
    assert law in found.message


# ---------------------------------------------------------------------------- style


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("limit   20 turns ,  5   calls", "limit 20 turns, 5 calls"),
        ("let a = b [ 1 ] . c ( - d , not e )", "let a = b[1].c(-d, not e)"),
        ('request $"a {b}"  \n\n\n\n  given [ 1 ,2, ]', 'request $"a {b}"\n\ngiven [1, 2]'),
        ("now: 1\ncategory: ops", "now:      1\ncategory: ops"),
        ("let a = 1\nlet bcd = 2", "let a   = 1\nlet bcd = 2"),
        ("let a  = 1\nlet bb = 2\nlet c   = 3\nlet ddd = 4", "let a  = 1\nlet bb = 2\nlet c   = 3\nlet ddd = 4"),
        ('check 1 "a" x\n\nforbid "bcd" y', 'check 1 "a"   x\n\nforbid "bcd"  y'),
        ('check 1 "a"\nx', 'check 1 "a"\n  x'),
        ("data a { @A { c: 1,   d: 2 } @BC { c: 1 } }", "data a {\n  @A { c: 1, d: 2 }\n  @BC { c: 1 }\n}"),
        ("data a.b { @A { c: 1 } }", "data a.b { @A { c: 1 } }"),
        ("data a {\n@A  { c: 1, d: 2 }\n@BC { c: 1 }\n}", "data a {\n  @A  { c: 1, d: 2 }\n  @BC { c: 1 }\n}"),
        (
            "data a {\n@A { c: 10, d: 2 }\n@B { c: 1,  d: 2 }}",
            "data a {\n  @A { c: 10, d: 2 }\n  @B { c: 1,  d: 2 }\n}",
        ),
        ("given {\n a: 1,\n\n b: 2 }", "given {\n  a: 1,\n\n  b: 2\n}"),
        ("given { a: 1,\n b: 2 }", "given { a: 1, b: 2 }"),
        ("# a\n\n\n# b\ngiven 1 # c\n\n# d\n", "# a\n\n# b\ngiven 1  # c\n\n# d"),
        ("given a # one\n  and b\n", "given a  # one\n        and b"),
        ("given  1      # one\nlimit 2 turns # two\ngiven 3", "given 1        # one\nlimit 2 turns  # two\ngiven 3"),
        ('request """\na\n  b\n\nc\n"""', 'request """\n  a\n    b\n\n  c\n"""'),
    ],
)
def test_statements_of_a_task(before: str, after: str) -> None:
    assert formatted(task(f"{before}\n")) == task(indent(f"{after}\n", "  "))


def test_a_text_beside_its_opening_quotes_stays_as_it_is() -> None:
    text = task('  request """a\nb"""\n')
    assert formatted(text) == text


def test_what_does_not_fit_is_broken_and_filled() -> None:
    condition = " and ".join(f"t.field_{index} == the_maximum_{index}" for index in range(6))
    row = ", ".join(f'field_{index}: "some text {index}"' for index in range(8))
    text = task(f"let a = only t in s.t where {condition}\ndata s.t {{ @A {{ {row} }} }}\n")
    assert formatted(text) == task(
        "  let a = only t in s.t\n"
        "          where t.field_0 == the_maximum_0 and t.field_1 == the_maximum_1 and t.field_2 == the_maximum_2\n"
        "            and t.field_3 == the_maximum_3 and t.field_4 == the_maximum_4 and t.field_5 == the_maximum_5\n"
        "  data s.t {\n"
        '    @A { field_0: "some text 0", field_1: "some text 1", field_2: "some text 2", field_3: "some text 3",\n'
        '         field_4: "some text 4", field_5: "some text 5", field_6: "some text 6", field_7: "some text 7" }\n'
        "  }\n"
    )


def test_breaks_of_the_author_stay_where_the_whole_does_not_fit() -> None:
    conditions = [f"(t.name_{index} is null or t.name_{index} == another.name_{index})" for index in range(3)]
    lines = f"where {conditions[0]}\n            and {conditions[1]}\n            and {conditions[2]}"
    text = task(f"  let a = all t in s.t\n          {lines}\n")
    assert formatted(text) == text


def test_a_service() -> None:
    text = """cwk 1
service s "S" { enum A { b,c } enum Long { d }
record R { a: int, b: text = "" "why",
}
store a: R key id
store long: R key id ids "X-"
tool f(a: int) -> R { return a }
tool g "G" (
a: int,b: int?) { if a == 1 { delete b } else { delete a }  if a == 1 {
 delete b } set a { b } } }
"""
    assert (
        formatted(text)
        == """cwk 1

service s "S" {
  enum A    { b, c }
  enum Long { d }
  record R { a: int, b: text = "" "why" }
  store a:    R key id
  store long: R key id ids "X-"
  tool f(a: int) -> R { return a }
  tool g "G" (
    a: int,
    b: int?
  ) {
    if a == 1 { delete b } else { delete a }
    if a == 1 {
      delete b
    }
    set a { b }
  }
}
"""
    )


def test_a_large_text_is_printed_as_it_is() -> None:
    lines = "".join(f"    line {index}\n" for index in range(20_000))
    text = task(f'  request """\n{lines}  """\n')
    assert formatted(text) == text
