"""A model on this machine as an agent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from coworkdsl import Attachment, Pack
from cwkc.models import ContextExceeded, ModelError, Sampling
from cwktrain.agents import open_agent
from cwktrain.callables import AgentUnavailable
from cwktrain.episodes import Setup
from cwktrain.local_model import LocalModel
from cwktrain.rollouts import Plan, roll_out
from cwktrain.runs import RunRecord, RunsError
from cwktrain.store import RunStore
from cwktrain.supervised import SupervisedOptions, train_supervised

from .datasets import TASKS, data_of, lamps, student_of

pytestmark = pytest.mark.xdist_group("torch")

GREEN = TASKS[1]
BY_HEART = SupervisedOptions(
    held_out=0.0,
    use_peft=False,
    learning_rate=4e-3,
    lr_scheduler_type="constant",
    max_steps=80,
    gradient_accumulation_steps=1,
)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lamps(tmp_path_factory.mktemp("packs") / "lamps")


@pytest.fixture(scope="module")
def student(pack: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """It knows one run by heart."""
    folder = tmp_path_factory.mktemp("students")
    data = data_of(pack, folder / "data", "noisy-witness:0", [GREEN], trials=1)
    train_supervised(student_of(data, folder / "tiny"), data, folder / "trained", BY_HEART)
    return folder / "trained"


def rolled_out(pack: Path, student: Path, store: Path, tasks: Sequence[str], **others: Any) -> list[RunRecord]:
    told: list[RunRecord] = []
    with RunStore(store) as opened:
        setup = Setup(pack, "digest", f"hf:{student}", Sampling(48), **others)
        roll_out(Plan(setup, tuple(tasks), 2, jobs=4), opened, told.append)
    return told


def test_a_trained_student_does_what_it_learned(pack: Path, student: Path, tmp_path: Path) -> None:
    runs = rolled_out(pack, student, tmp_path / "runs", TASKS)
    assert [run.status for run in runs] == ["scored"] * 6
    assert [run.reward for run in runs if run.task.id == GREEN] == [1.0, 1.0]
    (run, _) = (run for run in runs if run.task.id == GREEN)
    assert [message["role"] for message in run.messages] == ["user", "assistant", "tool"] * 1 + [
        "assistant",
        "tool",
    ] + ["assistant"]
    assert json.loads(run.messages[3]["tool_calls"][0]["function"]["arguments"]) == {"lamp": "L-1", "colour": "green"}
    assert run.messages[-1]["content"] == "Done."
    assert (run.costs.tokens_read or 0) > (run.costs.tokens_written or 0) > 0
    assert rolled_out(pack, student, tmp_path / "runs", TASKS) == []


def test_runs_of_another_student_in_the_same_folder_are_not_mixed(pack: Path, student: Path, tmp_path: Path) -> None:
    copy = tmp_path / "student"
    copy.mkdir()
    for file in student.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    rolled_out(pack, copy, tmp_path / "runs", [GREEN])
    (copy / "training.json").write_text("{}", encoding="utf-8")
    with pytest.raises(RunsError, match="other settings"):
        rolled_out(pack, copy, tmp_path / "runs", [GREEN])


def asked(pack: Path, task: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    environment = Pack.open(pack).env(task)
    return environment.messages, environment.tools


def test_conversations_are_answered_together_as_they_are_alone(
    pack: Path, student: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = LocalModel(student, Sampling(48))
    alone = [model.answer(*asked(pack, task), [], 60.0) for task in TASKS]
    widths: list[int] = []
    generate = model._model.generate

    def generated(**given: Any) -> Any:
        widths.append(len(given["input_ids"]))
        return generate(**given)

    monkeypatch.setattr(model._model, "generate", generated)
    monkeypatch.setattr("cwktrain.local_model._QUIET", 0.5)
    with ThreadPoolExecutor(3) as threads:
        together = [*threads.map(lambda task: model.answer(*asked(pack, task), [], 60.0), TASKS)]
    assert together == alone
    assert widths == [3]


def scripted(student: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> LocalModel:
    """A model that writes that text, and more behind its end."""
    import torch

    model = LocalModel(student, Sampling(48))
    written = model._tokenizer(text + "<|im_end|>And more.")["input_ids"]

    def generated(input_ids: Any, **given: Any) -> Any:
        return torch.cat([input_ids, torch.tensor([written] * len(input_ids))], dim=1)

    monkeypatch.setattr(model._model, "generate", generated)
    return model


@pytest.mark.parametrize(
    ("text", "words", "calls"),
    [
        ("Hello.", "Hello.", []),
        ('<tool_call>\n{"name": "f", "arguments": {"a": [1, "ü"]}}\n</tool_call>', "", [("f", '{"a": [1, "ü"]}')]),
        ('I look.\n<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>', "I look.", [("f", "{}")]),
        ('<tool_call>\n{"name": "f", "arguments": 3}\n</tool_call>', "", [("f", "3")]),
        ('<tool_call>\n{"name": "f", "arg', '<tool_call>\n{"name": "f", "arg', []),
        ('<tool_call>\n{"name": 3}\n</tool_call>', '<tool_call>\n{"name": 3}\n</tool_call>', []),
        ("<tool_call>\n[1]\n</tool_call>", "<tool_call>\n[1]\n</tool_call>", []),
    ],
)
def test_answers_are_read(
    text: str,
    words: str,
    calls: list[tuple[str, str]],
    pack: Path,
    student: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer = scripted(student, text, monkeypatch).answer(*asked(pack, GREEN), [], 60.0)
    assert (answer.words, [*map(tuple, answer.calls)]) == (words, calls)


def test_a_conversation_that_outgrows_the_context_ends_there(pack: Path, student: Path, tmp_path: Path) -> None:
    from cwktrain.rendering import prompt, template_messages
    from cwktrain.students import load_tokenizer

    messages, tools = asked(pack, GREEN)
    first = len(prompt(load_tokenizer(student), template_messages(messages), tools))
    (tmp_path / "short").mkdir()
    for file in student.iterdir():
        (tmp_path / "short" / file.name).write_bytes(file.read_bytes())
    settings = json.loads((student / "config.json").read_text(encoding="utf-8"))
    settings["max_position_embeddings"] = first + 40
    (tmp_path / "short" / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    run, _ = rolled_out(pack, tmp_path / "short", tmp_path / "runs", [GREEN])
    assert (run.status, run.stopped, run.costs.turns) == ("scored", "context", 2)
    with pytest.raises(ContextExceeded, match="are more than the model's context"):
        LocalModel(tmp_path / "short", Sampling(48)).answer([messages[0]] * 9, tools, [], 60.0)


def test_texts_are_shown_and_other_files_refused(pack: Path, student: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = scripted(student, "Yes.", monkeypatch)
    messages, tools = asked(pack, GREEN)
    without = model.answer(messages, tools, [], 60.0)
    shown = model.answer(messages, tools, [Attachment("notes", "text/plain", b"blue is nice", "notes")], 60.0)
    assert (shown.words, without.words) == ("Yes.", "Yes.")
    assert (shown.tokens_read or 0) > (without.tokens_read or 0)
    with pytest.raises(ModelError, match="`scan` of type image/png cannot be shown"):
        model.answer(messages, tools, [Attachment("scan", "image/png", b"", "scan")], 60.0)


def test_a_model_that_fails_says_so(pack: Path, student: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = LocalModel(student, Sampling(48))

    def failing(**given: Any) -> Any:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(model._model, "generate", failing)
    with pytest.raises(ModelError, match="the model failed: RuntimeError: out of memory"):
        model.answer(*asked(pack, GREEN), [], 60.0)


def test_samples_differ_where_they_are_asked_for(pack: Path, student: Path) -> None:
    model = LocalModel(student, Sampling(24, 5.0))
    assert len({model.answer(*asked(pack, GREEN), [], 60.0).words for _ in range(4)}) > 1


def test_what_is_no_student_is_no_agent(tmp_path: Path) -> None:
    with pytest.raises(AgentUnavailable, match="holds no student"):
        open_agent(f"hf:{tmp_path}", Sampling())
