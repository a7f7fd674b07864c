"""Curation: what falls at which gate, and rows that say what the conversation said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment

from cwktrain.curation.conversations import length, normalised_prefix, recovers, shortened, training_messages
from cwktrain.curation.dataset import FUNNEL, ROWS, DatasetError, card, funnel_lines, row_of, write_dataset
from cwktrain.curation.gates import Curated, curate
from cwktrain.curation.options import THRESHOLDS, Options, read_threshold
from cwktrain.episodes import Episode, Setup, run_episode
from cwktrain.runs import RunRecord

from .records import call, conversation, facts, result, run, runs_of

ALL = Options(held_out=0.0)
ERROR = '{"error": {"code": "not_found", "message": "no such ticket"}}'


def fell(curated: Curated) -> dict[str, int]:
    """How many runs fell at each gate where any did."""
    return {gate.name: gate.fell for gate in curated.gates if gate.fell}


def curated(runs: list[RunRecord], options: Options = ALL, **supersedes: str) -> Curated:
    found = curate(runs, supersedes, options)
    assert len(runs) - sum(gate.fell for gate in found.gates) == len(found.kept)
    assert [gate.came for gate in found.gates[1:]] == [gate.came - gate.fell for gate in found.gates[:-1]]
    return found


# ---------------------------------------------------------------------------- gates


def test_a_failed_run_counts_neither_as_good_nor_as_bad() -> None:
    unscored = run("a", 0.0, 3, status="unscored", score={"completion": None, "reward": None})
    found = curated([*runs_of("a", [1.0, None, 0.5]), unscored])
    assert fell(found) == {"invalid": 1, "unscored": 1}
    assert found.classes == {"a": "KEEP"}
    assert curated([*runs_of("a", [1.0, None])]).classes == {"a": "TRIVIAL"}
    assert curated([*runs_of("a", [None])]).classes == {}


def test_tasks_are_sorted_by_their_mean_completion() -> None:
    runs = [*runs_of("never", [0.0, 0.0]), *runs_of("always", [1.0, 1.0]), *runs_of("sometimes", [1.0, 0.0, 0.6])]
    found = curated(runs)
    assert found.classes == {"never": "UNSOLVABLE", "always": "TRIVIAL", "sometimes": "KEEP"}
    assert fell(found) == {"task unsolvable": 2, "below the threshold": 1, "task trivial": 1}
    strict = curated(runs, evolve(ALL, unsolvable=0.6, trivial=0.9))
    assert strict.classes == {"never": "UNSOLVABLE", "always": "TRIVIAL", "sometimes": "UNSOLVABLE"}


def test_one_run_stands_for_trivial_tasks_of_one_mould() -> None:
    def asked(task: str, request: str) -> RunRecord:
        return run(task, messages=conversation(request))

    runs = [
        asked("one", "Close TK-301, from 3 May.  Tell ana@ourco.test."),
        asked("two", "close TK-77, from 12 May. Tell bo@ourco.test!"),
        asked("three", "Open TK-301, from 3 May. Tell ana@ourco.test."),
    ]
    found = curated(runs)
    assert [each.run.task.id for each in found.kept] == ["one", "three"]


def test_thresholds_are_by_pool() -> None:
    assert [read_threshold(name) for name in THRESHOLDS] == [0.5, 0.80, 0.80, 0.999, 0.3]
    assert read_threshold("0.25") == 0.25
    for wrong in ("hard", "1.5", "-1", "nan", ""):
        with pytest.raises(ValueError, match="no threshold"):
            read_threshold(wrong)
    safe = facts("b", category="safety")
    runs = [*runs_of("a", [0.5, 0.49]), *(run(safe, reward, seed) for seed, reward in enumerate((0.8, 0.5)))]
    found = curated(runs, evolve(ALL, by_category={"safety": THRESHOLDS["safety"]}))
    assert [(each.run.task.id, each.run.reward) for each in found.kept] == [("a", 0.5), ("b", 0.8)]


def test_a_trial_counts_once_and_a_replacement_replaces() -> None:
    older, newer = runs_of("a", [0.6, 0.7]), runs_of("a", [0.8], collection="newer")
    other = runs_of("b", [0.9, 0.4])
    repeated = curated([*older, *newer, *other])
    assert fell(repeated) == {"same task and trial": 1, "below the threshold": 1}
    assert [each.run.reward for each in repeated.kept] == [0.7, 0.8, 0.9]
    replaced = curated([*older, *newer, *other], newer="default")
    assert fell(replaced) == {"superseded": 2, "below the threshold": 1}
    assert [each.run.reward for each in replaced.kept] == [0.8, 0.9]
    by_others = curated([*older, *runs_of("a", [0.9], agent="another")])
    assert len(by_others.kept) == 3


def test_what_is_held_out_is_left_out() -> None:
    runs = [run(facts(f"task_{number}", family=f"family_{number % 10}"), 0.9, number) for number in range(100)]
    found = curated(runs, evolve(ALL, held_out=0.3, trivial=2.0))
    kept = {each.run.task.family for each in found.kept}
    assert 0 < len(kept) < 10
    assert len(found.kept) == 10 * len(kept)


@pytest.mark.parametrize(
    ("messages", "gate"),
    [
        (conversation(calls=1), "too few messages"),
        (conversation(calls=21), "too many calls"),
        (conversation("x" * 40_001), "too long"),
        ([{"role": "user", "content": "Hello?"}], "no exchange"),
        ([*conversation()[:-1], call(9, arguments='{"id": '), result(9)], "unreadable call"),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_conversations_of_the_wrong_shape_fall(messages: Any, gate: str) -> None:
    good = run("a", 0.9, 1)
    assert fell(curated([good, run("a", 0.9, 2, messages=messages)])) == {gate: 1}


def test_a_conversation_about_a_picture_is_no_text() -> None:
    assert fell(curated([run("a", 0.9, attachments=["receipt.png"])])) == {"shown files": 1}


def test_long_observations_are_shortened_before_lengths_are_taken() -> None:
    messages = [
        *conversation()[:-1],
        call(9),
        result(9, json.dumps("x" * 50_000)),
        {"role": "assistant", "content": "."},
    ]
    (kept,) = curated([run("a", 0.9, messages=messages)]).kept
    assert len(kept.messages[-2]["content"]) == 1_000
    assert kept.messages[-2]["content"].endswith(" … [50002 characters, shortened]")
    assert length(kept.messages) < 1_500


@given(st.text(max_size=80), st.integers(1, 60))
def test_what_is_shortened_is_short(text: str, most: int) -> None:
    short = shortened(text, most)
    assert short == text if len(text) <= most else len(short) <= max(most, 40)


def test_the_best_run_stands_for_a_dialogue() -> None:
    dialogue = facts("talk", dialogue=True)
    runs = [run(dialogue, reward, seed) for seed, reward in enumerate((0.6, 0.9, 0.9, 0.7))]
    (kept,) = curated(runs).kept
    assert (kept.run.reward, kept.run.seed) == (0.9, 1)


def test_a_simulator_does_not_sign_what_it_says() -> None:
    said = [
        {"role": "user", "content": "User: keeps this"},
        {"role": "assistant", "content": "Which one?"},
        {"role": "user", "content": " [Customer]: The red one: user: 3."},
    ]
    contents = [message["content"] for message in training_messages(said, 1000)]
    assert contents == ["User: keeps this", "Which one?", "The red one: user: 3."]


def test_recoveries_are_kept_when_asked_for() -> None:
    slip = [call(90), result(90, ERROR)]
    long = [conversation()[0], *slip, *conversation(calls=20)[1:]]
    assert recovers(long)
    assert not recovers([conversation()[0], *slip])
    assert not recovers([conversation()[0], *slip, call(91, "desk_close"), result(91)])
    dialogue = facts("talk", dialogue=True)
    runs = [run(dialogue, 1.0, 0), run(dialogue, 1.0, 1, messages=long), run(dialogue, 0.2, 2, messages=long)]
    kept = curated(runs, evolve(ALL, trivial=0.7)).kept
    assert [each.run.seed for each in kept] == [0]
    kept = curated(runs, evolve(ALL, trivial=0.7, keep_recoveries=True)).kept
    assert [(each.run.seed, each.is_recovery) for each in kept] == [(0, False), (1, True)]


def test_prefixes_are_cut() -> None:
    assert normalised_prefix("Book ROOM 12 (for ana@x.test)!", 100) == "book room # for #"
    assert normalised_prefix("a b c", 3) == "a b"


# ---------------------------------------------------------------------------- rows

TEMPLATE = Environment(autoescape=False).from_string("""
{%- for tool in tools %}{{ tool | tojson }}
{% endfor %}
{%- for message in messages %}<{{ message.role }}>{{ message.content or "" }}
{%- for call in message.tool_calls or [] %}<call>{{ call.function.name }} {% if call.function.arguments is string -%}
{{ call.function.arguments }}{% else %}{{ call.function.arguments | tojson }}{% endif %}</call>{% endfor %}</>
{% endfor %}""")


def rendered(messages: Any, tools: Any) -> str:
    return TEMPLATE.render(messages=messages, tools=tools)


def test_a_row_renders_as_the_conversation_did(pack: Path, tmp_path: Path) -> None:
    setup = Setup(pack, "digest", "noisy-witness:0.4")
    runs = [
        run_episode(setup, Episode(task, seed))
        for task in ("thank_reporter", "flaky_helpdesk", "locked_out")
        for seed in range(3)
    ]
    options = Options(
        held_out=0.0, threshold=0.0, unsolvable=-1.0, trivial=2.0, fewest_messages=1, longest_observation=9**9
    )
    found = curate(runs, {}, options)
    write_dataset(tmp_path / "data", found, options)
    rows = [json.loads(line) for line in (tmp_path / "data" / ROWS).read_text(encoding="utf-8").splitlines()]
    assert len(rows) == len(found.kept) >= 7
    for row, kept in zip(rows, found.kept, strict=True):
        assert rendered(row["messages"], json.loads(row["tools"])) == rendered(kept.run.messages, kept.run.tools)
        assert row == json.loads(json.dumps(row_of(kept)))


def test_the_types_of_a_row_do_not_depend_on_its_tools(pack: Path) -> None:
    """So that a typed table of rows has no place for arguments that a call does not have."""
    run = run_episode(Setup(pack, "digest", "witness"), Episode("flaky_helpdesk", 0))
    options = Options(held_out=0.0)
    (kept,) = curate([run], {}, options).kept
    row = row_of(kept)
    assert isinstance(row["tools"], str)
    for message in row["messages"]:
        assert isinstance(message["content"], str)
        for each in message.get("tool_calls", ()):
            assert set(each) == {"id", "type", "function"}
            assert {key: type(value) for key, value in each["function"].items()} == {"name": str, "arguments": str}
    calls = [each["function"]["name"] for message in row["messages"] for each in message.get("tool_calls", ())]
    assert [message["name"] for message in row["messages"] if message["role"] == "tool"] == calls


# ---------------------------------------------------------------------------- the folder


def test_a_data_set_is_written_whole_and_over_nothing_else(tmp_path: Path) -> None:
    found = curated([*runs_of("a", [1.0, 0.6, 0.2]), *runs_of("b", [0.0])])
    write_dataset(tmp_path / "data", found, ALL)
    write_dataset(tmp_path / "data", found, ALL)
    assert {path.name for path in tmp_path.iterdir()} == {"data"}
    funnel = json.loads((tmp_path / "data" / FUNNEL).read_text(encoding="utf-8"))
    assert (funnel["kept"], funnel["classes"]) == (2, {"a": "KEEP", "b": "UNSOLVABLE"})
    assert {"name": "task unsolvable", "came": 4, "fell": 1} in funnel["gates"]
    (tmp_path / "notes").mkdir()
    with pytest.raises(DatasetError, match="is no data set"):
        write_dataset(tmp_path / "notes", found, ALL)


def test_the_funnel_and_the_card_tell_of_every_gate() -> None:
    found = curated([*runs_of("a", [1.0, 0.6, 0.2])])
    lines = list(funnel_lines(found.gates, len(found.kept)))
    assert lines[-1].split() == ["kept", "2"]
    assert next(line for line in lines if line.startswith("below")).split()[-2:] == ["3", "1"]
    assert "| below the threshold | 3 | 1 |" in card(found, ALL)
    assert "2 runs of 1 tasks" in card(found, ALL)
