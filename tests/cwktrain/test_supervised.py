"""Supervised training by the real trainer, on students of about 120 thousand parameters."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import fsum
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from cwktrain.curation.dataset import ROWS
from cwktrain.preferences import see
from cwktrain.rendering import RenderingError, render
from cwktrain.split import HeldOutTask
from cwktrain.students import METRICS, load_model, load_tokenizer
from cwktrain.supervised import RowError, SupervisedOptions, train_supervised
from cwktrain.supervised.rows import read_rows

from .datasets import data_of, lamps, student_of

pytestmark = pytest.mark.xdist_group("torch")

FEW = SupervisedOptions(held_out=0.0, max_steps=4, learning_rate=5e-3, gradient_accumulation_steps=2)
WHOLE = evolve(FEW, use_peft=False, learning_rate=1e-3)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lamps")
    return data_of(lamps(folder / "pack"), folder / "data", "noisy-witness:0.5")


@pytest.fixture(scope="module")
def student(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return student_of(data, tmp_path_factory.mktemp("students") / "tiny")


def weights(folder: Path) -> dict[str, Any]:
    return {name: value.clone() for name, value in load_model(folder).state_dict().items()}


# ---------------------------------------------------------------------------- what is learned


def test_the_assistants_words_and_calls_are_what_is_learned(data: Path, student: Path) -> None:
    tokenizer = load_tokenizer(student)
    for row in read_rows(data):
        read = render(tokenizer, row.messages, row.tools)
        learned = tokenizer.decode([token for token, bit in zip(read.ids, read.mask, strict=True) if bit])
        assert learned == "".join(f"{written(each)}<|im_end|>" for each in row.messages if each["role"] == "assistant")


def written(message: dict[str, Any]) -> str:
    parts = [message["content"]] if message["content"] else []
    for call in message.get("tool_calls", ()):
        name, arguments = call["function"]["name"], json.dumps(call["function"]["arguments"])
        parts.append(f'<tool_call>\n{{"name": "{name}", "arguments": {arguments}}}\n</tool_call>')
    return "\n".join(parts)


def test_a_mask_that_is_not_the_assistants_is_refused(data: Path, student: Path) -> None:
    row = read_rows(data)[0]
    loop = "{%- for message in messages -%}"
    header = "'<|im_start|>assistant\\n' -}}\n{%- generation"
    for old, new, reason in (
        ("{{- eos_token -}}\n{%- endgeneration -%}", "{%- endgeneration -%}{{- eos_token -}}", "marks other tokens"),
        (header, header.replace("' -}}", "I: ' -}}"), "marks other tokens"),
        (loop, "{{ messages | length }}" + loop, "otherwise"),
        (loop, "{{ raise_exception('no tools') if messages | length > 3 }}" + loop, "refuses"),
    ):
        tokenizer = load_tokenizer(student)
        assert old in tokenizer.chat_template
        tokenizer.chat_template = tokenizer.chat_template.replace(old, new, 1)
        with pytest.raises(RenderingError, match=reason):
            render(tokenizer, row.messages, row.tools)


def test_each_token_has_the_same_weight(data: Path, student: Path, tmp_path: Path) -> None:
    rows = sorted((data / ROWS).read_text(encoding="utf-8").splitlines(keepends=True), key=len)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / ROWS).write_text(rows[0] + rows[-1], encoding="utf-8")
    metrics = train_supervised(student, tmp_path / "two", tmp_path / "out", evolve(WHOLE, max_steps=1))
    tokenizer, model = load_tokenizer(student), load_model(student).eval()
    likely = [
        see(model, render(tokenizer, row.messages, row.tools)).log_probabilities for row in read_rows(tmp_path / "two")
    ]
    assert len(likely[0]) < len(likely[1])
    assert metrics["assistant_tokens"] == sum(map(len, likely))
    of_tokens = -fsum(map(fsum, likely)) / sum(map(len, likely))
    assert metrics["loss"] == pytest.approx([of_tokens], abs=1e-4)


# ---------------------------------------------------------------------------- training


def test_the_loss_falls_and_the_student_is_kept_whole(data: Path, student: Path, tmp_path: Path) -> None:
    metrics = train_supervised(student, data, tmp_path / "out", evolve(FEW, max_steps=8))
    assert (metrics["rows"], metrics["rows_dropped_for_length"], metrics["steps"]) == (12, 0, 8)
    assert len(metrics["loss"]) == 8
    assert metrics["loss"][-1] < metrics["loss"][0] - 0.3
    assert 0 < metrics["assistant_tokens"] < metrics["tokens"]
    assert json.loads((tmp_path / "out" / METRICS).read_text(encoding="utf-8")) == metrics
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    before, after = weights(student), weights(tmp_path / "out")
    assert before.keys() == after.keys()
    changed = {name for name in before if not before[name].equal(after[name])}
    assert changed == {name for name in before if name.endswith("proj.weight")}


def test_layers_can_be_chosen(data: Path, student: Path, tmp_path: Path) -> None:
    train_supervised(student, data, tmp_path / "out", evolve(FEW, max_steps=1, layers_to_transform=(1,)))
    before, after = weights(student), weights(tmp_path / "out")
    changed = {name.split(".")[2] for name in before if not before[name].equal(after[name])}
    assert changed == {"1"}


class Stop(BaseException):
    pass


def test_what_was_interrupted_is_resumed(
    data: Path, student: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = evolve(FEW, save_steps=2, max_steps=5)
    straight = train_supervised(student, data, tmp_path / "straight", options)
    begun: list[int] = []
    with monkeypatch.context() as patched:
        stopping_at(3, begun, patched)
        with pytest.raises(Stop):
            train_supervised(student, data, tmp_path / "resumed", options)
    checkpoints = tmp_path / ".resumed.checkpoints"
    assert not (tmp_path / "resumed").exists()
    assert {path.name for path in checkpoints.iterdir()} >= {"checkpoint-2", "making.json"}
    (checkpoints / "checkpoint-4").mkdir()  # what was being written when the process ended
    with monkeypatch.context() as patched:
        stopping_at(-1, begun, patched)
        resumed = train_supervised(student, data, tmp_path / "resumed", options)
    assert begun == [0, 1, 2, 3, 2, 3, 4]
    assert resumed == straight
    first, second = weights(tmp_path / "straight"), weights(tmp_path / "resumed")
    assert all(first[name].equal(second[name]) for name in first)
    assert not checkpoints.exists()


def test_checkpoints_of_another_training_are_not_resumed_from(
    data: Path, student: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []
    stopping_at(2, begun, monkeypatch)
    for rate in (1e-3, 2e-3):
        with pytest.raises(Stop):
            train_supervised(student, data, tmp_path / "out", evolve(FEW, save_steps=1, learning_rate=rate))
    assert begun == [0, 1, 2, 0, 1, 2]


def stopping_at(step: int, begun: list[int], patched: pytest.MonkeyPatch) -> None:
    """Notes the steps as they begin, and breaks off at one of them."""
    from trl import SFTTrainer

    train = SFTTrainer.training_step

    def training_step(self: Any, *arguments: Any, **others: Any) -> Any:
        if self.state.global_step not in begun[-1:]:
            begun.append(self.state.global_step)
        if self.state.global_step == step:
            raise Stop
        return train(self, *arguments, **others)

    patched.setattr(SFTTrainer, "training_step", training_step)


# ---------------------------------------------------------------------------- what is refused


def test_held_out_families_are_refused(data: Path, student: Path, tmp_path: Path) -> None:
    with pytest.raises(HeldOutTask, match=r"line 1 belongs to the family `paint_lamp`, which is held out"):
        train_supervised(student, data, tmp_path / "out", evolve(FEW, held_out=1.0))
    assert [*tmp_path.iterdir()] == []


def test_rows_that_are_too_long_are_left_out(data: Path, student: Path, tmp_path: Path) -> None:
    tokenizer = load_tokenizer(student)
    lengths = sorted(len(render(tokenizer, row.messages, row.tools).ids) for row in read_rows(data))
    options = evolve(FEW, max_steps=1, max_length=lengths[5])
    metrics = train_supervised(student, data, tmp_path / "out", options)
    assert metrics["rows_dropped_for_length"] == sum(length > lengths[5] for length in lengths) > 0
    with pytest.raises(RowError, match="each of the 12 rows has more than 10 tokens"):
        train_supervised(student, data, tmp_path / "out", evolve(options, max_length=10))


def test_calls_of_different_tools_keep_their_own_arguments(data: Path, student: Path, tmp_path: Path) -> None:
    """In a typed table each call gains the arguments of the others as nulls: `datasets` does that to these rows."""
    import datasets

    rows = [{"messages": row.messages, "tools": row.tools} for row in read_rows(data)]
    tokenizer = load_tokenizer(student)
    (poisoned, *_) = datasets.Dataset.from_list(rows)
    asked: list[str] = []
    with pytest.MonkeyPatch.context() as patched:
        noting_texts(asked, patched)
        train_supervised(student, data, tmp_path / "out", evolve(FEW, max_steps=1))
    assert asked == [tokenizer.apply_chat_template(**_as_asked(row), tokenize=False) for row in rows]
    assert all("null" not in text.replace("|null", "") for text in asked)
    assert "null" in tokenizer.apply_chat_template(poisoned["messages"], tokenize=False)


def _as_asked(row: dict[str, Any]) -> dict[str, Any]:
    return {"conversation": row["messages"], "tools": row["tools"]}


def noting_texts(texts: list[str], patched: pytest.MonkeyPatch) -> None:
    """Notes what the trainer has when it begins."""
    from trl import SFTTrainer

    train = SFTTrainer.train

    def noted(self: Any, *arguments: Any, **others: Any) -> Any:
        texts.extend(map(self.processing_class.decode, self.train_dataset["input_ids"]))
        return train(self, *arguments, **others)

    patched.setattr(SFTTrainer, "train", noted)


def _without_a_row(table: dict[str, list[Any]]) -> None:
    for column in table.values():
        del column[0]


def _without_a_token(table: dict[str, list[Any]]) -> None:
    for column in table.values():
        column[1] = column[1][:-5] + column[1][-4:]


def _with_a_tool_that_is_learned(table: dict[str, list[Any]]) -> None:
    table["assistant_masks"][2] = [1] * len(table["assistant_masks"][2])


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (_without_a_row, "12 rows were read, and 11 would be trained on"),
        (_without_a_token, r"line 2: the conversation says `.*` at character \d+, and what would be trained on says"),
        (_with_a_tool_that_is_learned, "line 3: the trainer would learn other tokens than the assistant's"),
    ],
)
def test_a_row_that_would_be_trained_otherwise_stops_the_run(
    damage: Callable[[dict[str, list[Any]]], None],
    reason: str,
    data: Path,
    student: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import datasets

    make = datasets.Dataset.from_dict

    def damaged(table: dict[str, list[Any]]) -> Any:
        damage(table)
        return make(table)

    monkeypatch.setattr(datasets.Dataset, "from_dict", damaged)
    with pytest.raises(RowError, match=f"(?s){reason}"):
        train_supervised(student, data, tmp_path / "out", FEW)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('{"messages"', "{messages", "line 2 is no row"),
        ('"family"', '"relatives"', "line 2 is no row.*family"),
        (r'"{\"lamp\": ', r'"{lamp: ', "line 2 is no row.*arguments are JSON objects"),
        ('"role": "user"', '"role": "system"', "line 2 is no row.*a user and an assistant"),
    ],
)
def test_a_damaged_row_is_named(old: str, new: str, reason: str, data: Path, student: Path, tmp_path: Path) -> None:
    first, second, *_ = (data / ROWS).read_text(encoding="utf-8").splitlines()
    assert old in second
    (tmp_path / ROWS).write_text(f"{first}\n{second.replace(old, new)}\n", encoding="utf-8")
    with pytest.raises(RowError, match=reason):
        train_supervised(student, tmp_path, tmp_path / "out", FEW)


def test_a_data_set_that_is_none_is_named(student: Path, tmp_path: Path) -> None:
    with pytest.raises(RowError, match="holds no data set"):
        train_supervised(student, tmp_path, tmp_path / "out", FEW)
    (tmp_path / ROWS).touch()
    with pytest.raises(RowError, match="has no rows"):
        train_supervised(student, tmp_path, tmp_path / "out", FEW)
