"""Slots: quotas are met, gaps are closed, thinnest first, and chance depends on the seed alone."""

from __future__ import annotations

from statistics import mean

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cwkc.planning import Requirements, RequirementsError, Tally, plan_slots, plan_text, read_requirements
from cwkc.planning.quotas import apportion, rounded
from cwkc.planning.words import ENTRIES, SEVERAL, Words, fitting, known_words

ALL = read_requirements()
SLOTS = st.integers(1, 40)
SEEDS = st.integers(0, 1000)
STEP = 20
"""Shares in these tests are so many parts of 1."""


def existing() -> st.SearchStrategy[Tally]:
    """Tasks that are there already."""
    one = {name: st.sampled_from(known_words()[name]).map(lambda word: (word,)) for name in ("scenario", "category")}
    several = st.lists(st.sampled_from(known_words()["capability"]), max_size=3).map(tuple)
    task = st.fixed_dictionaries({**one, "capability": several})
    return st.lists(task, max_size=30).map(Tally.of)


@st.composite
def mixes(draw: st.DrawFn, dimension: str) -> dict[str, int]:
    """Words with parts that sum to STEP."""
    words = draw(st.lists(st.sampled_from(known_words()[dimension]), min_size=1, max_size=4, unique=True))
    cuts = sorted(draw(st.lists(st.integers(0, STEP), min_size=len(words) - 1, max_size=len(words) - 1)))
    return {word: end - start for word, start, end in zip(words, (0, *cuts), (*cuts, STEP), strict=True)}


def parts(dimension: str, least: int) -> st.SearchStrategy[dict[str, int]]:
    """Words with parts of their own."""
    return st.dictionaries(st.sampled_from(known_words()[dimension]), st.integers(least, STEP), min_size=1, max_size=3)


def rare_services() -> st.SearchStrategy[dict[str, int]]:
    """Few slots for services that many words need."""
    services = st.lists(st.sampled_from(NEEDED), min_size=2, max_size=3, unique=True)
    return services.flatmap(lambda names: st.fixed_dictionaries(dict.fromkeys(names, st.integers(2, 4))))


NEEDED = ("gmail", "files", "docs", "chat", "web", "helpdesk", "config", "payments")


def toml(tables: dict[str, dict[str, int]]) -> str:
    lines = []
    for dimension, shares in tables.items():
        lines += [f"[{ENTRIES[dimension]}]", *(f"{word} = {share / STEP}" for word, share in shares.items())]
    return "\n".join(lines)


@st.composite
def requirements(draw: st.DrawFn) -> Requirements:
    """Quotas of some dimensions, as a file may say them."""
    quotas = {name: mixes(name) for name in ENTRIES if name not in {*SEVERAL, "language"}}
    quotas |= {name: parts(name, 0) for name in SEVERAL}
    chosen = draw(st.fixed_dictionaries({}, optional=quotas))
    try:
        return read_requirements(toml(chosen))
    except RequirementsError:
        assume(False)
        raise


@given(requirements(), existing(), SLOTS, SEEDS)
def test_quotas_are_met_or_said_to_be_missed(wanted: Requirements, before: Tally, slots: int, seed: int) -> None:
    planned = plan_slots(wanted, before, slots, seed)
    had = Tally.of(planned.slots).words
    assert len(planned.slots) == slots
    for dimension, shares in wanted.shares.items():
        counts = {word: rounded(share, slots) for word, share in shares.items()}
        counts = counts if dimension in SEVERAL else apportion(shares, slots)
        for word in filter(None, counts):
            told = planned.missed.get((dimension, word), (counts[word], counts[word]))
            assert (counts[word], had[dimension, word]) == told
    # Only a service can be missed, and only because the words of more slots cannot do without it.
    for (dimension, word), (count, number) in planned.missed.items():
        assert dimension == "service"
        assert count < number == sum(is_needed(word, slot, wanted) for slot in planned.slots)


def is_needed(service: str, slot: Words, wanted: Requirements) -> bool:
    """Whether some word of the slot needs one of several services, and the slot has no other of them."""
    needs = (fitting().needed(dimension, word) for dimension, words in slot.items() for word in words)
    return any({service} == {*needed} & {*slot["service"]} for needed in needs)


@given(rare_services(), st.integers(40, 80), SEEDS)
def test_quotas_of_services_are_met_where_the_other_words_are_free(
    shares: dict[str, int], slots: int, seed: int
) -> None:
    assert plan_slots(read_requirements(toml({"service": shares})), Tally(), slots, seed).missed == {}


@given(requirements(), existing(), SLOTS, SEEDS)
def test_slots_have_allowed_words_that_fit_their_services(
    wanted: Requirements, before: Tally, slots: int, seed: int
) -> None:
    for slot in plan_slots(wanted, before, slots, seed).slots:
        assert slot["capability"]
        assert all(len(slot[name]) == 1 for name in ENTRIES if name not in {*SEVERAL, "safety"})
        for dimension, words in slot.items():
            assert {*words} <= {*wanted.words[dimension]}
            assert all(fitting().possible(dimension, word, slot["service"]) for word in words)


@given(existing(), SLOTS, st.integers(0, 20), SEEDS)
@settings(max_examples=50)
def test_more_slots_never_cover_fewer_pairs(before: Tally, slots: int, more: int, seed: int) -> None:
    fewer, all_of_them = (plan_slots(ALL, before, number, seed) for number in (slots, slots + more))
    assert cells(before) <= cells(fewer.after) <= cells(all_of_them.after)


def cells(tally: Tally) -> set[tuple[str, str]]:
    """The capabilities and scenarios that some task has together."""
    return {(one[1], other[1]) for one, other in tally.pairs if (one[0], other[0]) == ("capability", "scenario")}


@given(existing(), SLOTS, SEEDS)
def test_no_pair_is_planned_twice_while_there_are_gaps(before: Tally, slots: int, seed: int) -> None:
    planned = plan_slots(ALL, before, slots, seed)
    assert len(cells(planned.after)) - len(cells(before)) == sum(len(slot["capability"]) for slot in planned.slots)


@given(existing(), SEEDS)
@settings(max_examples=25)
def test_a_plan_goes_where_tasks_are_thin(before: Tally, seed: int) -> None:
    for scenario in known_words()["scenario"]:
        before.add({"capability": ("ranking",), "scenario": (scenario,)})
    assert all("ranking" not in slot["capability"] for slot in plan_slots(ALL, before, 40, seed).slots)


def test_the_scenario_with_fewest_capabilities_goes_first() -> None:
    wanted = read_requirements('scenario = ["refund", "outage"]')
    rich = {"scenario": ("refund",), "capability": known_words()["capability"][:8]}
    poor = {"scenario": ("outage",), "capability": ("ranking",)}
    (slot,) = plan_slots(wanted, Tally.of([rich, poor, poor, poor]), 1, 0).slots
    assert slot["scenario"] == ("outage",)


def test_the_thinnest_capability_of_a_scenario_goes_first() -> None:
    wanted = read_requirements('scenario = ["refund"]\ncapabilities = ["ranking", "search"]')
    here = {"scenario": ("refund",), "capability": ("ranking",)}
    elsewhere = {"scenario": ("outage",), "capability": ("search",)}
    (slot,) = plan_slots(wanted, Tally.of([here, elsewhere, elsewhere]), 1, 0).slots
    assert slot["capability"][0] == "search"


@pytest.mark.parametrize("dimension", ["persona", "deliverable", "safety", "language"])
def test_words_make_more_pairs_than_the_same_words_elsewhere(dimension: str) -> None:
    slots = plan_slots(ALL, Tally(), 200, 0).slots
    moved = [{**slot, dimension: other[dimension]} for slot, other in zip(slots, slots[1:] + slots[:1], strict=True)]
    assert len(Tally.of(slots).pairs) > len(Tally.of(moved).pairs)


def test_every_word_is_soon_in_use() -> None:
    used = Tally.of(plan_slots(ALL, Tally(), 120, 0).slots).words
    assert [(name, word) for name, words in known_words().items() for word in words if not used[name, word]] == []


def test_harder_tasks_ask_for_more() -> None:
    slots = plan_slots(ALL, Tally(), 200, 0).slots
    means = [mean(len(slot["capability"]) for slot in slots if slot["difficulty"] == (word,)) for word in LEVELS]
    assert means == sorted(set(means))
    assert all(len(slot["service"]) >= fitting().services[slot["difficulty"][0]] for slot in slots)


LEVELS = known_words()["difficulty"]


@given(requirements(), existing(), SLOTS, SEEDS)
@settings(max_examples=20)
def test_the_same_seed_gives_the_same_bytes(wanted: Requirements, before: Tally, slots: int, seed: int) -> None:
    first, again = (plan_text(plan_slots(wanted, before, slots, seed).slots) for _ in range(2))
    assert first == again


def test_another_seed_gives_another_plan() -> None:
    assert plan_slots(ALL, Tally(), 20, 0).slots != plan_slots(ALL, Tally(), 20, 1).slots
