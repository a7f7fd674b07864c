"""Vocabularies: what `pick` takes, and the words of the planning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwkc.meaning.vocabularies import Picks, StandardWords

from .support import check, codes, library, task, the_task

WORDS = StandardWords(library({}))
NAMES = sorted(name for name in WORDS.values if not name.endswith(("_de", "_fr")))


def picked(count: int, *, name: str = "t", language: str = "en", text: str = "pick person") -> list[str]:
    rows = "".join(f'@P-{n} {{ name: {text}, email: "p{n}@desk.test" }}\n' for n in range(count))
    source = task("", 'check 1 "speaks" answer contains "x"', rows=f"data desk.people {{ {rows} }}")
    source = source.replace("task t {", f"task {name} {{ language: {language}")
    program, diagnostics = check(source)
    assert diagnostics == ()
    return [row.fields["name"] for row in the_task(program).rows]


def test_picks_of_one_task_differ_and_are_the_same_each_time() -> None:
    names = picked(20)
    assert len(set(names)) == 20
    assert picked(20) == names
    assert set(names) <= {value.value for value in WORDS.values["person"].values}


def test_another_task_picks_otherwise() -> None:
    assert picked(5) != picked(5, name="u")


def test_a_further_record_leaves_the_picks_before_it_alone() -> None:
    assert picked(6)[:5] == picked(5)


def test_a_language_has_words_of_its_own() -> None:
    german = {value.value for value in WORDS.values["person_de"].values}
    assert set(picked(5, language="de")) <= german


def test_a_pick_takes_nothing_that_the_author_wrote() -> None:
    vocabulary = 'vocabulary pair { "Ana", "Bo" }\n'
    rows = (
        'data desk.people { @P-1 { name: "Ana", email: "a@desk.test" } @P-2 { name: pick pair, email: "b@desk.test" } }'
    )
    source = task("", 'check 1 "speaks" answer contains "x"', rows=rows) + vocabulary
    program, diagnostics = check(source)
    assert diagnostics == ()
    assert [row.fields["name"] for row in the_task(program).rows] == ["Ana", "Bo"]


def test_a_vocabulary_of_another_file_is_known() -> None:
    source = 'cwk 1\nuse "shared.cwk"\nuse crm\n' + (
        'task t { now: 2026-03-14T09:00:00Z request "Do." tools crm '
        "data crm.customers { @C-1 { name: pick only_one } } "
        'check 1 "says" answer contains "x" }'
    )
    program, diagnostics = check(source, shared='cwk 1\nvocabulary only_one { "Pelham" }')
    assert diagnostics == ()
    assert the_task(program).rows[0].fields["name"] == "Pelham"


def test_what_is_picked_from_is_a_source() -> None:
    rows = 'data desk.people { @P-1 { name: pick person, email: "a@desk.test" } }'
    program, _ = check(task("", 'check 1 "speaks" answer contains "x"', rows=rows))
    assert "stdlib/vocabularies/values.cwk" in the_task(program).sources


@pytest.mark.parametrize("name", NAMES)
def test_a_standard_vocabulary_is_large_and_without_repetition(name: str) -> None:
    values = [value.value.casefold() for value in WORDS.values[name].values]
    assert len(values) >= 40
    assert len(set(values)) == len(values)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("category: workflow", []),
        ("category: wrokflow", ["W452"]),
        ('category: wrokflow allow W452 "a word of ours"', []),
        ("scenario: refnud", ["W452"]),
        ("difficulty: hard capabilities: [arithmetic, arithmatic]", ["W452"]),
    ],
)
def test_words_of_the_planning(line: str, expected: list[str]) -> None:
    assert codes(task("", f'{line} check 1 "closes" @T-1.status == closed')) == expected


def test_a_file_adds_words_of_its_own() -> None:
    assert (
        codes(task("", 'capabilities: [juggling] check 1 "c" @T-1.status == closed') + "enum Capability { juggling }")
        == []
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('vocabulary twice { "a", "A" }', ["E262"]),
        ('vocabulary v { "a" } vocabulary v { "b" }', ["E262"]),
    ],
)
def test_mistakes_in_a_vocabulary(text: str, expected: list[str]) -> None:
    assert codes(f"cwk 1\n{text}") == expected


@given(st.lists(st.text(max_size=8), min_size=1, max_size=60, unique=True))
def test_values_repeat_only_when_there_are_no_others(places: list[str]) -> None:
    picks = Picks("t", "en", {}, WORDS)
    vocabulary = WORDS.values["city"]
    taken = [picks.take(vocabulary, place).value for place in places]
    assert len(set(taken)) == min(len(places), len(vocabulary.values))
